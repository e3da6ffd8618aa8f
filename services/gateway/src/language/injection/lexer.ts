import { conceptOf, KIND, kindAt, kindOf, MARK, matchAt, NO_MATCH, untilOf } from "./trie.ts";

/** What a text shows of its form, as bits: they say which further readings are worth their cost. */
export const TRAITS = {
  longRun: 1,
  percent: 2,
  backslash: 4,
  entity: 8,
  digits: 16,
  morse: 32,
  spaced: 64,
  leet: 128,
  markup: 256,
  rot13: 512,
  reversed: 1024,
  quoted: 2048,
} as const;

/** A text as concepts and words. */
export type Lexed = {
  /** A character per word or phrase: its concept, `.` for none; `|` ends a sentence, `"` and `:` are themselves. */
  concepts: string;
  /** Hashes of the words; 0 ends a sentence. */
  words: readonly number[];
  /** Hashes of the first letters of longer words. */
  prefixes: readonly number[];
  /** Of TRAITS. */
  traits: number;
};

const ROT13 = MARK.rot13.charCodeAt(0);
const REVERSED = MARK.reversed.charCodeAt(0);

const LONG_RUN = 16;
const PREFIX = 5;
const SPACED_RUN = 5;
const MANY_DIGITS = 12;
const MANY_MORSE = 16;
/** Words; a text without any full stop is cut here. */
const LONGEST_SENTENCE = 40;

/**
 * Reads a text in one pass.
 * @param text folded (see {@link fold})
 * @param unspaced words may start anywhere, as in "ignoreallrules"
 */
export function lex(text: string, unspaced = false): Lexed {
  const words: number[] = [];
  const prefixes: number[] = [];
  let concepts = "";
  let traits = 0;
  let digits = 0;
  let morse = 0;
  let singles = 0;
  /** Where the sentence begins among the words. */
  let sentence = 0;
  /** Up to here a phrase has been read. */
  let covered = 0;
  const end = text.length;
  let at = 0;
  while (at < end) {
    const kind = kindOf(text.charCodeAt(at));
    if (kind === KIND.letter || kind === KIND.dense) {
      if (words.length - sentence > LONGEST_SENTENCE) {
        concepts += "|";
        words.push(0);
      }
      if (words[words.length - 1] === 0) sentence = words.length;
      const from = at;
      let hash = 0x811c9dc5;
      let leet = 0;
      let length = 0;
      let prefix = 0;
      while (at < end) {
        const code = text.charCodeAt(at);
        const here = kindOf(code);
        if (here === KIND.apostrophe && at > from && kindAt(text, at + 1) === KIND.letter) {
          at += 1;
          continue;
        }
        if (here !== kind) break;
        hash = Math.imul(hash ^ code, 0x01000193);
        if (kind === KIND.dense && at > from) {
          // A pair of characters is the word of scripts without spaces.
          words.push(hashPair(text.charCodeAt(at - 1), code));
        }
        // "1gnore", "pr3vious"; not "v7" or "2026".
        if (isDigit(code)) {
          digits += 1;
          if (leet === 1) leet = 2;
          if (leet === 0) leet = 2;
        } else if (leet === 2) leet = 3;
        else if (leet === 0) leet = 1;
        at += 1;
        length += 1;
        if (length === PREFIX) prefix = hash;
      }
      if (kind === KIND.letter) words.push(hash | 1);
      // Inflections of a word share its beginning.
      if (kind === KIND.letter && length > PREFIX) prefixes.push(prefix | 1);
      if (leet === 3) traits |= TRAITS.leet;
      if (length >= LONG_RUN && kind === KIND.letter) traits |= TRAITS.longRun;
      singles = length === 1 ? singles + 1 : 0;
      if (singles >= SPACED_RUN) traits |= TRAITS.spaced;
      if (from >= covered) {
        const loose = unspaced || kind === KIND.dense || text.charCodeAt(from) > 0x2fff || length > LONG_RUN;
        if (loose) {
          let position = from;
          let found = false;
          while (position < at) {
            const match = matchAt(text, position, true);
            if (match === NO_MATCH) {
              position += 1;
              continue;
            }
            concepts += String.fromCharCode(conceptOf(match));
            found = true;
            position = untilOf(match);
          }
          if (!found) concepts += ".";
          covered = Math.max(at, position);
        } else {
          const match = matchAt(text, from, false);
          if (match === NO_MATCH) concepts += ".";
          else {
            const concept = conceptOf(match);
            if (concept === ROT13) traits |= TRAITS.rot13;
            else if (concept === REVERSED) traits |= TRAITS.reversed;
            concepts += String.fromCharCode(concept);
            covered = untilOf(match);
          }
        }
      }
      continue;
    }
    const code = text.charCodeAt(at);
    at += 1;
    switch (code) {
      case 46: // .
      case 45: // -
      case 47: // /
        morse += 1;
        if (code !== 46 || (at < end && text.charCodeAt(at) > 32)) break;
        concepts += "|";
        words.push(0);
        break;
      case 10:
        // A line that is wrapped goes on.
        if (at >= end || text.charCodeAt(at) !== 10) break;
        concepts += "|";
        words.push(0);
        break;
      case 33: // !
      case 63: // ?
      case 59: // ;
      case 0x3002:
        concepts += "|";
        words.push(0);
        traits |= code === 33 && at < end && kindAt(text, at) === KIND.letter ? TRAITS.leet : 0;
        break;
      case 34: // "
      case 0x201c:
      case 0x201d:
      case 0x201e:
      case 0x300c:
      case 0x300d:
      case 0xab:
      case 0xbb:
      case 96:
        concepts += '"';
        traits |= TRAITS.quoted;
        break;
      case 39: // ' that is not within a word
        concepts += '"';
        traits |= TRAITS.quoted;
        break;
      case 58: // :
        concepts += ":";
        break;
      case 37: // %
        traits |= TRAITS.percent;
        break;
      case 92: // \
        traits |= TRAITS.backslash;
        break;
      case 38: // &
        traits |= TRAITS.entity;
        break;
      case 36: // $
      case 64: // @
        if (at < end && kindAt(text, at) === KIND.letter) traits |= TRAITS.leet;
        break;
      case 60: // <
      case 91: // [
      case 123: // {
      case 35: // #
      case 61: // =
        traits |= TRAITS.markup;
        break;
      default:
        break;
    }
  }
  if (digits >= MANY_DIGITS) traits |= TRAITS.digits;
  if (morse >= MANY_MORSE) traits |= TRAITS.morse;
  return { concepts, words, prefixes, traits };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function hashPair(one: number, other: number): number {
  return Math.imul(Math.imul(one, 0x9e3779b1) ^ other, 0x85ebca6b) | 1;
}
