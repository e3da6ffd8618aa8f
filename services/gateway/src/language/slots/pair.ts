import {
  type EntityIndex,
  isLimits,
  type LearntReader,
  type SlotDeclaration,
  type SlotQuestion,
  type SlotReader,
  type SlotReading,
  type Slots,
  type SlotValue,
  type TaggedReading,
  tagSlots,
} from "@interlock/understanding";
import { labelOf } from "./draft.ts";
import { readSelected } from "./read.ts";
import { isSelectable } from "./selection-size.ts";

/** What two readers that err independently of each other make of one message. */
export type Pair = {
  /** Which of the inputs it is about, by rules, and which of several a name may be. */
  readonly rules: SlotReading;
  /** All that it says; undefined where there is no learnt reader, or the message is too long for it. */
  readonly learnt: TaggedReading | undefined;
  /** The one that the message is taken to have. */
  readonly reading: SlotReading;
  /** The learnt reader does not read so long a message: of what is no name and no amount nothing is known. */
  readonly isTooLong: boolean;
};

type Given = {
  readonly slots: SlotReader;
  /** The inputs that the message is about, by `indexEntities`. */
  readonly index: EntityIndex;
  readonly tagger: LearntReader["tagger"] | undefined;
  /** The slots of the turn before. */
  readonly before?: Slots;
  /** An agent gets the message, and reads its times itself. */
  readonly handsOver?: boolean;
};

/**
 * Reads what a message says of the slots of a flow. Shares are fractions (5 % is 0.05), changes are signed, exclusions are their complement,
 * and "all" is no value. It takes time in proportion to the message, whatever the text.
 */
export function readSlots(
  text: string,
  { slots, index, tagger, before = {}, handsOver = false }: Given,
): Pair {
  const rules = readSelected(text, slots, index, before);
  const learnt = tagger && tagSlots(text, slots, index, tagger, before);
  const reading = learnt ? readingOf(rules, learnt, { slots, before, handsOver }) : rules;
  return { rules, learnt, reading, isTooLong: tagger !== undefined && learnt === undefined };
}

/**
 * The learnt reading stands. Where the rules differ it is less sure, which the model of the risk weighs; they know which of several a name may
 * be. What nothing makes anything of is named.
 */
function readingOf(
  rules: SlotReading,
  learnt: TaggedReading,
  { slots: { slots: declared }, before, handsOver }: Required<Pick<Given, "slots" | "before" | "handsOver">>,
): SlotReading {
  const { edits, cleared, limited } = learnt.reading;
  const counts = declared.flatMap(({ kind, name }): [string, SlotValue][] => {
    const count = kind === "count" ? rules.slots[name] : undefined;
    return count === undefined ? [] : [[name, count]];
  });
  const slots: Slots = { ...Object.fromEntries(counts), ...learnt.reading.slots };
  const large = Object.keys(slots).filter((slot) => isLarge(slots[slot]));
  const unread = [
    ...unreadFigures(learnt, [slots, before], handsOver),
    ...unreadNames(learnt, slots),
    ...learnt.spans.flatMap(({ slot, text }) => (slot !== undefined && large.includes(slot) ? [text] : [])),
  ];
  const named = withoutTimes(learnt, handsOver).filter(
    (phrase) => !unread.some((part) => part.includes(phrase)),
  );
  const unsupported = [...named, ...unread.filter((part) => !named.some((phrase) => phrase.includes(part)))];
  return {
    slots: exceptNamed(slots, { unsupported, large }, learnt),
    ...(edits ? { edits } : {}),
    ...(limited ? { limited } : {}),
    // "Now for everything": all of the inputs, which is no mention of any.
    cleared: [...new Set([...cleared, ...rules.cleared.filter((slot) => slots[slot] === undefined)])],
    unsupported,
    asks: [...rules.asks, ...howMuch(learnt, declared)].filter(({ slot }) => slots[slot] === undefined),
    rest: rules.rest,
  };
}

