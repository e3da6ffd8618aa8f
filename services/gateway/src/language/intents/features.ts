import { LEFT_OUT, markDenied } from "./denial.ts";
import { fold, MAX_UNITS } from "./fold.ts";
import { HASH_START, hashUnit, hashWord, KeyTable, keyOf } from "./hash.ts";
import { KIND, Tokens } from "./tokens.ts";

/**
 * Groups of features. The features of a group share its weight, so that a message's forty character n-grams do not outvote its five
 * words.
 */
export const GROUP = { word: 0, pair: 1, letters: 2, concept: 3, concepts: 4, shape: 5 } as const;
export const GROUPS = 6;

/** Words of a domain by what they mean: `{ reason: ["why", "rationale", "driv*", "what_for"] }`. */
export type Lexicon = Readonly<Record<string, readonly string[]>>;

const MAX_FEATURES = 24_576;
const LONGEST_NGRAM = 5;
const SHORTEST_NGRAM = 3;
/** From here on, a unit is a syllable or more: two of them say as much as four letters. */
const FIRST_SYLLABIC = 0x1100;
const SHORTEST_SYLLABIC = 2;
/** Letters of a word that n-grams are made of: longer words are no words. */
const LONGEST_WORD = 24;
const SHORTEST_STEM = 3;
/** A name that is as short as this may be a word of the domain, such as `ec2`. */
const SHORT_NAME = 5;

/** Marks the features of denied words as others than those of the same words. */
const DENIED = 0x5bd1e995;
const SALT = Int32Array.from({ length: 8 }, (_, i) => Math.imul(i + 1, 0x27d4eb2f));
const EDGE = 0x20;
/** Upper limits of the lengths, in tokens, that count as different. */
const LENGTHS = [0, 1, 2, 4, 7, 11, 18, 30];

/** What a message has for a linear model. One instance is filled again and again, so that reading a message allocates nothing. */
export class Features {
  count = 0;
  readonly key = new Int32Array(MAX_FEATURES);
  readonly group = new Uint8Array(MAX_FEATURES);
  /** The token that a feature begins with. */
  readonly token = new Uint16Array(MAX_FEATURES);
  /** How many features each group has. */
  readonly sizes = new Int32Array(GROUPS);
  readonly tokens = new Tokens();
  readonly #units = new Uint16Array(MAX_UNITS);
  readonly #word = new Uint16Array(LONGEST_WORD + 2);
  readonly #concepts: ConceptTable;
  #previousConcept = 0;
  #conceptCount = 0;
  /** Words without a concept. */
  #strangers = 0;

  constructor(lexicon: Lexicon = {}) {
    this.#concepts = new ConceptTable(lexicon);
  }

  read(text: string): void {
    this.count = 0;
    this.sizes.fill(0);
    this.#previousConcept = 0;
    this.#conceptCount = 0;
    this.#strangers = 0;
    const { tokens } = this;
    tokens.read(this.#units, fold(text, this.#units));
    markDenied(tokens);
    const { hash, denied, kind, written, start, end } = tokens;
    let previous = hashWord("#start");
    for (let at = 0; at < tokens.count; at++) {
      if (denied[at] === LEFT_OUT) continue;
      const word = (hash[at] ?? 0) ^ (denied[at] === 1 ? DENIED : 0);
      this.#add(word, GROUP.word, at);
      this.#add(Math.imul(previous, 0x01000193) ^ word, GROUP.pair, at);
      previous = word;
      if (kind[at] === KIND.word) this.#letters(at);
      else if (kind[at] === KIND.id && (end[at] ?? 0) - (start[at] ?? 0) <= SHORT_NAME)
        this.#add(written[at] ?? 0, GROUP.word, at);
      this.#conceptsAt(at);
    }
    this.#add(Math.imul(previous, 0x01000193) ^ hashWord("#end"), GROUP.pair, Math.max(0, tokens.count - 1));
    this.#shape();
  }

  #letters(at: number): void {
    const { start, end, denied } = this.tokens;
    const from = start[at] ?? 0;
    const length = Math.min((end[at] ?? 0) - from, LONGEST_WORD);
    const word = this.#word;
    word[0] = EDGE;
    for (let i = 0; i < length; i++) word[i + 1] = this.#units[from + i] ?? 0;
    word[length + 1] = EDGE;
    const seed = denied[at] === 1 ? HASH_START ^ DENIED : HASH_START;
    const shortest = (word[1] ?? 0) < FIRST_SYLLABIC ? SHORTEST_NGRAM : SHORTEST_SYLLABIC;
    for (let i = 0; i + shortest <= length + 2; i++) {
      let hash = seed;
      const stop = Math.min(i + LONGEST_NGRAM, length + 2);
      for (let j = i; j < stop; j++) {
        hash = hashUnit(hash, word[j] ?? 0);
        if (j - i >= shortest - 1) this.#add(hash, GROUP.letters, at);
      }
    }
  }

