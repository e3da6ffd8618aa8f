import { setImmediate as nextTurn } from "node:timers/promises";
import { Features, featureValue, GROUPS, KeyTable } from "../intents/index.ts";
import { BACKGROUND } from "./background.ts";
import { fitExamples, type Sentence, softmaxBesideNone, type Weights } from "./fit-examples.ts";

/**
 * Tells which of some classes a message asks for, by examples of each. Never throws, whatever the text.
 * @returns how likely each class is, between 0 and 1; what is left to 1 is that the message asks for none of them
 */
export type ExamplesModel = { classify(text: string): ReadonlyMap<string, number> };

/** What a feature of each group counts for, as in the trained models; without a lexicon, concepts are kinds of amounts alone. */
const GROUP_WEIGHTS = [1.5, 1, 1, 1, 0.5, 0.3];
/** Sentences that are read in one turn of the event loop: well under a millisecond, a few where they are long. */
const PIECE = 10;

/**
 * Learns from examples of each class, and from the background of what is said besides. A hundred examples take some ten milliseconds,
 * a piece a turn of the event loop.
 * @returns undefined where no class has an example
 */
export async function learnExamples(
  examples: ReadonlyMap<string, readonly string[]>,
): Promise<ExamplesModel | undefined> {
  const classes = [...examples].filter(([, texts]) => texts.length > 0);
  if (classes.length === 0) return undefined;
  const reader = new Reader();
  const sentences: Sentence[] = [];
  const read = async (texts: readonly string[], of: number, weight: number): Promise<void> => {
    for (const [at, text] of texts.entries()) {
      if (at % PIECE === 0) await nextTurn();
      sentences.push({ of, weight, ...reader.learn(text) });
    }
  };
  await read(BACKGROUND, -1, 1);
  // Each of a few examples counts for more, so that they are not outvoted by the background.
  for (const [at, [, texts]] of classes.entries())
    await read(texts, at, Math.max(1, Math.sqrt(BACKGROUND.length / texts.length) / 2));
  await nextTurn();
  const weights = await fitExamples(sentences, { rows: reader.rows, classes: classes.length });
  await nextTurn();
  return modelOf(
    classes.map(([name]) => name),
    weights,
    reader.known(),
  );
}

/** Reads sentences as rows of features, and numbers the features in the order in which it sees them. */
class Reader {
  readonly #features = new Features();
  readonly #rows = new Map<number, number>();

  get rows(): number {
    return this.#rows.size;
  }

  learn(text: string): Pick<Sentence, "rows" | "values"> {
    const { key, group, sizes } = this.#features;
    this.#features.read(text);
    const found = new Map<number, number>();
    for (let i = 0; i < this.#features.count; i++) {
      const feature = key[i] ?? 0;
      const row = this.#rows.get(feature) ?? this.#rows.size;
      this.#rows.set(feature, row);
      if (!found.has(row)) found.set(row, featureValue(GROUP_WEIGHTS, sizes, group[i] ?? 0));
    }
    return { rows: Int32Array.from(found.keys()), values: Float64Array.from(found.values()) };
  }

  /** The features that were seen, by their rows. */
  known(): KeyTable {
    return new KeyTable([...this.#rows.keys()]);
  }
}

function modelOf(names: readonly string[], { weights, bias }: Weights, table: KeyTable): ExamplesModel {
  const features = new Features();
  const { key, group, sizes } = features;
  const values = new Float64Array(GROUPS);
  const seen = new Uint32Array(weights.length / names.length);
  const scores = new Float64Array(names.length);
  let message = 0;
  return {
    classify(text) {
      features.read(text);
      for (let g = 0; g < GROUPS; g++) values[g] = featureValue(GROUP_WEIGHTS, sizes, g);
      message = (message + 1) >>> 0;
      scores.set(bias);
      for (let i = 0; i < features.count; i++) {
        const row = table.row(key[i] ?? 0);
        if (row < 0 || seen[row] === message) continue;
        seen[row] = message;
        const value = values[group[i] ?? 0] ?? 0;
        for (let c = 0; c < names.length; c++)
          scores[c] = (scores[c] ?? 0) + value * (weights[row * names.length + c] ?? 0);
      }
      softmaxBesideNone(scores);
      return new Map(names.map((name, c) => [name, scores[c] ?? 0]));
    },
  };
}
