import type { Intent, SlotReading, Slots } from "../language/index.ts";
import { aboutOf, refersOnly } from "./about.ts";
import { answersOf, goesOnFrom, sampleOf } from "./answers.ts";
import { type Command, commandBefore, commandOf } from "./commands.ts";
import { edited, followed, withPending } from "./constraints-over-turns.ts";
import { askedBeside, isFollowUp, saysSomething } from "./follow-up.ts";
import type { Interpretation, Source } from "./interpretation.ts";
import { askIntent, askSlot, chosenOption } from "./questions.ts";
import { lasting, lifted, repeated, undone } from "./take-back.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import {
  type Doing,
  emptyWorkingSet,
  merged,
  type Question,
  type WorkingSet,
  withoutQuestion,
} from "./working-set.ts";

/** What is heard in one conversation: the talk of its flow, over the entities of its inputs. */
export type Hearing = {
  talk: Talk;
  readSlots: (message: string, before: Slots) => SlotReading;
  /** Services whose keywords the message has; the rules that break ties. */
  byRules: (message: string) => readonly string[];
  /** Below this confidence the user is asked. */
  threshold: number;
  /** Whether the caller may have what a category stands for. */
  offers: (category: string) => boolean;
};

/** A question that was asked in vain: the likeliest reading is taken where it is at least this likely. */
const GUESS = 0.4;

type Understood = Pick<Interpretation, "category" | "confidence" | "source" | "goals"> & {
  followUp: boolean;
  unsure?: true;
  question?: Question;
};

/** Finds out what a message means, from the message and from what the conversation works with. Changes nothing. */
export function interpret(message: string, working: WorkingSet, hearing: Hearing): Interpretation {
  const { question } = working;
  const option = question && chosenOption(message, question.options);
  if (option && question) return completed(question, option, working, hearing);
  const command = commandOf(message);
  if (command !== undefined && !takesLimitBack(message, command, working, hearing))
    return obeyed(command, working, hearing);
  const first = commandBefore(message);
  const both = first && command === undefined ? obeyedFirst(message, first, working, hearing) : undefined;
  return both ?? understood(message, working, hearing);
}

/** "Start from scratch: optimise the valve": what is asked for goes on from what the command leaves. */
function obeyedFirst(
  message: string,
  { command, rest }: NonNullable<ReturnType<typeof commandBefore>>,
  working: WorkingSet,
  hearing: Hearing,
): Interpretation | undefined {
  if (command === "repeat" || takesLimitBack(message, command, working, hearing)) return undefined;
  const obeys = obeyed(command, working, hearing);
  const { inputsOf } = working;
  const from: WorkingSet =
    command === "start_over"
      ? { ...emptyWorkingSet(working.flow), ...(inputsOf === undefined ? {} : { inputsOf }) }
      : { ...withoutQuestion(working), slots: obeys.inForce, done: doneAfter(obeys, working, hearing) };
  const found = understood(rest, from, hearing);
  // Beside what only comments on it, the command is all that is asked for.
  return found.unsure || hearing.talk.isGeneral(found.category) ? obeys : { ...found, from };
}

/** What was done last, with the constraints that a command leaves. */
function doneAfter(
  { done, category, goals, slots }: Interpretation,
  working: WorkingSet,
  { talk }: Hearing,
): readonly Doing[] {
  const before = done ?? working.done.slice(0, -1);
  return talk.isGeneral(category) ? before : [...before, { category, goals, slots }];
}

function obeyed(command: Command, working: WorkingSet, { talk }: Hearing): Interpretation {
  switch (command) {
    case "undo":
      return undone(working, talk);
    case "start_over":
      return { ...NOTHING, category: talk.general, source: "rules", command: "started_over" };
    case "lift_all":
      return lifted(working, talk);
    case "repeat":
      return working.undid ? undone(working, talk) : repeated(working, talk);
    default:
      return command satisfies never;
  }
}

/** "Drop that limit" where there is one takes back the limit, and not whatever the last turn did. */
function takesLimitBack(
  message: string,
  command: Command,
  working: WorkingSet,
  { readSlots }: Hearing,
): boolean {
  if (command !== "undo") return false;
  return readSlots(message, working.slots).cleared.some((slot) => working.slots[slot] !== undefined);
}

