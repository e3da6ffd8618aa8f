import { pick, type Random, whole } from "./random.ts";

/** Neighbours on a keyboard. */
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const HANGUL = /[\uac00-\ud7a3]/;

/** One slip of the fingers in a word of four letters or more (two, in Hangul): letters swapped, missing, doubled or a key beside. */
export function misspell(random: Random, text: string): string {
  const words = text.split(" ");
  const long = [...words.keys()].filter((i) => {
    const word = words[i] ?? "";
    return /^\p{L}+$/u.test(word) && word.length >= (HANGUL.test(word) ? 3 : 4);
  });
  if (long.length === 0) return text;
  const chosen = pick(random, long);
  words[chosen] = slip(random, words[chosen] ?? "");
  return words.join(" ");
}

function slip(random: Random, word: string): string {
  const at = whole(random, word.length - 1);
  const letter = word[at] ?? "";
  switch (whole(random, 4)) {
    case 0:
      return word.slice(0, at) + (word[at + 1] ?? "") + letter + word.slice(at + 2);
    case 1:
      return word.slice(0, at) + word.slice(at + 1);
    case 2:
      return word.slice(0, at) + letter + word.slice(at);
    default:
      return word.slice(0, at) + neighbour(random, letter) + word.slice(at + 1);
  }
}

function neighbour(random: Random, letter: string): string {
  const row = ROWS.find((keys) => keys.includes(letter.toLowerCase()));
  if (row === undefined) return "";
  const at = row.indexOf(letter.toLowerCase());
  return row[at === 0 ? 1 : at === row.length - 1 ? at - 1 : at + (random() < 0.5 ? -1 : 1)] ?? letter;
}

/** The text without one of its words, as long as three are left. */
export function dropWord(random: Random, text: string): string {
  const words = text.split(" ");
  if (words.length < 4) return text;
  words.splice(whole(random, words.length), 1);
  return words.join(" ");
}

/** The same words with the manners of another writer: no punctuation, or a polite beginning or end. */
export function reword(random: Random, text: string): string {
  const bare = withoutEnd(text);
  if (HANGUL.test(text)) return bare;
  return pick(random, MANNERS).replace("…", () => bare);
}

const MANNERS = [
  "…",
  "…",
  "…?",
  "please …",
  "…, please",
  "can you … ?",
  "hey, …",
  "… now",
  "ok, …",
  "I need to know: …",
  "so … then",
  "… thanks",
];

const CONSONANTS = "bcdfghjklmnprstvwz";
const VOWELS = "aeiou";

/** Words that nobody knows. */
export function gibberish(random: Random): string {
  const words = Array.from({ length: 1 + whole(random, 5) }, () => {
    if (random() < 0.3)
      return Array.from({ length: 3 + whole(random, 6) }, () => pick(random, [...LETTERS])).join("");
    const syllables = 1 + whole(random, 3);
    return Array.from(
      { length: syllables },
      () => pick(random, [...CONSONANTS]) + pick(random, [...VOWELS]),
    ).join("");
  });
  return words.join(" ");
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

const JOINS = [
  "$1 and $2",
  "$1, and $2",
  "$1, then $2",
  "$1 and then $2",
  "$1. $2",
  "$1? $2?",
  "$1, $2",
  "$1; also $2",
  "first $1, after that $2",
  "$1 plus $2",
];
const JOINS_KO = ["$1 그리고 $2", "$1, $2", "$1. $2", "$1 다음에 $2"];

/** Two messages said as one. */
export function join(random: Random, first: string, second: string): string {
  return pick(random, HANGUL.test(first) ? JOINS_KO : JOINS)
    .replace("$1", () => withoutEnd(first))
    .replace("$2", () => withoutEnd(second));
}

function withoutEnd(text: string): string {
  return text.replace(/[.!?]+$/u, "");
}
