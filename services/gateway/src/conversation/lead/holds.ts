import { type Figure, figuresIn, isRounded, normalised } from "../../language/index.ts";
import type { Fact, Place } from "./facts.ts";
import { signed } from "./rows.ts";
import { BEFORE, CHANGES, FALLS, JOINTS, PARTICLES, PLAIN, RISES, ROUGHLY, STAYS } from "./words.ts";

/** What a sentence may call things: other names, in lower case, and what the results call them. */
export type OtherNames = ReadonlyMap<string, string>;

/** Letters, digits, and the marks that neither negate nor lead anywhere. */
const READABLE = /^[\p{Script=Latin}\p{Script=Hangul}\d .,:;()%+'’$€£₩¥→−–-]+$/u;
const LONGEST = 400;
const MOST_PARTS = 4;
const ENDLESS = /[^\s]{100}/u;

/**
 * Tells whether a sentence says nothing but what the facts say. It must name a row of them in full, no more than the places of its numbers
 * are called, and have a number; each number must be the one that its place in the sentence claims, and every other word one that asserts
 * nothing or a direction that the row has. Whatever is not understood is taken for untrue.
 */
export function truthOf(facts: readonly Fact[], otherNames: OtherNames): (sentence: string) => boolean {
  const known = new Set(facts.flatMap(({ places }) => [...places.from, ...places.to].flatMap(wordsOf)));
  const words: Words = { known, otherNames, special: specialNames(known) };
  return (sentence) => {
    if (sentence.length > LONGEST || ENDLESS.test(sentence) || !READABLE.test(sentence)) return false;
    const text = normalised(sentence.replaceAll("’", "'")).replace(/\s+/gu, " ").replace(/\.$/u, "").trim();
    const isTrue = (part: string) => {
      const claim = claimOf(part, words);
      return claim !== undefined && isBorneOut(claim, facts);
    };
    const parts = text.split(JOINTS);
    return isTrue(text) || (parts.length > 1 && parts.length <= MOST_PARTS && parts.every(isTrue));
  };
}

/** What a sentence may name. */
type Words = { known: ReadonlySet<string>; otherNames: OtherNames; special: RegExp | undefined };

type Role = "from" | "to" | "change";
type Claim = {
  /** What it names: rows, measures. */
  names: ReadonlySet<string>;
  figures: readonly { figure: Figure; role: Role }[];
  /** Which ways it says that it goes. */
  ways: ReadonlySet<number>;
};

/** Where a name was. */
const NAME = "\uE000";
const NEUTRAL = [PLAIN, ROUGHLY, CHANGES, PARTICLES];

function claimOf(text: string, { known, otherNames, special }: Words): Claim | undefined {
  const names = new Set<string>();
  const masked = special
    ? text.replace(special, (name) => {
        names.add(name.toLowerCase());
        return NAME;
      })
    : text;
  // Numbers are found in the text as it is read.
  if (normalised(masked) !== masked) return undefined;
  const { figures, days, names: digits, vague, outOf } = figuresIn(masked);
  if (figures.length === 0 || [days, digits, vague, outOf].some(({ length }) => length > 0)) return undefined;
  const gaps = gapsOf(masked, figures);
  const ways = new Set<number>();
  let isBefore = false;
  const unmarked = gaps.map((gap, at) => (at < figures.length ? gap.replace(MARKED_BEFORE, "") : gap));
  for (const word of unmarked.flatMap(wordsIn)) {
    if (BEFORE.has(word)) isBefore = true;
    else if (RISES.has(word)) ways.add(1);
    else if (FALLS.has(word)) ways.add(-1);
    else if (STAYS.has(word)) ways.add(0);
    else if (!NEUTRAL.some((set) => set.has(word)) && !named(word, { known, otherNames, names }))
      return undefined;
  }
  const claimed = figures.map((figure, at) => {
    const role = roleOf(figure, { left: gaps[at] ?? "", right: gaps[at + 1] ?? "", isBefore });
    return role && { figure, role };
  });
  const isClear = claimed.every((one) => one !== undefined && (!isBefore || one.role === "from"));
  return isClear ? { names, figures: claimed.filter((one) => one !== undefined), ways } : undefined;
}

const wordsOf = ({ words }: Place): string[] => [...words];

const SPECIAL = /[\\^$.*+?()[\]{}|/]/gu;

/** What starts like a number would hide one. */
const NUMBER_LIKE = /(?:^|\s)(?:[^\p{L}]|(?:usd|eur|krw|gbp|jpy|chf|cny|inr|us\$)\d)/u;

/** Finds names that are no plain words, such as ids with digits, the longest first. */
function specialNames(known: ReadonlySet<string>): RegExp | undefined {
  const names = [...known].filter((name) => /[^\p{L}]/u.test(name) && !NUMBER_LIKE.test(name));
  if (names.length === 0) return undefined;
  const any = names
    .toSorted((one, other) => other.length - one.length)
    .map((name) => name.replace(SPECIAL, "\\$&"))
    .join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${any})(?![\\p{Script=Latin}\\p{N}_-])`, "giu");
}

/** What stands before, between and after the numbers. */
function gapsOf(text: string, figures: readonly Figure[]): string[] {
  const ends = [0, ...figures.map(({ end }) => end)];
  return ends.map((end, at) => text.slice(end, figures[at]?.start ?? text.length));
}

const wordsIn = (gap: string): string[] =>
  gap
    .toLowerCase()
    .split(/[\s,.:()→\uE000]+/u)
    .filter((word) => word !== "");

type Names = { known: ReadonlySet<string>; otherNames: OtherNames; names: Set<string> };

/** Notes what a word names. @returns false where it names nothing */
function named(word: string, { known, otherNames, names }: Names): boolean {
  const forms = [word, word.replace(/'s?$/u, ""), word.replace(/s$/u, ""), `${word}s`];
  const own = forms.find((form) => known.has(form));
  if (own !== undefined) {
    names.add(own);
    return true;
  }
  for (let length = word.length; length > 0; length--) {
    const name = otherNames.get(word.slice(0, length));
    const rest = word.slice(length);
    if (name === undefined || (rest !== "" && !PARTICLES.has(rest))) continue;
    // It may be called so where nothing of these results is.
    names.add(name);
    return true;
  }
  return false;
}

const FROM = /(?:^|\s)(?:from|instead of)$/u;
const TO = /(?:(?:^|\s)(?:to|at)|→)$/u;
/** "Up to": at most. */
const LIMIT = /(?:^|\s)(?:up|down|higher|lower) to$/u;
const BY = /(?:^|\s)by$/u;
const NEXT_FROM = /^\s*(?:→|에서)/u;
const NEXT_TO = /^\s*(?:으로|로)(?!\p{L})/u;
/** "10 % of the price": a number of something else. */
const NEXT_OF = /^\s*(?:of\s|의(?!\p{L}))/u;
/** It goes with the number right behind it alone; another is said of all numbers. */
const MARKED_BEFORE = /(?<=^|\s)(?:today's|current|현재|오늘)\s*$/iu;
const BEFORE_AMOUNT = /(?:^|\s)(?:a|an|of)$/u;
/** Korean says how much something changes ahead of the verb, so that what follows a verb belongs to another. */
const KOREAN_VERB = /[여어라려고며]$/u;

/** What a number claims to be; undefined where that is not clear. */
function roleOf(
  figure: Figure,
  { left, right, isBefore }: { left: string; right: string; isBefore: boolean },
): Role | undefined {
  const before = withoutLast(left.toLowerCase().trimEnd(), ROUGHLY_AT_END);
  const after = right.toLowerCase();
  if (NEXT_OF.test(after) || LIMIT.test(before)) return undefined;
  if (BY.test(before)) return "change";
  const unmarked = withoutLast(before, MARKED_BEFORE);
  if (FROM.test(unmarked) || NEXT_FROM.test(after)) return "from";
  if (unmarked !== before) return "from";
  if (!isBefore && (TO.test(before) || NEXT_TO.test(after))) return "to";
  const last = /[^\s]+$/u.exec(withoutLast(withoutLast(before, BEFORE_AMOUNT), BEFORE_AMOUNT))?.[0] ?? "";
  const next = /^\s*([^\s,.()]+)/u.exec(after)?.[1] ?? "";
  const isAmount = [KOREAN_VERB.test(last) ? "" : last, next].some((word) =>
    CHANGING.some((set) => set.has(word)),
  );
  if (isAmount || figure.sign) return "change";
  if (figure.unit === "%" || figure.unit === "pp") return before.endsWith("(") ? "change" : undefined;
  if (!isBefore) return "to";
  return TO.test(before) && !/\bat$/u.test(before) ? undefined : "from";
}

const CHANGING = [RISES, FALLS, CHANGES];
const ROUGHLY_AT_END = new RegExp(`(?:^|\\s)(?:${[...ROUGHLY, "약"].join("|")})$`, "u");
const withoutLast = (text: string, pattern: RegExp): string => text.replace(pattern, "").trimEnd();

function isBorneOut(claim: Claim, facts: readonly Fact[]): boolean {
  const { names, figures, ways } = claim;
  const meant = facts.filter(({ words, places }) => {
    const isOfBefore = figures.every(({ role }) => role === "from");
    const own = isOfBefore ? places.from : places.to;
    return words.every((word) => names.has(word)) && own.some((place) => isCalled(place, names));
  });
  return (
    meant.length > 0 && meant.every((fact) => goes(fact, ways) && figures.every((one) => is(one, fact, ways)))
  );
}

/** Whether what is named may be said of the place. A key counts as a whole: "profit" is no `profit_share`. */
function isCalled({ keys, words }: Place, names: ReadonlySet<string>): boolean {
  const isWhole = (key: readonly string[]) =>
    !key.some((word) => names.has(word)) || key.every((word) => names.has(word) || BEFORE.has(word));
  return [...names].every((name) => words.has(name)) && keys.every(isWhole);
}

function goes({ from, to }: Fact, ways: ReadonlySet<number>): boolean {
  return [...ways].every((way) => from && Math.sign(signed(to) - signed(from)) === way);
}

function is({ figure, role }: Claim["figures"][number], fact: Fact, ways: ReadonlySet<number>): boolean {
  const known = fact[role];
  if (!known || !isRounded(figure, known.value, known.step)) return false;
  const isLeftOut = figure.unit === "" && /^[A-Z]{3}$/u.test(known.unit);
  if ((figure.unit !== known.unit && !isLeftOut) || figure.per !== known.per) return false;
  const isDown = known.sign === "-";
  if (figure.sign) return role === "change" || isDown ? (figure.sign === "-") === isDown : false;
  return !isDown || (role === "change" && ways.has(-1));
}
