import { asksNothing, type SlotReading, type Slots } from "../language/index.ts";
import { aboutOf } from "./about.ts";
import { answersOf, askedAbout, fillsAsked, goesOnFrom, leftBy, saidOtherwise, sampleOf } from "./answers.ts";
import { choicesOf } from "./choices.ts";
import { chosenOf, likelyOf } from "./chosen.ts";
import { lastClause } from "./clauses.ts";
import { type Command, commandBefore, commandOf, meansLatest, namesLimit, timesOf } from "./commands.ts";
import {
  edited,
  followed,
  setAside,
  supposed,
  withAllShown,
  withFindings,
  withoutReplaced,
  withPending,
  withPointing,
} from "./constraints-over-turns.ts";
import { isRefused, READING } from "./gate/confirm.ts";
import { EFFECT } from "./gate/offer.ts";
import { withoutDroppedGoals } from "./goals-dropped.ts";
import { type Hearing, saysSomething } from "./hearing.ts";
import type { Interpretation } from "./interpretation.ts";
import { saidPlainly } from "./plain-words.ts";
import { askSlot, chosenOption } from "./questions.ts";
import { putsBack, resolveReferences, takesOutOrIn } from "./references.ts";
import { HARMLESS, signsOf } from "./signs.ts";
import { isOwnPlan, isSmallTalk } from "./small-talk.ts";
import { lasting, lifted, repeated, takenBack, undone } from "./take-back.ts";
import { onlyTells, withoutReasons } from "./telling.ts";
import type { Told } from "./told.ts";
import { behindAnnouncement, returnedTo } from "./topics.ts";
import { wantedIn } from "./wanted.ts";
import { withClaims } from "./with-claims.ts";
import { languageOf } from "./wording.ts";
import {
  type Doing,
  emptyWorkingSet,
  merged,
  type Option,
  type Question,
  type WorkingSet,
  withoutQuestion,
} from "./working-set.ts";

/**
 * Finds out what a message means, from the message and from what the conversation works with. Changes nothing.
 * @param told what a model says of the message
 */
export function interpret(said: string, working: WorkingSet, hearing: Hearing, told?: Told): Interpretation {
  const message = hearing.spelled(said);
  const { question: asked } = working;
  // A button or a yes answered a question about an effect before this.
  const question = asked?.key === EFFECT ? undefined : asked;
  const option = question && optionIn(message, question, hearing);
  if (option && question) return completed(question, option, working, hearing);
  const taken = takenBack(said, working, hearing.talk);
  if (taken) return taken;
  const returned = returnedToAsk(message, working, hearing);
  if (returned) return returned;
  const command = commandOf(message);
  if (command !== undefined && isMeant(command, message, working, hearing))
    return obeyedTimes(timesOf(message), command, working, hearing);
  const otherwise = question && saidOtherwise(message, question, (text) => hearing.readSlots(text, {}));
  if (otherwise && question) return completed(question, otherwise, working, hearing);
  const first = commandBefore(message);
  const behind = command === undefined ? commandBehind(message, working, hearing) : undefined;
  if (behind) return obeyed(behind, working, hearing);
  // A model that has read the message hears none of it to be taken back: "okay, never mind. How robust is it?"
  const obeys = first && command === undefined && told?.command !== "none";
  const both = obeys ? obeyedFirst(message, first, working, hearing) : undefined;
  const local = both ?? begunAnew(message, working, hearing) ?? goneOn(message, working, hearing);
  return told ? withClaims(local, message, working, hearing, told) : local;
}

/** The option that a message chooses, perhaps behind a comment: "doesn't matter, take both". */
function optionIn(message: string, { key, options }: Question, hearing: Hearing): Option | undefined {
  // What is said otherwise says what is different; a reading is chosen by its button alone.
  if (key === READING) return options.find(({ label, instead }) => instead && label === message.trim());
  const option = chosenOption(message, options);
  const clauses = option ? undefined : lastClause(message);
  return clauses && isComment(clauses.before, hearing) ? chosenOption(clauses.last, options) : option;
}

/** Whether what stands before the last clause only comments on something. */
const isComment = (before: string, { readSlots, byRules }: Hearing): boolean =>
  byRules(before).length === 0 && !saysSomething(readSlots(before, {}));

