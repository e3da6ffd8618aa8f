import type { SlotReading, Slots, SlotValue } from "../language/index.ts";
import type { Hearing } from "./hearing.ts";
import type { Talk } from "./talk.ts";
import type { Doing } from "./working-set.ts";

const THEM = "(?:them|those|these)";
const COUNT = "(?:two|three|four|2|3|4)";
/** Behind a reference nothing stands that is counted instead: "these two for profit", and not "these two rules". */
const BEHIND =
  "(?=\\s*(?:$|[,.;:!?]|(?:ones|items|products|articles|together|for|in|on|at|with|without|to|as|under|by|and|or|but|so|is|are|were|do|did|come|comply|break|keep|again|now|then|please|instead|too|also|alone|only)\\b))";
/** "Both of them", "these two", 그 둘: what the asks before were about, together. */
const SEVERAL: readonly RegExp[] = [
  new RegExp(`\\b(?:both|the pair|(?:the|these|those|all) ${COUNT}) of ${THEM}\\b`, "i"),
  // "both compliant", and not "both sides", "both costs and prices".
  /\b(?:(?:them|those|these) )?both\b(?!\s+(?:the|of|my|our|your|these|those)\b)(?!\s+(?!(?:is|was|as|ones|items|products|articles)\b)\p{L}+s\b)(?!\s+\S+(?:\s+\S+){0,2}\s+and\b)/iu,
  new RegExp(`\\b(?:(?:the|these|those|all|them) ${COUNT}|the pair)\\b${BEHIND}`, "i"),
  new RegExp(`\\b${THEM}(?: all)? together\\b`, "i"),
  /(?:이|그|저|위의?) ?(?:둘|셋|[두세] ?(?:개|가지|품목|제품|상품))(?:\s?(?:다|모두))?|(?:둘|셋|[두세] ?(?:개|품목|제품|상품)) ?(?:다|모두)(?=$|[\s,.!?])/,
];
/** "The other one", 다른 하나: what one of two was not. */
const OTHER: readonly RegExp[] = [
  new RegExp(`\\bthe other(?: (?:one|item|product))?\\b${BEHIND}`, "i"),
  /(?:다른|나머지) ?(?:하나|한 ?(?:개|쪽)|쪽)/,
];
/** "The first of them", "the second one alone": one of what is selected. */
const NTH = "the (?:first|former|second|latter|third|last)(?: one)?";
const PLACE: readonly RegExp[] = [
  new RegExp(`\\b${NTH} of (?:${THEM}|the (?:two|three))\\b`, "i"),
  new RegExp(`\\b(?:only|just) ${NTH}\\b|\\b${NTH} (?:only|alone)\\b`, "i"),
];
const PLACES = ["first", "second", "third"];
const TOO = /\b(?:too|also|as well|add|on top|plus)\b|추가|[가-힣]도(?=$|[\s,.!?])/i;
const IT = "(?:it|that(?: one)?|this(?: one)?|them|those|these)";
const POINTS = new RegExp(`\\b${THEM}\\b`, "i");
/** "Put it back in", 다시 넣어 줘: what was left out is in again. */
const PUT_BACK: readonly RegExp[] = [
  new RegExp(
    `\\b(?:(?:put|bring|take|get|let) ${IT} (?:back in|in again)|(?:add|include|have|want) ${IT} (?:back|again|in again)(?: in)?)\\b`,
    "i",
  ),
  new RegExp(`\\b${IT} (?:can|may|should|could|shall) (?:come|go|be) (?:back|in again)\\b`, "i"),
  /^(?:(?:그거|그것|그건|이거|걔)\S*\s)?다시 (?:넣|포함|추가)/,
];

/** Asks before, the latest ones, among which is looked for what a message refers to. */
const REACH = 6;

/** What a message says of the slots, and the message without the words that refer to others. */
type Resolved = { reading: SlotReading; message: string };

/**
 * Resolves what a message refers to by its place in the conversation instead of naming it: "both of them", "the other one", "put it back".
 * @param read reads the message again, without the words that are resolved
 * @param done what was done before, latest last
 */
export function resolveReferences(
  reading: SlotReading,
  message: string,
  read: (message: string) => SlotReading,
  { done, talk, allOf }: { done: readonly Doing[] } & Pick<Hearing, "talk" | "allOf">,
): Resolved {
  const known = takenUp(namedOther(reading, message, done), message, done, { talk, allOf });
  const found = namesSeveral(known, talk)
    ? undefined
    : (meantOfKind(known, message, done, talk) ?? meantBy(message, done, talk));
  if (!found || Object.keys(found.slots).some((name) => name in known.slots))
    return { reading: known, message };
  const rest = message.replace(found.said, " ");
  const said = read(rest);
  const slots = { ...found.slots, ...said.slots };
  const cleared = [...said.cleared.filter((name) => !(name in slots)), ...found.cleared];
  return { reading: { ...said, slots, cleared }, message: rest };
}

