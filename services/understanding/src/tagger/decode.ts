import type { Candidate } from "./candidates.ts";
import { addContext, addRelations, type Decided, Features } from "./features.ts";
import type { Model } from "./model.ts";
import type { View } from "./view.ts";

/** A role of a unit and how probable it is among those that the unit may have. */
export type Decision = { role: Candidate; probability: number };

/** Gives each unit its most probable role, from left to right. */
export function decode(view: View, model: Model): Decision[] {
  const decided: Candidate[] = [];
  const features = new Features();
  return view.units.map((_, at) => {
    const scored = scoreUnit(view, decided, at, model, features);
    const decision = bestOf(scored);
    decided.push(decision.role);
    return decision;
  });
}

/** The scores of the candidates of a unit, and which of the features in the buffer each has. */
export type Scored = {
  candidates: readonly Candidate[];
  scores: Float64Array;
  /** Behind the features of the context, those of the slot of each candidate. */
  ranges: readonly (readonly [from: number, to: number])[];
  context: number;
};

/** @param isLeftOut for training: whether a feature of the context is left out */
export function scoreUnit(
  view: View,
  decided: Decided,
  at: number,
  model: Model,
  features: Features,
  isLeftOut?: () => boolean,
): Scored {
  features.size = 0;
  const candidates = view.candidates[at] ?? [];
  addContext(features, view, decided, at);
  if (isLeftOut && view.units[at]?.mention) features.thin(isLeftOut);
  const context = features.size;
  const scores = new Float64Array(candidates.length);
  const ranges: (readonly [number, number])[] = [];
  for (const [i, candidate] of candidates.entries()) {
    // Directions of one slot share its relations.
    const same = candidate.slot ? candidates.findIndex(({ slot }) => slot === candidate.slot) : i;
    let range = same < i ? ranges[same] : undefined;
    if (!range) {
      const from = features.size;
      if (candidate.slot) addRelations(features, view, decided, at, candidate.slot);
      range = [from, features.size];
    }
    ranges.push(range);
    scores[i] =
      sumOf(model, features, 0, context, candidate) + sumOf(model, features, range[0], range[1], candidate);
  }
  return { candidates, scores, ranges, context };
}

function sumOf(
  { weights, scale, shift }: Model,
  { hashes }: Features,
  from: number,
  to: number,
  { fine, coarse, slot }: Candidate,
): number {
  let sum = 0;
  const isBoth = slot !== undefined;
  for (let i = from; i < to; i++) {
    const hash = hashes[i] ?? 0;
    sum += weights[placeOf(hash, fine, shift)] ?? 0;
    if (isBoth) sum += weights[placeOf(hash, coarse, shift)] ?? 0;
  }
  return sum * scale;
}

/** Where the weight of a feature is for a label. */
export const placeOf = (hash: number, label: number, shift: number): number =>
  Math.imul(hash, label | 1) >>> shift;

function bestOf({ candidates, scores }: Scored): Decision {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if ((scores[i] ?? 0) > (scores[best] ?? 0)) best = i;
  let total = 0;
  for (const score of scores) total += Math.exp(score - (scores[best] ?? 0));
  const role = candidates[best];
  if (!role) throw new RangeError("A unit has a role.");
  return { role, probability: 1 / total };
}
