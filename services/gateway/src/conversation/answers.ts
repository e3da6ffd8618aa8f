import type { SlotQuestion, SlotReading, Slots } from "../language/index.ts";
import type { Talk } from "./talk.ts";
import { type Doing, merged, type Question, type WorkingSet } from "./working-set.ts";

const SLOT = "slot:";

/** The slot that a question is about; undefined where it is about something else. */
function slotOf(question: Question | undefined): string | undefined {
  return question?.key.startsWith(SLOT) ? question.key.slice(SLOT.length) : undefined;
}

/**
 * What a message without an ask of its own goes on with: the ask whose constraint was asked for, or what was done last.
 */
export function goesOnFrom({ question, slots, done }: WorkingSet, talk: Talk): Doing | undefined {
  const pending = slotOf(question) === undefined ? undefined : question?.pending;
  if (pending?.category === undefined || talk.isGeneral(pending.category)) return done.at(-1);
  const { category, goals, slots: said, cleared } = pending;
  return { category, goals, slots: merged(slots, said, cleared) };
}

/**
 * An amount of the slot that the user was asked for, such as a button offers: a bare amount of the answer is one of that slot.
 * @returns undefined where no amount was asked for
 */
export function sampleOf({ question }: WorkingSet): Slots | undefined {
  const slot = slotOf(question);
  const value = slot === undefined ? undefined : question?.options[0]?.sets?.[slot];
  return slot !== undefined && typeof value === "number" ? { [slot]: value } : undefined;
}

/** Where an answer fits several things, those that the question offered are meant. */
export function answersOf(reading: SlotReading, { question }: WorkingSet): SlotReading {
  const slot = slotOf(question);
  const ask = reading.asks.find((one) => one.slot === slot);
  const offered = slot === undefined ? [] : valuesOf(question?.options ?? [], slot);
  const meant = ask && new Set(valuesOf(ask.options, ask.slot).filter((value) => offered.includes(value)));
  const [only] = meant ?? [];
  if (!ask || only === undefined || meant?.size !== 1) return reading;
  return {
    ...reading,
    slots: { ...reading.slots, [ask.slot]: [only] },
    asks: reading.asks.filter((one) => one !== ask),
  };
}

function valuesOf(options: SlotQuestion["options"] | Question["options"], slot: string): string[] {
  return options.flatMap(({ sets }) => {
    const value = sets?.[slot];
    return Array.isArray(value) ? value : [];
  });
}
