import { isLimits, type Slots, type SlotValue } from "../../language/index.ts";
import { constraintsOf } from "../../mesh/index.ts";
import { mayHave } from "../offers.ts";
import { prefaceOf } from "../preface.ts";
import { partsOf } from "../questions-in.ts";
import type { PlainInputs } from "../session-inputs.ts";
import type { Talk } from "../talk.ts";
import type { Turn, TurnDeps } from "../turn-step.ts";
import { type Language, languageOf } from "../wording.ts";
import type { Proposal, WorkingSet } from "../working-set.ts";
import { attributesIn } from "./attributes.ts";
import { type Cells, cellsOf, type Data, isSided, type Side } from "./cells.ts";
import { compareProposals } from "./compare-proposals.ts";
import { describeFound } from "./describe-found.ts";
import { madeLast, stepsOf } from "./made.ts";
import type { Vocabulary } from "./measure-words.ts";
import { answerQuery, type Query } from "./query.ts";
import { type Asked, readAgain, readQuestion } from "./read-question.ts";
import { RESULT_TEXTS } from "./result-texts.ts";

/** What is needed of a turn to answer from results. */
type Looking = {
  turn: Turn;
  /** What the next turn may go on from. */
  question: string;
  talk: Talk;
  working: WorkingSet;
  results: Vocabulary;
  language: Language;
  deps: TurnDeps;
};

/** What answers one question. */
type Told = { text: string; button?: string; only: Query["only"]; proposal?: Proposal | undefined };

/**
 * Answers questions of what is in the inputs and in the results of before, by looking it up: nothing runs, and nothing of the conversation
 * changes. A message that says anything else besides goes on to the later steps.
 */
export function tellResults(turn: Turn, deps: TurnDeps): "next" | "answered" | Promise<"next" | "answered"> {
  const { request, talk, working, inputsGone } = turn;
  const message = turn.message ?? request.message;
  const { flow, goals, plan } = request;
  if (!talk?.results || !working || message === undefined || inputsGone) return "next";
  if (flow !== undefined || goals !== undefined || plan) return "next";
  if (turn.heardByModel?.route.kind === "goals") return "next";
  const parts = partsOf(message);
  const { results, narrowing } = talk;
  const readNames = (text: string) => talk.readNames(text, turn.plainInputs);
  const reading = { readNames, narrowing };
  const direct = parts.map((part) => readQuestion(part, results, reading));
  // "And the pump?" asks the same of something else.
  const asked =
    direct.length === 1 && !direct[0] && working.looked !== undefined && !working.question
      ? [readAgain(message, working.looked, results, reading)]
      : direct;
  const read = asked.filter((one) => one !== undefined);
  if (read.length === 0 || read.length < parts.length) return "next";
  // Behind a what-if, a question that does not say of when is about what would be.
  const supposes = Object.keys(working.done.at(-1)?.slots ?? {}).some((slot) => talk.moves.has(slot));
  if (supposes && read.some(({ query }) => query.side === undefined)) return "next";
  // Who may ask the flow for nothing learns nothing of its inputs.
  if (![...talk.flow.goals.keys()].some((goal) => mayHave(request.caller, goal, talk, deps))) return "next";
  const question = direct.includes(undefined) ? (working.looked ?? message) : message;
  return tell(read, { turn, question, talk, working, results, language: languageOf(message), deps });
}

/** Whether a message asks for nothing but what is looked up in a flow's inputs and results. */
export function asksResults(message: string, talk: Talk, inputs: PlainInputs | undefined): boolean {
  const { results, narrowing } = talk;
  if (!results) return false;
  const readNames = (text: string) => talk.readNames(text, inputs);
  return partsOf(message).every(
    (part) => readQuestion(part, results, { readNames, narrowing }) !== undefined,
  );
}

async function tell(asked: readonly Asked[], looking: Looking): Promise<"next" | "answered"> {
  const { turn, talk, working, language } = looking;
  const texts = RESULT_TEXTS[language];
  const told: Told[] = [];
  for (const one of asked) {
    const answer = await answerOf(one, looking);
    if (!answer) return "next";
    told.push(answer);
  }
  const slots = told.length === 1 ? (told[0]?.only ?? {}) : {};
  const about = { unsupported: [], undone: false, language, target: { kind: "general" }, talk } as const;
  const first = prefaceOf(constraintsOf(talk.flow, slots), { ...about, inputs: turn.plainInputs });
  const proposal = told.find((one) => one.proposal)?.proposal;
  const line = proposal ? `${first} ${texts.ofProposal(limitsOf(proposal, talk, language))}` : first;
  turn.intent = "results";
  turn.understood = {
    category: "results",
    confidence: 1,
    source: "rules",
    goals: [],
    slots: Object.keys(slots),
  };
  turn.target = {
    kind: "general",
    reply: {
      text: [line, ...told.map(({ text }) => text)].join("\n\n"),
      buttons: [...new Set(told.flatMap(({ button }) => button ?? []))],
    },
  };
  // A question that was put to the user stays open.
  turn.next = { ...working, looked: looking.question };
  return "answered";
}

