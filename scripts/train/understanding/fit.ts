import { formatModel, parseModel } from "../../../services/understanding/src/tagger/index.ts";
import { Generator } from "./generate.ts";
import { randomFrom } from "./random.ts";
import { align, readSaid, type Said } from "./strangers.ts";
import { type Example, exampleOf, Trainer } from "./train.ts";

export const SEED = 20;
export const WORLDS = 240;
const MOST_WEIGHTS = 420_000;
/** How often a message that a person wrote is learnt from in an epoch: made-up ones are many, and less like what comes. */
const TIMES = 6;
/** Enough to find the roles of what people wrote. */
const FIRST = 8_000;

/** A trained model, and what of the messages by strangers it has learnt from. */
export type Fitted = { readonly bytes: Uint8Array; readonly said: number; readonly learnt: number };

/**
 * Trains the learnt reader on made-up messages and on what strangers wrote. The same arguments give the same bytes.
 * @param messages how many are made up
 * @param without writers who are not learnt from
 */
export function fitTagger(
  { messages, epochs, without }: { messages: number; epochs: number; without: readonly string[] },
  report: (line: string) => void = () => undefined,
): Fitted {
  const generator = new Generator(SEED, WORLDS);
  const examples = Array.from({ length: messages }, () => exampleOf(generator.next()));
  const said = [...rolesOf(examples.slice(0, FIRST))].filter(([{ writer }]) => !without.includes(writer));
  const strangers = said.flatMap(([, example]) => example ?? []);
  const trainer = new Trainer(SEED + 1);
  const random = randomFrom(SEED + 2);
  for (let epoch = 0; epoch < epochs; epoch++) {
    let loss = 0;
    const all = [...examples, ...Array.from({ length: TIMES }, () => strangers).flat()];
    for (const example of random.sample(all, all.length)) loss += trainer.learn(example);
    report(`epoch ${epoch + 1}: loss ${(loss / all.length).toFixed(4)} a message, ${seconds()} s`);
  }
  const bytes = formatModel(trainer.weights, MOST_WEIGHTS);
  return { bytes, said: said.length, learnt: strangers.length };
}

/** By how many made-up messages the first model has learnt from. */
const found = new Map<number, ReadonlyMap<Said, Example | undefined>>();

/** What strangers wrote, with the roles that a first model finds most probable of those that make what is wanted, if any do. */
function rolesOf(examples: readonly Example[]): ReadonlyMap<Said, Example | undefined> {
  const known = found.get(examples.length);
  if (known) return known;
  const first = new Trainer(SEED + 3);
  for (const example of examples) first.learn(example);
  const model = parseModel(formatModel(first.weights, MOST_WEIGHTS));
  const roles = new Map(readSaid().map((one) => [one, align(one, model)]));
  found.set(examples.length, roles);
  return roles;
}

const seconds = (): number => Math.round(process.cpuUsage().user / 1e6);
