import { EN_STOP } from "./lexicon.ts";

const LONG = "transfer transfers transferring sending please money dollars".split(" ");
/** What is a letter away from these may be a name ("Sena"), except where letters are swapped, doubled or vowels left out. */
const SHORT = "send wire give".split(" ");

/** The text with misspelt verbs put right: "tranfer", "sned". Else they would be read as names. */
export function spelled(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}'"@.-])[a-z]{3,13}(?![\p{L}\p{N}'@.-])/gu, (word) => {
    if (EN_STOP.has(word)) return word;
    return LONG.find((known) => isOneEdit(word, known)) ?? SHORT.find((known) => isSlip(word, known)) ?? word;
  });
}

/** Whether one letter is missing, too many or another one, or two are swapped. */
function isOneEdit(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 1) return false;
  let same = 0;
  while (same < word.length && word[same] === known[same]) same++;
  const rest = word.slice(same);
  const wanted = known.slice(same);
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    isSwapped(rest, wanted)
  );
}

function isSwapped(rest: string, wanted: string): boolean {
  return rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
}

function isSlip(word: string, known: string): boolean {
  if (word === known || !isOneEdit(word, known)) return false;
  const isDoubled = word.replace(/(.)\1/, "$1") === known;
  const isVowelless = word === known.replace(/[aeiou]/, "");
  return isDoubled || isVowelless || [...word].sort().join("") === [...known].sort().join("");
}