/** "That was too bold, go back": the command stands behind what is told. */
function commandBehind(message: string, working: WorkingSet, hearing: Hearing): Command | undefined {
  const clauses = lastClause(message);
  const command = clauses && commandOf(clauses.last);
  if (!clauses || (command !== "undo" && command !== "start_over")) return undefined;
  const { before, last } = clauses;
  const read = (clause: string) => hearing.readSlots(clause, {});
  const isCommand =
    isMeant(command, last, working, hearing) &&
    !saysSomething(read(before)) &&
    (onlyTells(before, read) || asksNothing(before));
  return isCommand ? command : undefined;
}

/** "Another question: do the prices comply?" goes on from nothing but the constraints in force. */
function begunAnew(message: string, working: WorkingSet, hearing: Hearing): Interpretation | undefined {
  const asked = behindAnnouncement(message);
  if (asked === undefined || asksNothing(hearing.readSlots(asked, {}).rest)) return undefined;
  // What a check found fault with is no part of another question.
  const slots = merged(working.slots, {}, [...hearing.talk.findings]);
  return understood(asked, { ...withoutQuestion(working), slots }, hearing, undefined);
}

/** "Back to the prices: at most 3 %": the ask of before that the topic names goes on. */
function returnedToAsk(message: string, working: WorkingSet, hearing: Hearing): Interpretation | undefined {
  const returned = returnedTo(message);
  // "Back to EMEA" selects.
  if (!returned || saysSomething(hearing.readSlots(returned.topic, working.slots))) return undefined;
  const ask = askedAbout(returned.topic, working, hearing.talk);
  // "Back to the prices" that were asked for last takes back what has changed them.
  const isLast = ask?.goals.join() === working.done.at(-1)?.goals.join();
  if (!ask || (isLast && returned.rest === "")) return undefined;
  return understood(returned.rest, withoutQuestion(working), hearing, ask);
}

function goneOn(message: string, working: WorkingSet, hearing: Hearing): Interpretation {
  const { talk, readSlots, byRules, threshold } = hearing;
  const left = withoutDroppedGoals(saidPlainly(message), goesOnFrom(working, talk), hearing);
  const { last } = left;
  const read = (clause: string) => readSlots(clause, last?.slots ?? {});
  const said = withoutReasons(left.message, {
    read,
    isTalk: (clause) => isSmallTalk(clause, read(clause), hearing),
    isAsk: (clause) => {
      const { goals, confidence } = talk.classify(clause);
      return byRules(clause).length > 0 || (goals.length > 0 && confidence >= threshold);
    },
    narrowing: talk.narrowing,
  });
  return understood(said, working, hearing, last, message);
}

