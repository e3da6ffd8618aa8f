import { Features, GROUPS } from "./features.ts";
import { KeyTable } from "./hash.ts";
import { type IntentModelFile, unpackKeys, unpackWeights } from "./model-file.ts";
import { MAX_TOKENS } from "./tokens.ts";

/** What a message asks for. */
export type Intent = {
  /** The likeliest category. */
  category: string;
  /** Its probability, calibrated: of the answers with 0.8, four in five are right. */
  confidence: number;
  /** What is asked for, in the order in which the message says it. */
  goals: readonly string[];
  /** By category. */
  probabilities: Readonly<Record<string, number>>;
};

/** A message names a goal if a token adds this much more to its score than to those of the message's other goals. */
const NAMED = 0.8;
/** How much it counts how often messages ask for a set of goals. Less than all: training sees fewer of the longer sets than users ask. */
const PRIOR = 0.25;

/**
 * The model of one language: logistic regression over hashed words, word pairs, letters, concepts and the shape of a message. It keeps
 * its buffers between messages, so that classifying allocates the answer only.
 */
export class LinearModel {
  readonly #file: IntentModelFile;
  readonly #features: Features;
  readonly #table: KeyTable;
  readonly #weights: Int8Array;
  /** The known features of the message, each once: their rows, what they count for, and the tokens that have them first. */
  #known = 0;
  readonly #rows: Int32Array;
  readonly #values: Float64Array;
  readonly #tokens: Uint16Array;
  /** By row: the last message that had it. */
  readonly #seen: Uint32Array;
  #message = 0;
  readonly #scores: Float64Array;
  /** What a feature of each group counts for in the message. */
  readonly #groupValues = new Float64Array(GROUPS);
  /** What each token adds to the score of each goal of the message, goal by goal. */
  readonly #evidence: Float64Array;
  readonly #heads: number;

  constructor(file: IntentModelFile) {
    this.#file = file;
    this.#features = new Features(file.lexicon);
    const keys = unpackKeys(file.keys);
    this.#table = new KeyTable(keys);
    this.#heads = file.categories.length + file.goals.length;
    this.#weights = unpackWeights(file.weights, keys.length * this.#heads);
    this.#rows = new Int32Array(keys.length);
    this.#values = new Float64Array(keys.length);
    this.#tokens = new Uint16Array(keys.length);
    this.#seen = new Uint32Array(keys.length);
    this.#scores = new Float64Array(this.#heads);
    this.#evidence = new Float64Array(file.goals.length * MAX_TOKENS);
  }

  classify(text: string): Intent {
    const { categories, goals, several } = this.#file;
    this.#read(text);
    this.#scoreHeads(0, categories.length);
    const probabilities = this.#probabilities();
    let best = 0;
    for (let c = 1; c < categories.length; c++)
      if ((probabilities[c] ?? 0) > (probabilities[best] ?? 0)) best = c;
    const category = categories[best] ?? "";
    const byCategory: Record<string, number> = {};
    for (let c = 0; c < categories.length; c++) byCategory[categories[c] ?? ""] = probabilities[c] ?? 0;
    return {
      category,
      confidence: probabilities[best] ?? 0,
      goals: category === several ? this.#goalsSaid() : goals.includes(category) ? [category] : [],
      probabilities: byCategory,
    };
  }

  /** Finds the rows of the message's features. Scores are asked for by `#scoreHeads`. */
  #read(text: string): void {
    const features = this.#features;
    features.read(text);
    const { count, key, group, token, sizes } = features;
    const table = this.#table;
    const rows = this.#rows;
    const values = this.#values;
    const seen = this.#seen;
    const tokens = this.#tokens;
    const value = this.#groupValues;
    for (let g = 0; g < GROUPS; g++) value[g] = featureValue(this.#file.groups, sizes, g);
    this.#message = (this.#message + 1) >>> 0;
    const message = this.#message;
    let known = 0;
    for (let i = 0; i < count; i++) {
      const row = table.row(key[i] ?? 0);
      if (row < 0 || seen[row] === message) continue;
      seen[row] = message;
      rows[known] = row;
      values[known] = value[group[i] ?? 0] ?? 0;
      tokens[known] = token[i] ?? 0;
      known++;
    }
    this.#known = known;
  }