/** What a message means where somebody else has told what it asks for, and what else constrains it. */
export function interpretAs(
  { intent, slots }: { intent: Omit<Intent, "confidence" | "probabilities">; slots: Slots },
  message: string,
  working: WorkingSet,
  hearing: Hearing,
): Interpretation {
  const heard: Intent = { ...intent, confidence: 1, probabilities: {} };
  const told: Hearing = {
    ...hearing,
    talk: { ...hearing.talk, classify: () => heard },
    readSlots: (text, before) => {
      const reading = hearing.readSlots(text, before);
      // What is heard here stands.
      return { ...reading, slots: { ...slots, ...reading.slots } };
    },
  };
  return { ...interpret(message, working, told), source: "model" };
}

const NOTHING = { confidence: 1, goals: [], slots: {}, inForce: {}, unsupported: [] } as const;

const NOTHING_SAID: Pick<SlotReading, "slots" | "cleared"> = { slots: {}, cleared: [] };

function understood(message: string, working: WorkingSet, hearing: Hearing): Interpretation {
  const { talk } = hearing;
  const last = goesOnFrom(working, talk);
  const heard = answersOf(hearing.readSlots(message, sampleOf(working) ?? last?.slots ?? {}), working);
  const intent = sensibly(intentOf(message, heard, { last, working }, hearing), heard, talk);
  const isGeneral = talk.isGeneral(intent.category);
  const goesOn = intent.followUp && last ? followed(last.slots, heard, talk) : working.slots;
  const base = isGeneral ? working.slots : withPending(goesOn, working);
  // "Explain the valve as well" is about the valve alone.
  const reading = intent.followUp || intent.category === last?.category ? edited(heard, base) : heard;
  // "What does exchange mean?" constrains nothing.
  const says = isGeneral ? NOTHING_SAID : reading;
  const slots = merged(base, says.slots, says.cleared);
  const found: Interpretation = {
    category: intent.category,
    confidence: intent.confidence,
    source: intent.source,
    ...(intent.unsure ? { unsure: intent.unsure } : {}),
    goals: intent.goals,
    slots,
    inForce: lasting(slots, talk),
    unsupported: reading.unsupported,
  };
  const pending = {
    category: intent.category,
    goals: intent.goals,
    slots: reading.slots,
    cleared: reading.cleared,
  };
  const [ask] = reading.asks;
  if (ask && !talk.isGeneral(intent.category)) {
    const question = askSlot(ask, pending);
    if (working.asked !== question.key) return { ...found, question };
    return { ...found, unsupported: [...reading.unsupported, ...reading.asks.map(({ slot }) => slot)] };
  }
  if (intent.question) return { ...found, question: { ...intent.question, pending } };
  return { ...found, ...aboutOf(message, found, reading, { working, talk, followUp: intent.followUp }) };
}

/** What the message asks for: what was done before, with other constraints; what the classifier hears; or what a rule decides. */
function intentOf(
  message: string,
  reading: SlotReading,
  { last, working }: { last: Doing | undefined; working: WorkingSet },
  hearing: Hearing,
): Understood {
  const { talk, threshold, byRules } = hearing;
  const heard = heardIn(message, reading, hearing);
  const says = saysSomething(reading);
  if (last && !says && refersOnly(message)) return again(last, "rules", 1);
  if (last && says) {
    if (isFollowUp(reading.rest)) return again(last, "rules", 1);
    const both = againAndMore(message, last, hearing);
    if (both) return both;
    // What is left without the constraints has to ask for something: "release the limit" publishes nothing.
    const left = talk.classify(reading.rest);
    const isMeant = left.confidence >= threshold || isBacked(left, heard, threshold);
    if (!isMeant) return again(last, "local", left.confidence);
  }
  if (!last && says && talk.isGeneral(heard.category) && isFollowUp(reading.rest)) {
    // A constraint and nothing else: "EMEA only, please".
    const question = askIntent(message, heard, hearing, 0);
    if (question && working.asked !== question.key)
      return { ...taken(heard, "local"), category: COMPOSITE, goals: [], question };
  }
  if (heard.confidence >= threshold) return taken(heard, "local");
  if (last && says) return again(last, "local", heard.confidence);
  const likely = likeliest(heard).slice(0, 2);
  const ruled = byRules(message).filter((category) => likely.includes(category));
  const [only] = ruled;
  if (only !== undefined && ruled.length === 1)
    return { ...taken(heard, "rules"), category: only, goals: [only] };
  const guess: Understood = { ...taken(heard, "local"), unsure: true };
  const question = askIntent(message, heard, hearing);
  if (question && working.asked !== question.key) return { ...guess, question };
  return heard.confidence >= GUESS ? guess : { ...guess, category: talk.general, goals: [] };
}