/** "Start from scratch: optimise the valve": what is asked for goes on from what the command leaves. */
function obeyedFirst(
  message: string,
  { command, rest }: NonNullable<ReturnType<typeof commandBefore>>,
  working: WorkingSet,
  hearing: Hearing,
): Interpretation | undefined {
  if (command === "repeat" || !isMeant(command, message, working, hearing)) return undefined;
  // "Never mind, take the valve" behind the question which one: the question is given up, and not what was asked for.
  if (command === "undo" && fillsAsked(hearing.readSlots(rest, {}), working))
    return goneOn(rest, working, hearing);
  const obeys = obeyed(command, working, hearing);
  const { inputsOf } = working;
  const from: WorkingSet =
    command === "start_over"
      ? { ...emptyWorkingSet(working.flow), ...(inputsOf === undefined ? {} : { inputsOf }) }
      : { ...withoutQuestion(working), slots: obeys.inForce, done: doneAfter(obeys, working, hearing) };
  const found = goneOn(rest, from, hearing);
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

/** "Undo the last two changes" is said twice. */
function obeyedTimes(times: number, command: Command, working: WorkingSet, hearing: Hearing): Interpretation {
  const obeys = obeyed(command, working, hearing);
  if (times <= 1 || obeys.command !== "undone" || obeys.done === undefined) return obeys;
  const left = { ...working, slots: obeys.inForce, done: doneAfter(obeys, working, hearing) };
  const more = obeyedTimes(times - 1, command, left, hearing);
  return more.done === undefined ? obeys : more;
}

function obeyed(command: Command, working: WorkingSet, { talk }: Hearing): Interpretation {
  switch (command) {
    case "undo":
    case "undo_more":
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

/**
 * Whether a command is one here. "Put it back in" takes up what was left out. "Drop that limit" where there is one takes back the limit, and not whatever the last turn did; "and the one
 * before" takes back more where something has been taken back.
 */
function isMeant(
  command: Command,
  message: string,
  { undid, slots, done }: WorkingSet,
  { readSlots, talk }: Hearing,
): boolean {
  if (command === "undo_more") return undid === true;
  if (command === "undo" && putsBack(message, done, talk)) return false;
  if (command !== "undo" || meansLatest(message) || !namesLimit(message)) return true;
  return !readSlots(message, slots).cleared.some((slot) => slots[slot] !== undefined);
}

const NOTHING = { confidence: 1, goals: [], slots: {}, inForce: {}, unsupported: [] } as const;

const NOTHING_SAID: Pick<SlotReading, "slots" | "cleared"> = { slots: {}, cleared: [] };

/**
 * @param last what the message goes on from, where it asks for nothing of its own
 * @param said all of what the user said, of which the message may leave out what only tells something
 */
function understood(
  message: string,
  working: WorkingSet,
  hearing: Hearing,
  last: Doing | undefined,
  said = message,
): Interpretation {
  const { talk } = hearing;
  const sofar = sampleOf(working) ?? last?.slots ?? {};
  const read = (text: string) => hearing.readSlots(text, sofar);
  const { rules, learnt, isTooLong } = hearing.pairOf(said, sofar);
  const direct = said === message ? read(message) : { ...read(said), rest: read(message).rest };
  const answered = answersOf(direct, working);
  const left = leftBy(answered.slots, working);
  const resolved = resolveReferences(answered, message, read, { ...hearing, done: working.done });
  const pointed = withoutReplaced(withPointing(resolved.reading, message), message);
  const heard = withAllShown(pointed, { message, last }, talk);
  const ruled = wantedIn(resolved.message, heard, { last, working }, hearing);
  const choosing = learnt && {
    message: resolved.message,
    reading: heard,
    learnt,
    ruled,
    last,
    working,
  };
  const choices = choosing && choicesOf(choosing, hearing);
  const likely = choosing && choices && likelyOf(choices, choosing, hearing);
  const intent = choosing && likely ? chosenOf(likely, choosing, hearing) : ruled;
  const isGeneral = talk.isGeneral(intent.category);
  // After "no, something is different" all that is said is about what was shown; an effect is about a proposal, where there is one.
  const isOfProposal = working.proposals.length > 0 && intent.goals.some((goal) => talk.effects.has(goal));
  const isOfShown = isRefused(working) && working.question?.key === READING && !isOfProposal;
  const before =
    (intent.followUp || isOfShown) && last ? last.slots : supposed(working.slots, { message, last }, talk);
  const goesOn = followed(before, heard, talk);
  const base = isGeneral ? working.slots : withPending(goesOn, working);
  // "Explain the valve as well" is about the valve alone.
  const changesSelection =
    intent.followUp || intent.category === last?.category || takesOutOrIn(heard.edits, message);
  const selected = changesSelection ? edited(heard, base, hearing.allOf) : heard;
  const reading = withFindings(selected, { message, goals: intent.goals, last }, talk);
  // "What does exchange mean?" constrains nothing.
  const says = isGeneral ? NOTHING_SAID : reading;
  const all = merged(base, says.slots, says.cleared);
  const aside = setAside(says.slots, all, talk);
  const slots = merged(all, {}, aside);
  const notHeld = aside.length > 0 ? [talk.echo(pick(all, aside), languageOf(message))] : [];
  const unsupported = isGeneral && isOwnPlan(message, reading) ? [] : [...reading.unsupported, ...notHeld];
  const found: Interpretation = {
    category: intent.category,
    confidence: intent.confidence,
    source: intent.source,
    ...(intent.unsure ? { unsure: intent.unsure } : {}),
    goals: intent.goals,
    slots,
    inForce: lasting(all, talk),
    unsupported,
    ...(left === undefined ? {} : { left }),
    ...(choices ? { choices: likely ?? choices } : {}),
  };
  const pending = {
    category: intent.category,
    goals: intent.goals,
    slots: reading.slots,
    cleared: reading.cleared,
    ...(unsupported.length > 0 ? { unsupported } : {}),
    message: said,
  };
  const [ask] = reading.asks;
  if (ask && !isGeneral) {
    const question = askSlot(ask, pending);
    return working.asked === question.key
      ? { ...found, unsupported: [...unsupported, ...reading.asks.map(({ slot }) => slot)] }
      : { ...found, question };
  }
  if (intent.question) return { ...found, question: { ...intent.question, pending } };
  const { followUp } = intent;
  const others = (): readonly Pick<Interpretation, "slots" | "unsupported">[] => {
    const anew = isOfShown && !intent.followUp ? [{ read: selected, base: working.slots }] : [];
    const likely = (learnt?.others() ?? []).map((read) => ({ read, base }));
    return [...anew, ...likely].map(({ read, base }) => {
      const changed = changesSelection ? edited(read, base, hearing.allOf) : read;
      const otherwise = merged(base, changed.slots, changed.cleared);
      return {
        slots: merged(otherwise, {}, setAside(changed.slots, otherwise, talk)),
        unsupported: unsupported.filter((phrase) => !isReadIn(phrase, changed.slots, slots)),
      };
    });
  };
  const whole = { ...found, ...aboutOf(message, found, reading, { working, talk, followUp }), others };
  // What takes effect has a gate of its own, and an approval behind it.
  if (isGeneral || intent.goals.some((goal) => talk.effects.has(goal))) return whole;
  if (!learnt) return isTooLong ? { ...whole, isReadInPart: true } : whole;
  const isUnsure = intent.unsure === true;
  const signs = signsOf(
    { message: said, rules, learnt, reading: heard, found: whole, followUp, isUnsure, working },
    talk,
  );
  return { ...whole, signs: canBeWrong(whole, working) ? signs : [...signs, HARMLESS] };
}

/** Whether a reading could apply what is not meant: where nothing is in force there is nothing to apply. */
const canBeWrong = ({ slots, unsupported }: Interpretation, { question }: WorkingSet): boolean =>
  question?.key === READING || Object.keys(slots).length + unsupported.length > 0;

/** Whether a phrase that nothing applied has the figure of a constraint that another reading has. */
function isReadIn(phrase: string, slots: Slots, known: Slots): boolean {
  const figures = (phrase.match(/\d[\d.,]*/g) ?? []).map((figure) => Number(figure.replaceAll(",", "")));
  return Object.entries(slots).some(
    ([name, value]) =>
      known[name] === undefined &&
      typeof value === "number" &&
      figures.some((figure) =>
        [figure, figure / 100].some((size) => Math.abs(size - Math.abs(value)) < 1e-9),
      ),
  );
}

const pick = (slots: Slots, names: readonly string[]): Slots =>
  Object.fromEntries(Object.entries(slots).filter(([name]) => names.includes(name)));

/** The message that was asked about, with what the user chose. */
export function completed(
  { pending, key }: Question,
  option: Question["options"][number],
  working: WorkingSet,
  { talk }: Hearing,
): Interpretation {
  const { instead } = option;
  const left = leftBy(option.sets ?? {}, working);
  const category = instead?.category ?? option.category ?? pending.category ?? talk.general;
  const goals =
    instead?.goals ??
    option.goals ??
    (option.category === undefined ? pending.goals : talk.goalsOf(option.category));
  const said = instead?.slots ?? { ...pending.slots, ...option.sets };
  const slots = instead?.slots ?? merged(working.slots, said, pending.cleared);
  const found: Interpretation = {
    category,
    confidence: 1,
    source: "user",
    goals,
    slots,
    inForce: lasting(slots, talk),
    unsupported: instead?.unsupported ?? pending.unsupported ?? [],
    ...(pending.message === undefined ? {} : { completes: pending.message }),
    ...(left === undefined ? {} : { left }),
  };
  const reading: SlotReading = { slots: said, cleared: pending.cleared, unsupported: [], asks: [], rest: "" };
  return { ...found, ...aboutOf("", found, reading, { working, talk, followUp: key !== "intent" }) };
}