/** The constraints that a proposal was made under, beside what it is about. */
function limitsOf({ slots }: Proposal, talk: Talk, language: Language): string {
  const limits = Object.entries(slots).filter(([name]) => !talk.narrowing.has(name));
  const echo = talk.echo(Object.fromEntries(limits), language);
  return echo.charAt(0).toLowerCase() + echo.slice(1);
}

/** @returns undefined where the message is rather an order of what is not there */
async function answerOf(asked: Asked, looking: Looking): Promise<Told | undefined> {
  const { talk, results, working, language, turn, deps } = looking;
  const { query, ofAll } = asked;
  const { measure } = query;
  const texts = RESULT_TEXTS[language];
  const inputs = turn.plainInputs ?? talk.flow.defaultInputs ?? {};
  const declared = talk.flow.slots?.slots ?? [];
  const entityIds = new Map(
    declared.flatMap((slot) => (slot.kind === "entity" ? [[slot.name, slot.id]] : [])),
  );
  const data = (steps: Data["steps"]): Data => ({
    inputs,
    steps,
    measures: results.measures,
    idOf: (slot) => entityIds.get(slot),
  });
  const steps = stepsOf(measure, results.measures);
  const read = { caller: turn.request.caller, ...deps };
  const latest = await madeLast(working.proposals, steps, read);
  const attributes = attributesIn(inputs, declared);
  const slots = declared.filter(({ name }) => talk.narrowing.has(name));
  if (asked.against !== undefined) {
    if (!latest) return missing(looking, measure.label[language], steps);
    const others = working.proposals.filter(({ run }) => run !== latest.proposal.run);
    const other = await madeLast(asked.against === "first" ? others.toReversed() : others, steps, read);
    if (!other) return { text: texts.onlyOne, only: query.only };
    const one = await cellsOf(measure, "after", data(other.steps));
    const now = await cellsOf(measure, "after", data(latest.steps));
    const text = await compareProposals({
      one,
      now,
      measure,
      slots,
      language,
      against: asked.against,
      only: query.only,
      attributes,
    });
    return { text, only: query.only, proposal: latest.proposal };
  }
  const values: Partial<Record<Side, Cells>> = {};
  const context = data(latest?.steps ?? new Map());
  const sided = isSided(measure, results.measures);
  if (sided) {
    values.before = await cellsOf(measure, "before", context);
    values.after = await cellsOf(measure, "after", context);
  } else values.after = await cellsOf(measure, "after", context);
  const inForce = ofAll ? {} : selected(working.slots, talk.narrowing);
  const { side: saidSide, ...sideless } = query;
  // What has one value alone has it at any time.
  const side = sided ? saidSide : undefined;
  const own = side === undefined ? sideless : query;
  const found = await answerQuery({ ...own, only: { ...inForce, ...query.only } }, values, attributes);
  const isEmpty = found.of === 0 && Object.keys(query.only).length > 0;
  const chosen = isEmpty ? own : { ...own, only: { ...inForce, ...query.only } };
  const answer = isEmpty ? await answerQuery(own, values, attributes) : found;
  const { sides, rows } = answer;
  const lacks =
    side !== undefined &&
    (!sides.includes(side) || (rows.length > 0 && rows.every((row) => row.values[side] === undefined)));
  if (sides.length === 0 || lacks)
    return measure.ordered ? undefined : missing(looking, measure.label[language], steps);
  // The inputs may have some of what a step works out for the others.
  const isPartial = !latest && steps.length > 0 && !sides.includes("before");
  if (isPartial && answer.of === 0) return missing(looking, measure.label[language], steps);
  return {
    text: [
      describeFound(chosen, answer, { slots, language, isSided: sided }),
      ...(isPartial ? [texts.fromInputs] : []),
    ].join("\n\n"),
    only: chosen.only,
    proposal: sides.includes("after") && side !== "before" ? latest?.proposal : undefined,
  };
}

/** What is in force of what a conversation looks at. */
function selected(slots: Slots, narrowing: ReadonlySet<string>): Query["only"] {
  const names = (value: SlotValue): readonly string[] =>
    typeof value === "object" && !isLimits(value) ? value : [String(value)];
  const own = Object.entries(slots).filter(([name, value]) => narrowing.has(name) && !isLimits(value));
  return Object.fromEntries(own.map(([name, value]) => [name, names(value)]));
}

/** Says that nothing has made the values, and what to ask for first. */
function missing({ talk, language }: Looking, label: string, steps: readonly string[]): Told {
  const texts = RESULT_TEXTS[language];
  const goal = [...talk.flow.goals].find(([, own]) => own.some((step) => steps.includes(step)))?.[0];
  const button = goal === undefined ? undefined : (talk.labels.get(goal)?.[language] ?? goal);
  return {
    text: button === undefined ? texts.none(label) : texts.missing(label, button),
    ...(button === undefined ? {} : { button }),
    only: {},
  };
}