/** "Both the pump and the valve" are named. */
const namesSeveral = ({ slots }: SlotReading, { narrowing }: Talk): boolean =>
  [...narrowing].some((name) => valuesOf(slots[name]).length > 1);

/** "Both regions" are those of before, where they were two, and not all that there are. */
function meantOfKind(
  { cleared }: SlotReading,
  message: string,
  done: readonly Doing[],
  { narrowing }: Talk,
): Meant | undefined {
  const [said] = /\bboth\b/i.exec(message) ?? [];
  const name = said === undefined ? undefined : cleared.find((one) => narrowing.has(one));
  const values = name === undefined ? undefined : latestOf(name, done, 2);
  return said === undefined || name === undefined || !values
    ? undefined
    : { said, slots: { [name]: values }, cleared: [] };
}

/** Whether a message takes up what was left out of a selection. */
export const putsBack = (message: string, done: readonly Doing[], talk: Talk): boolean =>
  saidBy(PUT_BACK, message) !== undefined && meantBy(message, done, talk) !== undefined;

type Meant = { said: string; slots: Slots; cleared: readonly string[] };

function meantBy(message: string, done: readonly Doing[], talk: Talk): Meant | undefined {
  const inForce = done.at(-1)?.slots;
  if (!inForce) return undefined;
  const meant = (said: string, slots: Slots | undefined, cleared: readonly string[] = []) =>
    slots && { said, slots, cleared };
  const several = saidBy(SEVERAL, message);
  if (several !== undefined) return meant(several, together(several, done, talk));
  const other = saidBy(OTHER, message);
  if (other !== undefined) {
    const both = together(other, done, talk);
    return meant(other, both && !TOO.test(message) ? without(both, inForce) : both);
  }
  const place = saidBy(PLACE, message);
  if (place !== undefined) return meant(place, placed(place, inForce, talk));
  const back = saidBy(PUT_BACK, message);
  const before = back === undefined ? undefined : beforeLeftOut(inForce, done, talk);
  return back === undefined || !before ? undefined : meant(back, before.slots, before.cleared);
}

/** The value at a place of a list that is in force. */
function placed(said: string, inForce: Slots, { entities, narrowing }: Talk): Slots | undefined {
  const name = [...entities, ...narrowing].find((one) => valuesOf(inForce[one]).length > 1);
  if (name === undefined) return undefined;
  const place = /former/i.test(said) ? 0 : PLACES.findIndex((one) => said.toLowerCase().includes(one));
  // Where it is none of these, it is the last.
  const value = valuesOf(inForce[name]).at(place);
  return value === undefined ? undefined : { [name]: entities.includes(name) ? [value] : value };
}

function saidBy(patterns: readonly RegExp[], message: string): string | undefined {
  for (const pattern of patterns) {
    const [said] = pattern.exec(message) ?? [];
    if (said !== undefined) return said;
  }
  return undefined;
}

/** How many are meant; undefined where the words do not say it: "do them together". */
function countOf(said: string): number | undefined {
  if (/three|3|셋|세/.test(said)) return 3;
  if (/four|4/.test(said)) return 4;
  return /both|pair|two|2|other|둘|두|다른|나머지/i.test(said) ? 2 : undefined;
}

/** The values of one slot that are meant: of items, or, where nothing points at items, rather of what the last turn has changed. */
function together(said: string, done: readonly Doing[], { entities, narrowing }: Talk): Slots | undefined {
  const [last, before] = [done.at(-1)?.slots, done.at(-2)?.slots];
  const isChanged = (name: string): boolean => before !== undefined && !isSame(last?.[name], before[name]);
  const changed = POINTS.test(said) ? [] : [...narrowing].filter(isChanged);
  for (const name of new Set([...changed, ...entities, ...narrowing])) {
    const values = latestOf(name, done, countOf(said));
    if (values) return { [name]: values };
  }
  return undefined;
}

/**
 * The values that the latest asks have of a slot, and those that the user might have chosen instead, where they are so many. Without a
 * number, those of all latest asks for the same.
 */
function latestOf(
  name: string,
  done: readonly Doing[],
  count: number | undefined,
): readonly string[] | undefined {
  const found = new Set<string>();
  const goals = done.at(-1)?.goals.join();
  for (const doing of done.slice(-REACH).reverse()) {
    const own = valuesOf(doing.slots[name]);
    if (own.length === 0 || (count === undefined && doing.goals.join() !== goals)) break;
    if (found.size === 0 && own.length === count) return own;
    for (const values of [own, count === undefined ? [] : valuesOf(doing.left?.[name])]) {
      for (const value of values) found.add(value);
      if (found.size === count) return [...found].reverse();
    }
  }
  return count === undefined && found.size > 1 ? [...found].reverse() : undefined;
}

