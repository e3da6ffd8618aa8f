import { type Lexed, lex } from "./lexer.ts";
import { LEXICON } from "./lexicon.ts";
import { fold, normalise } from "./normalise.ts";
import { metConceptRules, metTextRules, RULES } from "./rules.ts";

/**
 * A linear model over three kinds of features: rules that a text meets; concepts, and pairs of concepts that stand close together; words,
 * pairs of words, and beginnings of words, hashed. Each counts once.
 */
export type Scorer = {
  /** A weight for each rule, concept, pair and bucket, in units of `step`. */
  weights: Int8Array;
  step: number;
  bias: number;
  /** From this score on a text is flagged; in log odds, like scores. */
  threshold: number;
};

/** What is judged of a text: all of it, or a window of a long one. */
export type Part = Pick<Lexed, "concepts" | "words" | "prefixes">;

const CONCEPTS: readonly string[] = [...Object.keys(LEXICON), '"', ":", "1", "2"];
const WORD_BUCKETS = 16_384;
/** Concepts in between, at most, in a pair. */
const REACH = 4;
/** Concepts that open a text: who commands begins with the verb. */
const OPENING = 2;

/** Place of a concept's letter among CONCEPTS, from 1; 0 for none. */
const PLACES = new Uint8Array(128);
for (const [place, letter] of CONCEPTS.entries()) PLACES[letter.charCodeAt(0)] = place + 1;

const UNIGRAMS = RULES.length;
const PAIRS = UNIGRAMS + CONCEPTS.length + 1;
const WORDS = PAIRS + (CONCEPTS.length + 1) ** 2;

export const FEATURES = WORDS + WORD_BUCKETS;

/** What a feature is about: training trusts rules most, and single words least. */
export function sectionOf(feature: number): "rule" | "concept" | "word" {
  if (feature < UNIGRAMS) return "rule";
  return feature < WORDS ? "concept" : "word";
}

/** The features of a whole text, as it is before any decoding: what training learns from. */
export function featuresOf(text: string): readonly number[] {
  const lower = fold(normalise(text).text);
  const lexed = lex(lower);
  const features = new Set<number>();
  const rules = [...metConceptRules(lexed.concepts), ...metTextRules(lower)];
  eachFeature(lexed, rules, (feature) => features.add(feature));
  return [...features];
}

/** Calls `add` for each feature of a text, for some more than once. */
export function eachFeature(
  { concepts, words, prefixes }: Part,
  rules: readonly number[],
  add: (feature: number) => void,
): void {
  for (const place of rules) add(place);
  const width = CONCEPTS.length + 1;
  for (let at = 0; at < concepts.length; at += 1) {
    const place = PLACES[concepts.charCodeAt(at)] ?? 0;
    if (place === 0) continue;
    add(UNIGRAMS + place);
    if (at < OPENING || concepts.charCodeAt(at - 1) === 124) add(PAIRS + place);
    for (let back = at - 1; back >= 0 && back >= at - REACH - 1; back -= 1) {
      const code = concepts.charCodeAt(back);
      if (code === 124) break;
      const before = PLACES[code] ?? 0;
      if (before !== 0) add(PAIRS + before * width + place);
    }
  }
  let before = 0;
  for (const word of words) {
    if (word !== 0) {
      add(WORDS + bucketOf(word));
      if (before !== 0) add(WORDS + bucketOf(Math.imul(before, 31) ^ word));
    }
    before = word;
  }
  for (const prefix of prefixes) add(WORDS + bucketOf(prefix ^ 0x5bd1e995));
}

function bucketOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) & (WORD_BUCKETS - 1);
}

/** A trained scorer as it is kept: the weights as bytes in base64. */
export type ScorerFile = { weights: string; step: number; bias: number; threshold: number };

/** @throws Error for a file that was trained for other rules or concepts */
export function readScorer(file: ScorerFile): Scorer {
  const bytes = Buffer.from(file.weights, "base64");
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (weights.length !== FEATURES)
    throw new Error("The trained file of the injection guard fits other rules. Run npm run train:injection.");
  return { weights, step: file.step, bias: file.bias, threshold: file.threshold };
}
