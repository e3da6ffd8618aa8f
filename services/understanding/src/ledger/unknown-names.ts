import { TYPES, type Unit } from "../mentions/mention.ts";
import type { IsName } from "../text/tokens.ts";
import { type OrdinaryWords, ordinaryWords } from "../text/word-filter.ts";

/**
 * Finds what a message calls by a name that neither the inputs nor the domain nor English has: "kinesis" where the bill has no such
 * service, "the Riverside shop". It may limit what is asked for, so it has to be said that it does not. Words of frequent English that
 * are misspelt are no names; words in Hangul are not looked at, since they are not cut well enough to be told from names.
 * @param isName whether a word is one of a name in the inputs
 * @returns for each unit, whether it is (a part of) such a name
 */
export function unknownNames(text: string, units: readonly Unit[], isName: IsName): readonly boolean[] {
  const words = ordinaryWords();
  const tells = capitalsTell(text, units);
  const unknown = units.map((unit, at) => {
    if (!isPlainWord(unit) || unit.common || unit.means !== 0) return false;
    const word = stemOf(unit.word);
    if (word.length < SHORTEST || !LATIN.test(word) || isName(word) || isName(unit.word)) return false;
    if (tells && isCapital(text, unit) && !startsSentence(units, at)) return !words.frequent.has(word);
    return !words.all.has(word) && !isContracted(word, words) && !isMisspelt(word, words);
  });
  // A text in another language has no names that could be told from its words.
  const plain = units.filter(isPlainWord).length;
  if (unknown.filter(Boolean).length * 2 > plain && plain > FEW) return unknown.fill(false);
  // "Mill Brandt": a capital before a name is its first word.
  for (let at = units.length - 2; at > 0; at--) {
    const unit = units[at];
    if (
      unit &&
      unknown[at + 1] &&
      tells &&
      isPlainWord(unit) &&
      isCapital(text, unit) &&
      !startsSentence(units, at)
    )
      unknown[at] = true;
  }
  return unknown;
}

/** Words of which most may be unknown: "kinesis last month". */
const FEW = 3;

/** Shorter ones are abbreviations of all kinds: "pls", "vs", "re". */
const SHORTEST = 4;
const LATIN = /^\p{Script=Latin}[\p{Script=Latin}\d.'’-]*$/u;

const isPlainWord = ({ type, mention }: Unit): boolean => type === TYPES.word && mention === undefined;

const stemOf = (word: string): string => word.replace(/['’](?:s|d|m|t|re|ve|ll)?$/, "");

const isCapital = (text: string, { start }: Unit): boolean => /\p{Lu}/u.test(text[start] ?? "");

const startsSentence = (units: readonly Unit[], at: number): boolean =>
  at === 0 || /^[.!?:;"“(]/.test(units[at - 1]?.word ?? "");

/** Not in a message in capitals, or with a Capital For Each Word. */
function capitalsTell(text: string, units: readonly Unit[]): boolean {
  const words = units.filter(isPlainWord);
  return words.filter((unit) => isCapital(text, unit)).length * 2 <= words.length;
}

/** "doesnt", "thats". */
const isContracted = (word: string, { frequent }: OrdinaryWords): boolean =>
  frequent.has(word.replace(/(?:nt|s|re|ve|ll)$/, ""));

const SHORTEST_MISSPELT = 6;
const LETTERS = "abcdefghijklmnopqrstuvwxyz'";

/** Whether a word is one edit from a frequent one. Short words are so all, and are taken for such only with two letters exchanged. */
function isMisspelt(word: string, { frequent }: OrdinaryWords): boolean {
  for (let at = 0; at < word.length; at++) {
    const [before, one, two, after] = [
      word.slice(0, at),
      word[at] ?? "",
      word[at + 1] ?? "",
      word.slice(at + 2),
    ];
    if (two !== "" && frequent.has(before + two + one + after)) return true;
    if (word.length < SHORTEST_MISSPELT) continue;
    if (frequent.has(before + two + after)) return true;
    for (const letter of LETTERS)
      if (frequent.has(before + letter + two + after) || frequent.has(before + letter + one + two + after))
        return true;
  }
  return false;
}
