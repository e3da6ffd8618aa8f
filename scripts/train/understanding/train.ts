import {
  type Candidate,
  Features,
  type Model,
  placeOf,
  type Scored,
  scoreUnit,
  unitsOf,
  type View,
  viewOf,
} from "../../../services/understanding/src/tagger/index.ts";
import type { Message } from "./generate.ts";
import { labelOf } from "./label.ts";
import { type Random, randomFrom } from "./random.ts";

/** A message ready to be learnt from: its units, and which of the candidates of each is right. */
export type Example = { view: View; labels: Uint8Array };

export function exampleOf(message: Message): Example {
  const { world, text, before } = message;
  const cut = unitsOf(text, world.reader, world.index);
  const view = viewOf(cut, world.reader.slots, before, world.index);
  return {
    view,
    labels: Uint8Array.from(cut.units, (unit, at) => labelOf(unit, view.candidates[at] ?? [], message)),
  };
}

const BITS = 22;
const RATE = 0.2;
/** One decision in so many is the model's own, so that it learns to go on from its mistakes. */
const OWN_DECISIONS = 5;
/** One feature in so many is left out, so that none is relied upon alone. */
const LEFT_OUT = 7;
/** Words are many, and most mean nothing. */
const WORD_WEIGHT = 0.35;
const NEGLIGIBLE = 0.002;

/** Multinomial logistic regression over the candidates of each unit, by AdaGrad, one unit at a time. */
export class Trainer {
  readonly #weights = new Float32Array(2 ** BITS);
  readonly #squares = new Float32Array(2 ** BITS);
  /** What has been added to each, times the messages learnt from before. */
  readonly #early = new Float64Array(2 ** BITS);
  #learnt = 0;
  readonly #model: Model = { weights: this.#weights, scale: 1, shift: 32 - BITS };
  readonly #features = new Features();
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  /** The mean of the weights behind each message, which the last messages sway less. */
  get weights(): Float32Array {
    return this.#weights.map((weight, place) => weight - (this.#early[place] ?? 0) / this.#learnt);
  }

  /** Learns from one message. @returns the loss of its mentions */
  learn({ view, labels }: Example): number {
    const decided: Candidate[] = [];
    let loss = 0;
    for (const at of view.units.keys()) {
      const scored = scoreUnit(
        view,
        decided,
        at,
        this.#model,
        this.#features,
        () => this.#random.below(LEFT_OUT) === 0,
      );
      const { candidates, scores } = scored;
      const right = labels[at] ?? 0;
      const best = scores.indexOf(Math.max(...scores));
      const isMention = view.units[at]?.mention !== undefined;
      const lost = this.#step(scored, right, isMention ? 1 : WORD_WEIGHT);
      if (isMention) loss += lost;
      const next = candidates[this.#random.below(OWN_DECISIONS) === 0 ? best : right];
      if (next) decided.push(next);
    }
    this.#learnt += 1;
    return loss;
  }

  #step({ candidates, scores, ranges, context }: Scored, right: number, weight: number): number {
    const most = Math.max(...scores);
    const parts = scores.map((score) => Math.exp(score - most));
    const total = parts.reduce((sum, part) => sum + part, 0);
    for (const [i, candidate] of candidates.entries()) {
      const gradient = ((i === right ? 1 : 0) - (parts[i] ?? 0) / total) * weight;
      if (Math.abs(gradient) < NEGLIGIBLE) continue;
      const [from, to] = ranges[i] ?? [0, 0];
      this.#move(0, context, candidate, gradient);
      this.#move(from, to, candidate, gradient);
    }
    return -Math.log(Math.max((parts[right] ?? 0) / total, 1e-9));
  }

  #move(from: number, to: number, { fine, coarse, slot }: Candidate, gradient: number): void {
    const { hashes } = this.#features;
    const isBoth = slot !== undefined;
    for (let i = from; i < to; i++) {
      const hash = hashes[i] ?? 0;
      this.#add(placeOf(hash, fine, 32 - BITS), gradient);
      if (isBoth) this.#add(placeOf(hash, coarse, 32 - BITS), gradient);
    }
  }

  #add(place: number, gradient: number): void {
    const square = (this.#squares[place] ?? 0) + gradient * gradient;
    this.#squares[place] = square;
    const step = (RATE * gradient) / (Math.sqrt(square) + 1);
    this.#weights[place] = (this.#weights[place] ?? 0) + step;
    this.#early[place] = (this.#early[place] ?? 0) + this.#learnt * step;
  }
}
