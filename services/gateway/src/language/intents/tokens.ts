import { HASH_START, hashUnit, hashWord } from "./hash.ts";

/** What a token is. Names and numbers count as such: which item or how many percent does not change what is asked for. */
export const KIND = { word: 0, number: 1, percent: 2, money: 3, id: 4, period: 5 } as const;

/** Words that a message has at most for us; a longer one has said before what it wants. */
export const MAX_TOKENS = 1024;

const APOSTROPHE = 0x27;

/** The tokens of a message. One instance is filled again and again, so that reading a message allocates nothing. */
export class Tokens {
  count = 0;
  /** Where a token's letters are in the units. */
  readonly start = new Uint16Array(MAX_TOKENS);
  readonly end = new Uint16Array(MAX_TOKENS);
  readonly kind = new Uint8Array(MAX_TOKENS);
  /** Hash of the word, or of its kind if it is no word. */
  readonly hash = new Int32Array(MAX_TOKENS);
  /** Hash of what was written, for names and numbers. */
  readonly written = new Int32Array(MAX_TOKENS);
  /** Number of the clause, by punctuation. */
  readonly clause = new Uint16Array(MAX_TOKENS);
  /** 1 where the message says that it does not want this, 2 where a whole clause says so. */
  readonly denied = new Uint8Array(MAX_TOKENS);
  question = false;

  /** Reads `length` folded units. Moves letters together where an apostrophe goes: "don't" is the word `dont`. */
  read(units: Uint16Array, length: number): void {
    this.count = 0;
    this.question = false;
    let clause = 0;
    let money = false;
    let i = 0;
    while (i < length && this.count < MAX_TOKENS) {
      const unit = units[i] ?? 0;
      const type = typeOf(unit);
      if (type === OTHER) {
        if (endsClause(unit)) {
          if (this.count > 0 && this.clause[this.count - 1] === clause) clause++;
          if (unit === 0x3f || unit === 0xff1f) this.question = true;
        } else if (unit === 0x25 && this.count > 0 && i - (this.end[this.count - 1] ?? 0) <= 1) {
          this.#become(this.count - 1, KIND.percent);
        }
        const isMoney = isCurrency(unit);
        if (
          isMoney &&
          this.count > 0 &&
          this.kind[this.count - 1] === KIND.number &&
          i - (this.end[this.count - 1] ?? 0) <= 1
        )
          this.#become(this.count - 1, KIND.money);
        money = isMoney || (money && unit === 0x20);
        i++;
        continue;
      }
      const stop = chunkEnd(units, i, length, type);
      this.#chunk(units, i, stop, clause, type, money);
      money = false;
      i = stop;
    }
  }

  #chunk(units: Uint16Array, from: number, to: number, clause: number, type: number, money: boolean): void {
    if (type === LETTER) {
      this.#word(units, from, to, clause);
      return;
    }
    let digits = 0;
    let letters = 0;
    for (let i = from; i < to; i++) {
      const t = typeOf(units[i] ?? 0);
      if (t === DIGIT) digits++;
      else if (t === LATIN) letters++;
    }
    if (digits > 0) {
      const kind = money && letters <= 1 ? KIND.money : kindOf(units, from, to, digits, letters);
      this.#add(from, to, clause, kind, hashRange(units, from, to));
      return;
    }
    // Words that hyphens, dots or slashes join are words of their own.
    let start = from;
    for (let i = from; i <= to; i++) {
      const unit = units[i] ?? 0;
      if (i < to && (typeOf(unit) === LATIN || unit === APOSTROPHE)) continue;
      if (i > start) this.#word(units, start, i, clause);
      start = i + 1;
    }
  }

  #word(units: Uint16Array, from: number, to: number, clause: number): void {
    let end = from;
    for (let i = from; i < to; i++) {
      const unit = units[i] ?? 0;
      // "what's", "item's": the s is no part of the word.
      if (unit === APOSTROPHE && i === to - 2 && units[i + 1] === 0x73) break;
      if (unit !== APOSTROPHE) units[end++] = unit;
    }
    if (end > from) this.#add(from, end, clause, KIND.word, hashRange(units, from, end));
  }

  #add(from: number, to: number, clause: number, kind: number, written: number): void {
    if (this.count >= MAX_TOKENS) return;
    const at = this.count++;
    this.start[at] = from;
    this.end[at] = to;
    this.clause[at] = clause;
    this.denied[at] = 0;
    this.written[at] = written;
    this.kind[at] = kind;
    this.hash[at] = kind === KIND.word ? written : (KIND_HASHES[kind] ?? 0);
  }

  #become(at: number, kind: number): void {
    this.kind[at] = kind;
    this.hash[at] = KIND_HASHES[kind] ?? 0;
  }
}