  #conceptsAt(at: number): void {
    const { tokens } = this;
    if (tokens.kind[at] !== KIND.word) {
      this.#concept((tokens.kind[at] ?? 0) + 1_000, at);
      return;
    }
    if (at > 0) {
      const pair = this.#concepts.pair(tokens.hash[at - 1] ?? 0, tokens.hash[at] ?? 0);
      if (pair >= 0) this.#concept(pair, at);
    }
    const exact = this.#concepts.word(tokens.hash[at] ?? 0);
    if (exact >= 0) {
      this.#concept(exact, at);
      return;
    }
    let hash = HASH_START;
    let stem = -1;
    const from = tokens.start[at] ?? 0;
    const length = (tokens.end[at] ?? 0) - from;
    for (let i = 0; i < length && i < LONGEST_WORD; i++) {
      const unit = this.#units[from + i] ?? 0;
      hash = hashUnit(hash, unit);
      // One syllable of Hangul can be a stem.
      if (i + 1 < SHORTEST_STEM && unit < FIRST_SYLLABIC) continue;
      const found = this.#concepts.stem(hash);
      if (found >= 0) stem = found;
    }
    if (stem >= 0) this.#concept(stem, at);
    else this.#strangers++;
  }

  #concept(concept: number, at: number): void {
    const hash = Math.imul(concept + 1, 0x9e3779b1) ^ (this.tokens.denied[at] === 1 ? DENIED : 0);
    this.#add(hash, GROUP.concept, at);
    this.#add(Math.imul(this.#previousConcept, 0x01000193) ^ hash, GROUP.concepts, at);
    this.#previousConcept = hash;
    this.#conceptCount++;
  }

  #shape(): void {
    const { tokens } = this;
    const { count } = tokens;
    let length = 0;
    while (length + 1 < LENGTHS.length && count > (LENGTHS[length] ?? 0)) length++;
    this.#add(100 + length, GROUP.shape, 0);
    this.#add(tokens.question ? 200 : 201, GROUP.shape, 0);
    this.#add(300 + Math.min(this.#conceptCount, 6), GROUP.shape, 0);
    this.#add(400 + Math.min(this.#strangers, 4), GROUP.shape, 0);
    if (count > 0) this.#add((tokens.hash[0] ?? 0) ^ DENIED, GROUP.shape, 0);
    if (count > 1) this.#add(Math.imul(tokens.hash[0] ?? 0, 31) ^ (tokens.hash[1] ?? 0), GROUP.shape, 0);
  }

  #add(hash: number, group: number, token: number): void {
    if (this.count >= MAX_FEATURES) return;
    const at = this.count++;
    this.key[at] = keyOf(hash ^ (SALT[group] ?? 0));
    this.group[at] = group;
    this.token[at] = token;
    this.sizes[group] = (this.sizes[group] ?? 0) + 1;
  }
}

/** Finds the concept of a word, of a stem (`driv*`) or of two words (`what_for`), by their hashes. */
class ConceptTable {
  readonly #words: Concepts;
  readonly #stems: Concepts;
  readonly #pairs: Concepts;

  constructor(lexicon: Lexicon) {
    const words: [number, number][] = [];
    const stems: [number, number][] = [];
    const pairs: [number, number][] = [];
    for (const [concept, entries] of Object.values(lexicon).entries()) {
      for (const entry of entries) {
        const [first = "", second] = entry.normalize("NFKC").toLowerCase().replaceAll("'", "").split("_");
        if (second !== undefined) pairs.push([pairHash(hashWord(first), hashWord(second)), concept]);
        else if (entry.endsWith("*")) stems.push([hashWord(first.slice(0, -1)), concept]);
        else words.push([hashWord(first), concept]);
      }
    }
    this.#words = new Concepts(words);
    this.#stems = new Concepts(stems);
    this.#pairs = new Concepts(pairs);
  }

  word(hash: number): number {
    return this.#words.find(hash);
  }

  stem(hash: number): number {
    return this.#stems.find(hash);
  }

  pair(first: number, second: number): number {
    return this.#pairs.find(pairHash(first, second));
  }
}

function pairHash(first: number, second: number): number {
  return Math.imul(first, 0x01000193) ^ second;
}

class Concepts {
  readonly #table: KeyTable;
  readonly #concepts: Uint16Array;

  constructor(entries: readonly (readonly [number, number])[]) {
    this.#table = new KeyTable(entries.map(([hash]) => keyOf(hash)));
    this.#concepts = Uint16Array.from(entries, ([, concept]) => concept);
  }

  find(hash: number): number {
    const row = this.#table.row(keyOf(hash));
    return row < 0 ? -1 : (this.#concepts[row] ?? -1);
  }
}