/** "With a cap on price changes": a limit without a figure. */
function howMuch({ reading }: TaggedReading, declared: readonly SlotDeclaration[]): SlotQuestion[] {
  const korean = /\p{Script=Hangul}/u.test(reading.rest);
  return reading.asks.flatMap(({ slot: name }): SlotQuestion[] => {
    const slot = declared.find((one) => one.name === name);
    if (!slot || slot.suggest.length === 0) return [];
    const { ko, en } = slot.label;
    return [
      {
        slot: name,
        question: korean ? `${ko}: 얼마로 할까요?` : `How much for the ${en}?`,
        options: slot.suggest.map((value) => ({ label: labelOf(slot, value), sets: { [name]: value } })),
      },
    ];
  });
}

/** A selection that is too large to be kept. */
const isLarge = (value: Slots[string] | undefined): boolean =>
  typeof value === "object" && !isLimits(value) && !isSelectable(value);

/** What the learnt reader would name. Agents that get the message read its times themselves. */
function withoutTimes({ reading, spans }: TaggedReading, handsOver: boolean): readonly string[] {
  if (!handsOver) return reading.unsupported;
  const times = new Set(spans.flatMap(({ time, text }) => (time ? [text] : [])));
  return reading.unsupported.filter((phrase) => !times.has(phrase));
}

/** Figures that stand for nothing: "when it passes 6000". One that was in force may be taken back: "drop the 3 % limit". */
function unreadFigures({ spans }: TaggedReading, read: unknown, handsOver: boolean): string[] {
  const known = figuresIn(read);
  // Agents that get the message read its times, of which no slot could have them all: "August 11", "the last 45 days".
  const isTime = (at: number): boolean => [at - 1, at, at + 1].some((i) => isPartOfTime(spans, at, i));
  return spans.flatMap(({ text, figure }, at) =>
    figure === undefined || known.some((one) => isOfSize(one, figure)) || (handsOver && isTime(at))
      ? []
      : [text],
  );
}

/** Characters between the parts of a time: "the 11th of August". */
const LONGEST_JOINT = 6;

/** Whether a figure is a time, or stands beside one or beside a value that is selected. */
function isPartOfTime(spans: TaggedReading["spans"], at: number, other: number): boolean {
  const [one, two] = [spans[at], spans[other]];
  if (!one || !two || one === two) return one?.time === true && one === two;
  const gap = Math.max(one.start, two.start) - Math.min(one.end, two.end);
  return gap <= LONGEST_JOINT && (two.time === true || (two.figure === undefined && two.op === "in"));
}

/** What is named of the inputs, and is neither selected nor left out: "new prices for the pump, … and for the motor as well". */
function unreadNames({ spans }: TaggedReading, slots: Slots): string[] {
  return spans.flatMap(({ op, text, entity }) => {
    if (op !== "none" || !entity) return [];
    const ids = entity.ids();
    const said = JSON.stringify(slots);
    return ids.length === 0 || ids.some((id) => said.includes(JSON.stringify(id))) ? [] : [text];
  });
}

/** What is named as not applied is not applied: of "no more than $20,000 in lost sales" no price limit stands. */
function exceptNamed(
  slots: Slots,
  { unsupported, large }: { unsupported: readonly string[]; large: readonly string[] },
  { spans }: TaggedReading,
): Slots {
  const isNamed = (text: string): boolean => unsupported.some((phrase) => phrase.includes(text));
  return Object.fromEntries(
    Object.entries(slots).filter(([slot, value]) => {
      if (typeof value !== "number") return !large.includes(slot);
      const said = spans.filter(({ figure }) => figure !== undefined && isOfSize(value, figure));
      return said.length === 0 || !said.every(({ text }) => isNamed(text));
    }),
  );
}

/** A plain number may have left out its percent sign. */
const isOfSize = (one: number, figure: number): boolean =>
  [figure, figure / 100].some((size) => Math.abs(Math.abs(one) - Math.abs(size)) < 1e-9);

const figuresIn = (value: unknown): number[] =>
  typeof value === "number"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(figuresIn)
      : [];