/**
 * What the classifier hears in a message. A selection such as "only items that break a rule" is said in the words of a goal, and a list of
 * names may sound like a list of goals: where the rest is clear by itself, these words are not heard.
 */
function heardIn(message: string, { slots, rest }: SlotReading, { talk, threshold }: Hearing): Intent {
  const isSelection = Object.keys(slots).some((name) => talk.views.has(name) && slots[name] === true);
  const heard = talk.classify(message);
  const isList = heard.category === COMPOSITE && Object.keys(slots).length > 0;
  if (!isSelection && !isList) return heard;
  const left = talk.classify(rest);
  const isClear = left.goals.length > 0 && left.confidence >= threshold;
  return isClear && (isSelection || heard.goals.includes(left.category)) ? left : heard;
}

/** A likely ask of what is left of a message that the whole message is sure of. */
const isBacked = (left: Intent, heard: Intent, threshold: number): boolean =>
  left.category === heard.category && left.confidence >= GUESS && heard.confidence >= threshold;

/** "Now at most 2 %, and why?": what was done before, done again because its results change, and what the message asks for besides. */
function againAndMore(
  message: string,
  last: Doing,
  { talk, readSlots, threshold }: Hearing,
): Understood | undefined {
  // A part of what there is, or a what-if, is what the question is about: nothing is done again for it.
  const changesResults = ({ slots, cleared }: SlotReading): boolean =>
    [...Object.keys(slots), ...cleared].some((name) => !talk.narrowing.has(name) && !talk.passing.has(name));
  const rest = askedBeside(message, (clause) => readSlots(clause, last.slots), changesResults);
  const asked = rest === undefined ? undefined : talk.classify(rest);
  if (!asked || asked.confidence < threshold || asked.goals.length === 0) return undefined;
  // Another proposal heeds the constraint itself.
  if (asked.goals.some((goal) => talk.inProposal.has(goal) && !talk.checks.has(goal)))
    return { ...taken(asked, "local"), followUp: last.goals.join() === asked.goals.join() };
  const goals = [...new Set([...last.goals, ...asked.goals])];
  const [only] = goals;
  const category = goals.length === 1 && only !== undefined ? only : COMPOSITE;
  return { category, goals, source: "local", confidence: asked.confidence, followUp: true };
}

function again({ category, goals }: Doing, source: Source, confidence: number): Understood {
  return { category, goals, source, confidence, followUp: true };
}

function taken({ category, confidence, goals }: Intent, source: Source): Understood {
  return { category, confidence, goals, source, followUp: false };
}

function likeliest({ probabilities }: Intent): string[] {
  return Object.entries(probabilities)
    .sort(([, one], [, other]) => other - one)
    .map(([category]) => category);
}

/** The message that was asked about, with what the user chose. */
function completed(
  { pending, key }: Question,
  option: Question["options"][number],
  working: WorkingSet,
  { talk }: Hearing,
): Interpretation {
  const category = option.category ?? pending.category ?? talk.general;
  const goals = option.category === undefined ? pending.goals : talk.goalsOf(option.category);
  const said = { ...pending.slots, ...option.sets };
  const slots = merged(working.slots, said, pending.cleared);
  const found: Interpretation = {
    category,
    confidence: 1,
    source: "user",
    goals,
    slots,
    inForce: lasting(slots, talk),
    unsupported: [],
  };
  const reading: SlotReading = { slots: said, cleared: pending.cleared, unsupported: [], asks: [], rest: "" };
  return { ...found, ...aboutOf("", found, reading, { working, talk, followUp: key !== "intent" }) };
}

/** Leaves out goals to which a what-if of the message leaves no sense. */
function sensibly(intent: Understood, { slots }: SlotReading, talk: Talk): Understood {
  const goals = talk.sensible(intent.goals, slots);
  const [only] = goals;
  if (goals.length === intent.goals.length) return intent;
  return { ...intent, goals, category: goals.length === 1 && only !== undefined ? only : intent.category };
}
