import { asksNothing, type SlotQuestion, type SlotReading, type Slots } from "../language/index.ts";
import { READING } from "./gate/confirm.ts";
import type { Talk } from "./talk.ts";
import { type Doing, merged, type Option, type Question, type WorkingSet } from "./working-set.ts";

const SLOT = "slot:";

/** The slot that a question is about; undefined where it is about something else. */
function slotOf(question: Question | undefined): string | undefined {
  return question?.key.startsWith(SLOT) ? question.key.slice(SLOT.length) : undefined;
}

/**
 * What a message without an ask of its own goes on with: the ask whose constraint was asked for, or what was done last. Where nothing was,
 * and the user was asked what is wanted, it is the likeliest of the answers.
 */
export function goesOnFrom({ question, slots, done }: WorkingSet, talk: Talk): Doing | undefined {
  const last = withoutEffects(done, talk);
  const isOfSlot = slotOf(question) !== undefined || question?.key === READING;
  if (!question || (!isOfSlot && last)) return last;
  const { pending, options } = question;
  const harmless = options.find(({ category = talk.general }) => !talk.effects.has(category));
  const category = isOfSlot ? pending.category : harmless?.category;
  if (category === undefined || talk.isGeneral(category)) return last;
  const goals = isOfSlot ? pending.goals : talk.goalsOf(category);
  return { category, goals, slots: merged(slots, pending.slots, pending.cleared) };
}

/** What was done last. Nobody has effects once more with another constraint: it is what was done before them that goes on. */
function withoutEffects(done: readonly Doing[], talk: Talk): Doing | undefined {
  const last = done.at(-1);
  const harmless = done.findLast(({ goals }) => !goals.some((goal) => talk.effects.has(goal)));
  return last && harmless && last !== harmless ? { ...harmless, slots: last.slots } : last;
}

/**
 * The latest ask of before that a topic names best: "back to the prices". Nobody goes back to what has effects, to have them once more.
 * @returns undefined where the topic speaks of something else
 */
export function askedAbout(topic: string, { done, slots }: WorkingSet, talk: Talk): Doing | undefined {
  const { probabilities, category } = talk.classify(topic);
  if (talk.isGeneral(category)) return undefined;
  const oddsOf = ({ goals }: Doing): number => Math.max(...goals.map((goal) => probabilities[goal] ?? 0));
  const asks = done.filter(({ goals }) => goals.length > 0 && !goals.some((goal) => talk.effects.has(goal)));
  const most = Math.max(...asks.map(oddsOf));
  const meant = asks.findLast((ask) => oddsOf(ask) === most);
  if (!meant) return undefined;
  // What lasts one ask goes on with it.
  const own = Object.entries(meant.slots).filter(([name]) => talk.passing.has(name));
  return { ...meant, slots: { ...slots, ...Object.fromEntries(own) } };
}

/** Whether a message answers the open question for a slot, whatever else it has. */
export function fillsAsked({ slots, cleared }: SlotReading, { question }: WorkingSet): boolean {
  const slot = slotOf(question);
  return slot !== undefined && (slots[slot] !== undefined || cleared.includes(slot));
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

/** An answer that says how it is meant, and nothing else: a number or a question is one of its own. */
const SAYS_HOW = /^[^\p{N}?]{1,80}$/u;
const MARKS = /[^\p{L}\p{M}\s'’-]+/gu;
const STANDS_IN = /\s+ones?$/i;
/** The amount that a button ends with. */
const OFFERED_AMOUNT = /\p{N}[\p{N}.]* %$/u;

/** An answer together with what the question asks about: "the chain saw" of "Chain!", "the most a price may move: 5 %". */
function spelledOut(message: string, { text, options }: Question): string | undefined {
  if (!SAYS_HOW.test(message)) return undefined;
  const answer = message.replace(MARKS, " ").trim();
  const [amount, ...others] = new Set(options.map(({ label }) => OFFERED_AMOUNT.exec(label)?.[0]));
  if (amount !== undefined && others.length === 0 && options.length > 1) return `${answer}: ${amount}`;
  const [, name] = /"(.+)"/.exec(text) ?? [];
  return name === undefined ? undefined : `${answer.replace(STANDS_IN, "")} ${name}`;
}

/**
 * What an answer in other words than those of the options chooses: which of the names that fit, or what the amount is for, whether or not
 * that was offered.
 */
export function saidOtherwise(
  message: string,
  question: Question,
  read: (text: string) => SlotReading,
): Option | undefined {
  const slot = slotOf(question);
  const label = slot === undefined ? undefined : spelledOut(message, question);
  if (slot === undefined || label === undefined) return undefined;
  const { slots, cleared, asks, unsupported, rest } = read(label);
  if (cleared.length + asks.length + unsupported.length > 0 || !asksNothing(rest)) return undefined;
  const amount = question.options[0]?.sets?.[slot];
  const chosen = slots[slot];
  const offered = valuesOf(question.options, slot);
  const isMeant =
    typeof amount === "number"
      ? Object.values(slots).some(
          (value) => typeof value === "number" && Math.abs(value) === Math.abs(amount),
        )
      : Array.isArray(chosen) && chosen.every((value) => offered.has(value));
  return isMeant ? { label, sets: slots } : undefined;
}

/** Where an answer fits several things, those that the question offered are meant. */
export function answersOf(reading: SlotReading, { question }: WorkingSet): SlotReading {
  const slot = slotOf(question);
  const ask = reading.asks.find((one) => one.slot === slot);
  const offered = slot === undefined ? NOTHING : valuesOf(question?.options ?? [], slot);
  const meant = ask && [...valuesOf(ask.options, ask.slot)].filter((value) => offered.has(value));
  const [only] = meant ?? [];
  if (!ask || only === undefined || meant?.length !== 1) return reading;
  return {
    ...reading,
    slots: { ...reading.slots, [ask.slot]: [only] },
    asks: reading.asks.filter((one) => one !== ask),
  };
}

/** What the question for a slot offers besides the value that a message chooses; undefined where it chooses none. */
export function leftBy(slots: Slots, { question }: WorkingSet): Slots | undefined {
  const slot = slotOf(question);
  const chosen = slot === undefined ? undefined : slots[slot];
  if (slot === undefined || !Array.isArray(chosen)) return undefined;
  const offered = valuesOf(question?.options ?? [], slot);
  const taken = new Set(chosen);
  const left = [...offered].filter((value) => !taken.has(value));
  return left.length > 0 && left.length < offered.size ? { [slot]: left } : undefined;
}

const NOTHING: ReadonlySet<string> = new Set();

/** What options offer, in their order. The last one may offer what all others do. */
function valuesOf(options: SlotQuestion["options"] | Question["options"], slot: string): Set<string> {
  const values = new Set<string>();
  for (const { sets } of options) {
    const value = sets?.[slot];
    if (Array.isArray(value)) for (const one of value) values.add(one);
  }
  return values;
}