function without(both: Slots, inForce: Slots): Slots | undefined {
  const [[name, values] = []] = Object.entries(both);
  if (name === undefined) return undefined;
  const now = new Set(valuesOf(inForce[name]));
  const others = valuesOf(values).filter((value) => !now.has(value));
  const [only] = others;
  if (only === undefined || others.length > 1) return undefined;
  return { [name]: typeof inForce[name] === "string" ? only : others };
}

/** "The other pump", where the name fits two and one of them is in force. */
function namedOther(reading: SlotReading, message: string, done: readonly Doing[]): SlotReading {
  const inForce = done.at(-1)?.slots ?? {};
  const asked = /\bother\b|다른/i.test(message)
    ? reading.asks.find(({ slot }) => valuesOf(inForce[slot]).length > 0)
    : undefined;
  if (!asked) return reading;
  const now = new Set(valuesOf(inForce[asked.slot]));
  const others = asked.options.filter(({ sets }) => !valuesOf(sets[asked.slot]).some((one) => now.has(one)));
  const [only] = others;
  if (!only || others.length > 1) return reading;
  return {
    ...reading,
    slots: { ...reading.slots, ...only.sets },
    asks: reading.asks.filter((one) => one !== asked),
  };
}

const AGAIN = /\b(?:again|back|after all|once more)\b|다시/i;
const ONLY = /\b(?:only|just|alone)\b|만(?=$|[\s,.!?])/i;

/** "Take the valve back in and check the rules": the selection that is in force changes, whatever is asked for besides. */
export const takesOutOrIn = (edits: SlotReading["edits"], message: string): boolean =>
  BACK_IN.test(message) || Object.values(edits ?? {}).some(({ drops }) => drops.length > 0);

const BACK_IN = /\b(?:back in|in again|include\b.*\bagain|(?:add|bring|put|take)\b.*\bback)\b/i;

/** "The valve can be in again": what is named was left out, so that it is added to the rest. */
function takenUp(
  reading: SlotReading,
  message: string,
  done: readonly Doing[],
  { talk, allOf }: Pick<Hearing, "talk" | "allOf">,
): SlotReading {
  const inForce = done.at(-1)?.slots ?? {};
  const before = done.at(-2)?.slots ?? {};
  if (ONLY.test(message)) return reading;
  const isAgain = AGAIN.test(message);
  const isBackIn = BACK_IN.test(message);
  const edits = { ...reading.edits };
  for (const name of talk.narrowing) {
    const [named, now] = [valuesOf(reading.slots[name]), valuesOf(inForce[name])];
    // "And the pump too" behind what was left out: what is in already cannot be added.
    const { adds = [], drops = [] } = edits[name] ?? {};
    const isIn = adds.length > 0 && drops.length === 0 && isWithin(adds, now);
    if (isIn && isWithin(now, valuesOf(before[name]), allOf(name))) edits[name] = { adds: [], drops: adds };
    if (named.length === 0 || now.length === 0 || edits[name] || !isAgain) continue;
    const inNow = new Set(now);
    const left = new Set(allOf(name).filter((value) => !inNow.has(value)));
    // Where most is left out, what is left was selected, and another selection takes its place.
    if ((isBackIn || left.size < now.length) && named.every((value) => left.has(value)))
      edits[name] = { adds: named, drops: [] };
  }
  return { ...reading, edits };
}

/** The latest selection of before from which something was left out. */
function beforeLeftOut(
  inForce: Slots,
  done: readonly Doing[],
  { narrowing }: Talk,
): Pick<SlotReading, "slots" | "cleared"> | undefined {
  for (const { slots } of done.slice(-REACH).reverse())
    for (const name of narrowing) {
      const [now, before] = [valuesOf(inForce[name]), slots[name]];
      if (now.length === 0 || (before !== undefined && !isWithin(now, valuesOf(before)))) continue;
      return before === undefined
        ? { slots: {}, cleared: [name] }
        : { slots: { [name]: before }, cleared: [] };
    }
  return undefined;
}

/** Whether all of some values are among others, which are more. */
const isWithin = (
  some: readonly string[],
  others: readonly string[],
  all: readonly string[] = [],
): boolean => {
  const wider = new Set(others.length > 0 ? others : all);
  return some.length < wider.size && some.every((value) => wider.has(value));
};

const valuesOf = (value: SlotValue | undefined): readonly string[] =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value : [];

const isSame = (some: SlotValue | undefined, others: SlotValue | undefined): boolean =>
  valuesOf(some).join() === valuesOf(others).join();
