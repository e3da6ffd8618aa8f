import { ordinaryWords } from "./word-filter.ts";

/** Words as a message is meant to have them. */
export type Speller = (message: string) => string;

const SHORTEST = 4;
/** From here on two letters may be wrong. */
const LONG = 8;
const WORD = /(?<![\p{L}\p{N}._-])\p{Script=Latin}{4,}(?![\p{L}\p{N}_-])/gu;

/** Words that messages may be meant to have, and those long enough to be compared by their first letters. */
export type KnownWords = { known: ReadonlySet<string>; byStart: ReadonlyMap<string, readonly string[]> };

/** @param phrases of a domain */
export function knownWords(phrases: Iterable<string>): KnownWords {
  const known = new Set<string>();
  for (const phrase of phrases)
    for (const word of phrase.toLowerCase().split(/[^\p{L}\p{N}]+/u))
      if (/^\p{Script=Latin}+$/u.test(word)) known.add(word);
  const byStart = new Map<string, string[]>();
  for (const word of known) {
    if (word.length < SHORTEST) continue;
    const alike = byStart.get(word.charAt(0));
    if (alike) alike.push(word);
    else byStart.set(word.charAt(0), [word]);
  }
  return { known, byStart };
}

/**
 * Mends words that are no English and near to exactly one word of the domain: "last weeek", "next qurater". What has digits, such as an id, is
 * never mended, and no word that there is.
 */
export function spellerOf(...vocabularies: readonly KnownWords[]): Speller {
  const isKnown = (word: string): boolean => vocabularies.some(({ known }) => known.has(word));
  const mended = new Map<string, string>();
  const mend = (said: string): string => {
    const word = said.toLowerCase();
    const { all } = ordinaryWords();
    if (isKnown(word) || all.has(word) || (word.endsWith("s") && isKnown(word.slice(0, -1)))) return said;
    const most = word.length >= LONG ? 2 : 1;
    let [best, least, ties] = [said, most + 1, 0];
    const alike = new Set(vocabularies.flatMap(({ byStart }) => byStart.get(word.charAt(0)) ?? []));
    for (const other of alike) {
      if (Math.abs(other.length - word.length) > most) continue;
      const distance = editsBetween(word, other, most);
      if (distance > least || distance > most) continue;
      ties = distance === least ? ties + 1 : 0;
      [best, least] = [other, distance];
    }
    return ties === 0 ? best : said;
  };
  return (message) =>
    message.replace(WORD, (said) => {
      const known = mended.get(said);
      if (known !== undefined) return known;
      const word = mend(said);
      if (mended.size < MOST_KEPT) mended.set(said, word);
      return word;
    });
}

const MOST_KEPT = 5_000;

/** Letters inserted, left out, changed, or exchanged with the next. More than `most` is any larger number. */
function editsBetween(one: string, other: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[other.length] ?? most + 1;
}
