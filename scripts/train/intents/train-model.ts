import {
  Features,
  featureValue,
  type IntentModelFile,
  KeyTable,
  type Lexicon,
  packKeys,
  packWeights,
} from "../../../services/gateway/src/language/intents/index.ts";
import { augmented } from "./augmented.ts";
import { type Example, type Fitted, fitWeights, type Vector } from "./fit.ts";
import type { IntentSet } from "./sets.ts";
import type { Utterance } from "./utterances.ts";

/** What was found best by cross-validation; report.md has the alternatives. */
export const OPTIONS = {
  /** What each group of features counts for: words, pairs, letters, concepts, concept pairs, shape. */
  groups: [1.5, 1, 1, 2, 1.5, 0.5],
  /** Weights that a file has room for. The features that most sentences have are kept, and none that only one has. */
  weights: 92_000,
  sentences: 2,
  /** Steps of weight within one standard deviation. Coarser steps make a smaller file. */
  precision: 3,
  fit: { epochs: 10, rate: 0.1, l2: 1e-5, seed: 1, smoothing: 0.02 },
};

export type TrainingInput = {
  set: IntentSet;
  language: string;
  utterances: readonly Utterance[];
  lexicon: Lexicon;
  training: string;
};

/** Trains the model of a language. Its temperature is 1: calibration comes after it. */
export function trainModel(
  { set, language, utterances, lexicon, training }: TrainingInput,
  options = OPTIONS,
): IntentModelFile {
  const features = new Features(lexicon);
  const shape = { categories: set.categories.length, goals: set.goals.length };
  const keys = chooseKeys(features, utterances, {
    features: Math.floor(options.weights / (shape.categories + shape.goals)),
    sentences: options.sentences,
  });
  const table = new KeyTable(keys);
  const examples = augmented(set, utterances).map(
    ({ text, label, goals, weight }): Example => ({
      ...vectorOf(features, table, text, options.groups),
      label: set.categories.indexOf(label),
      goals: Uint8Array.from(set.goals, (goal) => (goals.includes(goal) ? 1 : 0)),
      weight,
    }),
  );
  const fitted = fitWeights(examples, { rows: keys.length, ...shape }, options.fit);
  return {
    ...{ language, training, categories: set.categories, goals: set.goals },
    ...(set.several === undefined ? {} : { several: set.several }),
    together: togetherIn(set, utterances),
    ...{ groups: options.groups, temperature: 1 },
    ...quantised(fitted, options.precision),
    ...{ lexicon, keys: packKeys(keys) },
  };
}

/** The sets of goals that sentences ask for, and their shares among the sentences with several. */
function togetherIn(set: IntentSet, utterances: readonly Utterance[]): IntentModelFile["together"] {
  const several = utterances.filter(({ goals }) => goals.length > 1);
  const sets = Map.groupBy(several, ({ goals }) =>
    [...set.goals.keys()].filter((goal) => goals.includes(set.goals[goal] ?? "")).join(),
  );
  return [...sets]
    .map(([key, same]) => ({
      goals: key.split(",").map(Number),
      share: Number((same.length / several.length).toPrecision(3)),
    }))
    .sort((a, b) => b.share - a.share || a.goals.join().localeCompare(b.goals.join()));
}

/** The keys of the features that most sentences have, ascending. */
function chooseKeys(
  features: Features,
  utterances: readonly Utterance[],
  options: { features: number; sentences: number },
): number[] {
  const counts = new Map<number, number>();
  for (const { text } of utterances) {
    features.read(text);
    for (const key of new Set(features.key.subarray(0, features.count)))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= options.sentences)
    .sort(([a, countA], [b, countB]) => countB - countA || a - b)
    .slice(0, options.features)
    .map(([key]) => key)
    .sort((a, b) => a - b);
}

function vectorOf(features: Features, table: KeyTable, text: string, groups: readonly number[]): Vector {
  features.read(text);
  const values = new Map<number, number>();
  for (let i = 0; i < features.count; i++) {
    const row = table.row(features.key[i] ?? 0);
    if (row >= 0 && !values.has(row))
      values.set(row, featureValue(groups, features.sizes, features.group[i] ?? 0));
  }
  return { rows: Int32Array.from(values.keys()), values: Float32Array.from(values.values()) };
}

/** Rounds weights to signed bytes, each head with a step of its own. */
function quantised(
  { weights, bias }: Fitted,
  precision: number,
): Pick<IntentModelFile, "bias" | "steps" | "weights"> {
  const heads = bias.length;
  const steps = Array.from(bias, (_, head) => {
    let squares = 0;
    let largest = 0;
    for (let i = head; i < weights.length; i += heads) {
      squares += (weights[i] ?? 0) ** 2;
      largest = Math.max(largest, Math.abs(weights[i] ?? 0));
    }
    const deviation = Math.sqrt((squares * heads) / weights.length);
    return Number(Math.max(deviation / precision, largest / 127).toPrecision(6));
  });
  const bytes = Int8Array.from(weights, (weight, i) => Math.round(weight / (steps[i % heads] || 1)));
  return {
    bias: Array.from(bias, (value) => Number(value.toPrecision(6))),
    steps,
    weights: packWeights(bytes),
  };
}
