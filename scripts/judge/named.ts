import { type Domain, valuesIn } from "./domain.ts";
import { textsOf } from "./meaning.ts";
import type { Wanted } from "./set.ts";

const STOP = new Set(
  "a an the of to in on at by for with and or but not no only just please that this it is are be we our i my me as if than from keep make".split(
    " ",
  ),
);

/** Words and numbers of a text; "5%" is "5". */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\d[\d.,]*\d|\d|[\p{L}\p{N}]+(?:[-'][\p{L}\p{N}]+)*/gu) ?? []).map(
    (word) => (/^\d/.test(word) ? word.replaceAll(",", "") : word),
  );
}

/** Korean particles and English endings differ between a phrase and its quotation. */
const isAlike = (one: string, other: string): boolean =>
  one === other ||
  (!/^\d/.test(one) &&
    Math.min(one.length, other.length) >= 2 &&
    (one.startsWith(other) || other.startsWith(one)));

/** Whether what an answer names as not applied has a phrase: all of its numbers, and half of its words. */
export function names(text: string, phrase: string): boolean {
  const found = wordsOf(text);
  const words = wordsOf(phrase).filter((word) => !STOP.has(word));
  const has = (word: string) => found.some((one) => isAlike(one, word));
  const numbers = words.filter((word) => /^\d/.test(word));
  return words.length > 0 && numbers.every(has) && words.filter(has).length * 2 >= words.length;
}

/** Whether it speaks of a constraint: of its amount, one of its values, or, of what has neither, a word for its slot. */
export function mentions(text: string, { slot, value, unit }: Wanted, domain: Domain): boolean {
  const declared = domain.slots.get(slot);
  const found = wordsOf(text);
  const says = (phrase: string) => {
    const words = wordsOf(phrase);
    return words.length > 0 && words.every((word) => found.some((one) => isAlike(one, word)));
  };
  const { label, nouns = [], cues = [] } = declared ?? {};
  const ofSlot = [label?.en ?? "", label?.ko ?? "", ...nouns, ...cues];
  if (typeof value === "number") {
    const amount = Number((unit === "share" ? value * 100 : value).toPrecision(9));
    // "five percent" has no digits.
    return found.some((word) => Number(word) === amount) || (!/\d/.test(text) && ofSlot.some(says));
  }
  if (value === true || declared === undefined) return ofSlot.some(says);
  const known = [...valuesIn(domain.catalogue, declared), ...Object.entries(declared.values ?? {})];
  const values = textsOf(value);
  const others = known.flatMap(([name, words]) => (values.includes(name.toLowerCase()) ? words : []));
  return [...values, ...others].some(says);
}