const KIND_HASHES = Int32Array.from(["", "#number", "#percent", "#money", "#id", "#period"], hashWord);

const OTHER = 0;
const LATIN = 1;
const DIGIT = 2;
/** A letter of a script that is not joined by hyphens and digits: Hangul, Cyrillic, Han … */
const LETTER = 3;

function typeOf(unit: number): number {
  if (unit >= 0x61 && unit <= 0x7a) return LATIN;
  if (unit >= 0x30 && unit <= 0x39) return DIGIT;
  if (unit < 0x80) return OTHER;
  if (unit === 0xdf || unit === 0xe6 || unit === 0xf8) return LATIN;
  if (unit < 0x370 || (unit >= 0x2000 && unit < 0x2c00) || (unit >= 0x3000 && unit < 0x3040)) return OTHER;
  if (unit >= 0xd800 && unit < 0xf900) return OTHER;
  return unit >= 0xfe00 ? OTHER : LETTER;
}

/** A run of one script. Latin letters and digits run on over one joining sign: `valve-v7`, `1,234.5`, `don't`. */
function chunkEnd(units: Uint16Array, from: number, length: number, type: number): number {
  let i = from + 1;
  if (type === LETTER) {
    while (i < length && typeOf(units[i] ?? 0) === LETTER) i++;
    return i;
  }
  for (; i < length; i++) {
    const unit = units[i] ?? 0;
    const t = typeOf(unit);
    if (t === LATIN || t === DIGIT) continue;
    if (!joins(unit) || i + 1 >= length) break;
    const next = typeOf(units[i + 1] ?? 0);
    if (next !== LATIN && next !== DIGIT) break;
    // A comma or colon joins figures only: "explain,check" is two words.
    if ((unit === 0x2c || unit === 0x3a) && !(next === DIGIT && typeOf(units[i - 1] ?? 0) === DIGIT)) break;
  }
  return i;
}

/** Hyphen, underscore, dot, comma, slash, colon, apostrophe. */
function joins(unit: number): boolean {
  return (
    unit === 0x2d ||
    unit === 0x5f ||
    unit === 0x2e ||
    unit === 0x2c ||
    unit === 0x2f ||
    unit === 0x3a ||
    unit === APOSTROPHE
  );
}

function endsClause(unit: number): boolean {
  return (
    unit === 0x2c || // ,
    unit === 0x2e || // .
    unit === 0x3b || // ;
    unit === 0x3a || // :
    unit === 0x21 || // !
    unit === 0x3f || // ?
    unit === 0x0a ||
    unit === 0x28 || // (
    unit === 0x29 || // )
    unit === 0x2013 ||
    unit === 0x2014 ||
    unit === 0x3001 ||
    unit === 0x3002 ||
    unit === 0xff0c ||
    unit === 0xff1f
  );
}

/** $ £ ¥ € ₩ */
function isCurrency(unit: number): boolean {
  return unit === 0x24 || unit === 0xa3 || unit === 0xa5 || unit === 0x20ac || unit === 0x20a9;
}

function kindOf(units: Uint16Array, from: number, to: number, digits: number, letters: number): number {
  const first = units[from] ?? 0;
  // 2027
  if (letters === 0)
    return digits === 4 && to - from === 4 && first === 0x32 && units[from + 1] === 0x30
      ? KIND.period
      : KIND.number;
  // Q3, H1, FY27
  if (letters <= 2 && typeOf(first) === LATIN && digits <= 2 && to - from === letters + digits)
    if (first === 0x71 || first === 0x68 || (first === 0x66 && units[from + 1] === 0x79)) return KIND.period;
  // 10k, 5pct, 3rd
  if (typeOf(first) === DIGIT && letters <= 3) return KIND.number;
  return KIND.id;
}

function hashRange(units: Uint16Array, from: number, to: number): number {
  let hash = HASH_START;
  for (let i = from; i < to; i++) hash = hashUnit(hash, units[i] ?? 0);
  return hash;
}