  #scoreHeads(from: number, to: number): void {
    const { bias, steps } = this.#file;
    const heads = this.#heads;
    const weights = this.#weights;
    const scores = this.#scores;
    const rows = this.#rows;
    const values = this.#values;
    const known = this.#known;
    for (let h = from; h < to; h++) scores[h] = 0;
    for (let i = 0; i < known; i++) {
      const base = (rows[i] ?? 0) * heads;
      const value = values[i] ?? 0;
      for (let h = from; h < to; h++) scores[h] = (scores[h] ?? 0) + value * (weights[base + h] ?? 0);
    }
    for (let h = from; h < to; h++) scores[h] = (scores[h] ?? 0) * (steps[h] ?? 0) + (bias[h] ?? 0);
  }

  #probabilities(): number[] {
    const { categories, temperature } = this.#file;
    let highest = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < categories.length; c++) highest = Math.max(highest, this.#scores[c] ?? 0);
    let sum = 0;
    const result: number[] = [];
    for (let c = 0; c < categories.length; c++) {
      const odds = Math.exp(((this.#scores[c] ?? 0) - highest) / temperature);
      result.push(odds);
      sum += odds;
    }
    for (let c = 0; c < result.length; c++) result[c] = (result[c] ?? 0) / sum;
    return result;
  }

  /** The likeliest set of several goals, in the order in which the message says them. */
  #goalsSaid(): string[] {
    const { categories, goals, together } = this.#file;
    const first = categories.length;
    this.#scoreHeads(first, this.#heads);
    let best = together[0];
    let highest = Number.NEGATIVE_INFINITY;
    for (const candidate of together) {
      // The logarithm of the odds of this set against none, plus that of how often messages ask for this set.
      let score = Math.log(candidate.share) * PRIOR;
      for (const goal of candidate.goals) score += this.#scores[first + goal] ?? 0;
      if (score > highest) {
        highest = score;
        best = candidate;
      }
    }
    return this.#inOrder(best?.goals ?? []).map((goal) => goals[goal] ?? "");
  }

  /**
   * Orders goals by the token that speaks most for each, compared with the others. A message such as "full review" has no such token:
   * what it asks for stays in the set's own order.
   */
  #inOrder(goals: readonly number[]): readonly number[] {
    const tokens = this.#features.tokens.count;
    const evidence = this.#evidence;
    for (let i = 0; i < goals.length; i++)
      this.#addEvidence(this.#file.categories.length + (goals[i] ?? 0), i * tokens);
    const places: { goal: number; place: number }[] = [];
    for (let i = 0; i < goals.length; i++) {
      let place = 0;
      let most = 0;
      for (let token = 0; token < tokens; token++) {
        let others = 0;
        for (let j = 0; j < goals.length; j++) if (j !== i) others += evidence[j * tokens + token] ?? 0;
        const lead = (evidence[i * tokens + token] ?? 0) - others / (goals.length - 1);
        if (lead > most) {
          most = lead;
          place = token;
        }
      }
      if (most < NAMED) return goals;
      places.push({ goal: goals[i] ?? 0, place });
    }
    return places.sort((a, b) => a.place - b.place).map(({ goal }) => goal);
  }

  /** Writes what each token adds to the score of a head, from a place of the evidence on. */
  #addEvidence(head: number, from: number): void {
    const evidence = this.#evidence;
    evidence.fill(0, from, from + this.#features.tokens.count);
    const step = this.#file.steps[head] ?? 0;
    for (let i = 0; i < this.#known; i++) {
      const at = from + (this.#tokens[i] ?? 0);
      const weight = this.#weights[(this.#rows[i] ?? 0) * this.#heads + head] ?? 0;
      evidence[at] = (evidence[at] ?? 0) + weight * (this.#values[i] ?? 0) * step;
    }
  }
}

/** What one feature of a group counts for in a message that has `sizes` features by group. */
export function featureValue(groups: readonly number[], sizes: Int32Array, group: number): number {
  return (groups[group] ?? 0) / Math.sqrt(Math.max(1, sizes[group] ?? 0));
}
