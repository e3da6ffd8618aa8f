import type { Slots } from "../../language/index.ts";
import type { Interpretation } from "../interpretation.ts";
import { chosenOption } from "../questions.ts";
import { type Language, wording } from "../wording.ts";
import { type Option, type Question, type WorkingSet, withoutQuestion } from "../working-set.ts";
import { yesOrNo } from "./offer.ts";

/** The key of the question whether a message was read right. */
export const READING = "reading";

/**
 * What the user is asked where a reading is likely to be wrong.
 * @param text says how the message was read
 * @param others what else it may mean
 */
export function askReading(
  { category, goals, slots, unsupported }: Interpretation,
  {
    message,
    text,
    working,
    others = [],
  }: { message: string; text: string; working: WorkingSet; others?: readonly Option[] },
  language: Language,
): Question {
  const { readRight, readWrong } = wording(language);
  const gone = Object.keys(working.slots).filter((name) => slots[name] === undefined);
  return {
    key: READING,
    text,
    options: [{ label: readRight }, ...others, { label: readWrong }],
    pending: { category, goals, slots, cleared: gone, unsupported, message },
  };
}

/**
 * A question as it is put: with what was read besides, so that nobody agrees to more than is shown, and a button for who meant neither.
 * @param rest what holds whatever the answer is, in words
 */
export function putInFull(
  { key, text, options }: Question,
  rest: string,
  language: Language,
): { text: string; buttons: readonly string[] } {
  const { eitherWay, readWrong } = wording(language);
  const buttons = options.map(({ label }) => label);
  if (key === READING || buttons.length === 0) return { text, buttons };
  return { text: rest === "" ? text : `${text}\n\n${eitherWay(rest)}`, buttons: [...buttons, readWrong] };
}

/** Names that are said one by one. */
const MOST_NAMES = 5;

/** Selections as they can be checked: in the order of the inputs, and by what they leave out where that is shorter. */
export function inFull(
  slots: Slots,
  narrowing: ReadonlySet<string>,
  {
    allOf,
    allBut,
  }: { allOf: (slot: string) => readonly string[]; allBut: (names: readonly string[]) => string },
): Slots {
  return Object.fromEntries(
    Object.entries(slots).map(([slot, value]) => {
      if (!narrowing.has(slot) || !Array.isArray(value)) return [slot, value];
      const all = allOf(slot);
      const [named, others] = [
        all.filter((one) => value.includes(one)),
        all.filter((one) => !value.includes(one)),
      ];
      const isKnown = named.length === value.length;
      if (isKnown && value.length > MOST_NAMES && others.length > 0 && others.length <= MOST_NAMES)
        return [slot, [allBut(others)]];
      return [slot, isKnown ? named : value];
    }),
  );
}

/**
 * How a message answers that question: the message that was read right, or that it was not. In other words it says what is different, and
 * goes on from what was read.
 */
export function readingAnswered(
  said: string,
  { question }: WorkingSet,
): { right: string } | "wrong" | undefined {
  if (!question || question.options.length === 0) return undefined;
  if (isReadWrong(said)) return "wrong";
  const { message } = question.pending;
  if (question.key !== READING || message === undefined) return undefined;
  const [yes, ...others] = question.options;
  if (others.some(({ label, instead }) => instead && label === said.trim())) return undefined;
  const option = chosenOption(
    said,
    question.options.filter(({ instead }) => !instead),
  );
  const isRight = option ? option === yes : yesOrNo(said);
  if (isRight === undefined) return undefined;
  return isRight === true || isRight === "yes" ? { right: message } : "wrong";
}

const isReadWrong = (said: string): boolean =>
  [wording("en"), wording("ko")].some(({ readWrong }) => readWrong === said.trim());

/** Nothing of a reading holds that was not meant; the user may say what is different of it. */
export function withoutReading(working: WorkingSet): WorkingSet {
  const { question } = working;
  const left = withoutQuestion(working);
  return question ? { ...left, question: { ...question, options: [] } } : left;
}

/** Whether the user has said that nothing of what was offered is meant. */
export const isRefused = ({ question }: WorkingSet): boolean => question?.options.length === 0;
