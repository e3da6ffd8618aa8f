import { canonicalJson } from "../canonical-json.ts";
import { type RiskModel, riskOf, type Slots } from "../language/index.ts";
import { constraintsOf } from "../mesh/index.ts";
import { orderedSlots } from "./about.ts";
import { withEachQuestion } from "./asked/each-question.ts";
import { keyOf } from "./choices.ts";
import { errandOf } from "./errand.ts";
import { answeredBy, askFirst, gated, labelOf } from "./gate/ask-first.ts";
import {
  askReading,
  inFull,
  isRefused,
  putInFull,
  READING,
  readingAnswered,
  withoutReading,
} from "./gate/confirm.ts";
import type { Hearing } from "./hearing.ts";
import { interpret } from "./interpret.ts";
import type { Interpretation } from "./interpretation.ts";
import { mayHave } from "./offers.ts";
import { prefaceOf } from "./preface.ts";
import { askIntent } from "./questions.ts";
import { respond } from "./respond.ts";
import { serveByDefault } from "./serve.ts";
import type { PlainInputs } from "./session-inputs.ts";
import { HARMLESS } from "./signs.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import type { Told } from "./told.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { type Language, languageOf, wording } from "./wording.ts";
import {
  asOf,
  merged,
  type Option,
  type Proposal,
  type Question,
  type WorkingSet,
  withoutQuestion,
} from "./working-set.ts";

/** Understands a message in its conversation: sets the turn's target, its preface, and the working set for the next turn. */
export async function converse(
  turn: Turn,
  { talk, working: was }: { talk: Talk; working: WorkingSet },
  deps: TurnDeps,
): Promise<"next" | "answered"> {
  const { runId, request, inputsGone } = turn;
  const { plan, caller } = request;
  const isRight = readingAnswered(turn.message ?? request.message ?? "", was);
  if (isRight === "wrong") return readWrong(turn, was, talk);
  const working = isRight ? { ...withoutQuestion(was), ...was.question?.asOf } : was;
  const message = isRight?.right ?? turn.message ?? request.message ?? "";
  const language = languageOf(message);
  const offers = (category: string) => mayHave(caller, category, talk, deps);
  const hearing = hearingOf(talk, turn.plainInputs, { ...deps, offers });
  const said = isRight?.right ?? request.message ?? "";
  const answer = answeredBy(said, working, hearing);
  if (answer?.kind === "no") {
    const label = labelOf(answer.offer.does.goals, talk, language);
    turn.intent = talk.general;
    turn.target = { kind: "general", reply: { text: wording(language).notDone(label), buttons: [] } };
    turn.next = withoutQuestion(working);
    return "answered";
  }
  const pressed = answer && "found" in answer ? answer.found : undefined;
  // What a model has heard of a yes says nothing of the message that was shown.
  const told = isRight ? undefined : (turn.heardByModel ?? undefined);
  let found = pressed ?? interpret(answer?.label ?? message, working, hearing, told);
  found = withEachQuestion(found, message, hearing);
  // The run that was to make the proposal may have failed.
  if (found.proposal && !(await deps.runs.hasResult(caller, firstResult(found.proposal))))
    delete found.proposal;
  await useInputsOf(found.proposal, turn, deps);
  const meant = found;
  // Who says yes agrees to what was shown, and to nothing else.
  const agreed = isRight && was.question?.pending;
  const doubt = agreed
    ? !isSame(agreed, found) && "wrong"
    : !turn.heardByModel && doubtIn(found, working, deps.risk);
  if (doubt) return makeSure(found, doubt, turn, { talk, working, language, message }, deps);
  const gate = await gated(found, { message: said, answer, turn, talk, hearing }, deps);
  const { held } = gate;
  found = gate.found;
  const ask = (next: WorkingSet) => askFirst(gate, { turn, talk, next, hearing, language }, deps);
  if (held.length > 0 && found.goals.length === 0) {
    const { text, button, next } = await ask({ ...(found.from ?? working), slots: found.inForce });
    const { target } = errandOf(meant, talk, deps.mesh);
    const heard = {
      unsupported: gate.unread ?? meant.unsupported,
      undone: meant.command === "undone",
      language,
    };
    const constraints = constraintsOf(talk.flow, orderedSlots(meant, working, talk));
    const about = prefaceOf(constraints, { ...heard, target, talk, inputs: turn.plainInputs });
    turn.intent = meant.category;
    turn.target = { kind: "general", reply: { text: `${about}\n\n${text}`, buttons: [button] } };
    turn.next = next;
    return "answered";
  }
  const response = respond(found, { working, talk, mesh: deps.mesh, language, runId, plan, inputsGone });
  const { category, confidence, source, goals, slots } = found;
  turn.intent = category;
  turn.understood = { category, confidence, source, goals, slots: Object.keys(slots) };
  turn.next = response.next;
  if (response.kind === "nothing") {
    if (!serveByDefault(turn, deps) && !clarify(turn, message, hearing)) {
      const reply = { text: deps.mesh.general[language], buttons: [] };
      turn.target = { kind: "general", reply };
    }
    return "answered";
  }
  if (response.kind === "reply") {
    const { question, from = working } = found;
    const put = question && !inputsGone ? wholeOf(question, from, turn, talk, language) : response;
    turn.target = { kind: "general", reply: { text: put.text, buttons: put.buttons } };
    return "answered";
  }
  const { target, takesOver } = response.errand;
  // A button says nothing of what steps read in the message that was asked about.
  const asked = isRight?.right ?? found.completes ?? turn.message;
  turn.target = target.kind === "flow" && asked !== undefined ? { ...target, message: asked } : target;
  if (target.kind === "service") turn.understood.target_agent = agentOf(target.service, deps);
  if (takesOver) turn.takesOver = takesOver;
  turn.slots = orderedSlots(found, working, talk);
  turn.heard = { unsupported: found.unsupported, undone: found.command === "undone", language };
  if (held.length === 0) return "next";
  const { text, button, next } = await ask(response.next);
  turn.next = next;
  turn.also = [text];
  turn.buttons = [button];
  return "next";
}

/** Asks what is meant by a message that the flow knows nothing of; the same is not asked twice in a row. */
function clarify(turn: Turn, message: string, hearing: Hearing): boolean {
  const { talk, offers: mayOffer } = hearing;
  const heard = talk.classify(message);
  if (!talk.flow.unclear.has(heard.category)) return false;
  const offers = (category: string): boolean => mayOffer(category) && !talk.effects.has(category);
  const question = askIntent(message, heard, { talk, offers }, 0);
  if (!question || turn.working?.asked === question.key) return false;
  turn.target = {
    kind: "general",
    reply: { text: question.text, buttons: question.options.map(({ label }) => label) },
  };
  if (turn.next) turn.next = { ...withoutQuestion(turn.next), question, asked: question.key };
  return true;
}

type Meant = Pick<Interpretation, "slots" | "goals">;

const isSame = (one: Meant, other: Meant): boolean =>
  canonicalJson([one.slots, one.goals]) === canonicalJson([other.slots, other.goals]);

/**
 * What is likely of a reading so that the user is asked before it is acted on. Who says again what was asked about means it; what is said after
 * a no goes on from what was not meant.
 */
function doubtIn(
  { signs, isReadInPart, slots, goals }: Interpretation,
  working: WorkingSet,
  risk: RiskModel | undefined,
): "foreign" | "wrong" | undefined {
  const { question } = working;
  if (!risk || !(signs || isReadInPart)) return undefined;
  const pending = question?.key === READING ? question.pending : undefined;
  if (pending && isSame(pending, { slots, goals })) return undefined;
  if (!signs) return "wrong";
  if (riskOf(signs, risk.foreign) >= risk.foreign.cut) return "foreign";
  if (isRefused(working)) return "wrong";
  return !signs.includes(HARMLESS) && riskOf(signs, risk.wrong) >= risk.wrong.cut ? "wrong" : undefined;
}

/** Says how the message was read and asks whether that is right. Until then nothing is done, and nothing of it is in force. */
function makeSure(
  found: Interpretation,
  doubt: "foreign" | "wrong",
  turn: Turn,
  {
    talk,
    working,
    language,
    message,
  }: { talk: Talk; working: WorkingSet; language: Language; message: string },
  { mesh }: TurnDeps,
): "answered" {
  const { category, confidence, source, goals, slots, unsupported } = found;
  const { target } = errandOf(found, talk, mesh);
  const heard = { unsupported, undone: found.command === "undone", language };
  const { allBut, readSo, perhapsNot } = wording(language);
  const allOf = (slot: string) => talk.allOf(slot, turn.plainInputs);
  const shown = inFull(orderedSlots(found, working, talk), talk.narrowing, { allOf, allBut });
  const constraints = constraintsOf(talk.flow, shown);
  const about = prefaceOf(constraints, { ...heard, target, talk, inputs: turn.plainInputs });
  const so = readSo(labelOf(goals, talk, language), about);
  const text = doubt === "foreign" ? `${perhapsNot} ${so}` : so;
  const others = otherReadings(found, turn, { talk, working, language });
  const question = askReading(found, { message, text, working, others }, language);
  turn.intent = category;
  turn.understood = { category, confidence, source, goals, slots: Object.keys(slots) };
  turn.target = { kind: "general", reply: { text, buttons: question.options.map(({ label }) => label) } };
  turn.next = { ...withoutQuestion(working), question: { ...question, asOf: asOf(working) }, asked: READING };
  return "answered";
}

/** Of constraints, and of goals. */
const MOST_OTHERS = 2;

/** What else a message may mean, as buttons: the same with other constraints, or these for another goal. */
function otherReadings(
  found: Interpretation,
  turn: Turn,
  { talk, working, language }: { talk: Talk; working: WorkingSet; language: Language },
): Option[] {
  const { goals, category, slots, unsupported } = found;
  const { allBut, noConstraint } = wording(language);
  const allOf = (slot: string) => talk.allOf(slot, turn.plainInputs);
  const sayAll = (all: Slots): string =>
    talk.echo(
      inFull(orderedSlots({ ...found, slots: all }, working, talk), talk.narrowing, { allOf, allBut }),
      language,
    ) || noConstraint;
  const shown = new Set([sayAll(slots)]);
  const options: Option[] = [];
  for (const other of found.others?.() ?? []) {
    const label = sayAll(other.slots);
    if (shown.has(label) || options.length >= MOST_OTHERS) continue;
    shown.add(label);
    options.push({ label, instead: { category, goals, ...other } });
  }
  const likeliest = (found.choices ?? [])
    .filter(({ goals: other }) => other.length > 0 && keyOf(other) !== keyOf(goals))
    .filter(({ goals: other }) => !other.some((goal) => talk.effects.has(goal)))
    .slice(0, MOST_OTHERS);
  for (const { goals: other } of likeliest) {
    const category = other.length > 1 ? COMPOSITE : (other[0] ?? "");
    options.push({
      label: labelOf(other, talk, language),
      instead: { category, goals: other, slots, unsupported },
    });
  }
  return options;
}

/** A question with what holds besides, whatever the answer is. */
function wholeOf(question: Question, working: WorkingSet, turn: Turn, talk: Talk, language: Language) {
  const { options, pending } = question;
  const open = new Set(options.flatMap(({ sets }) => Object.keys(sets ?? {})));
  const isApplied = (slot: string): boolean => {
    const own = talk.appliesTo(slot);
    return own.length === 0 || pending.goals.length === 0 || pending.goals.some((goal) => own.includes(goal));
  };
  const rest = Object.entries(merged(working.slots, pending.slots, pending.cleared)).filter(
    ([slot]) => !open.has(slot) && isApplied(slot),
  );
  const { allBut } = wording(language);
  const allOf = (slot: string) => talk.allOf(slot, turn.plainInputs);
  const shown = inFull(Object.fromEntries(rest), talk.narrowing, { allOf, allBut });
  return putInFull(question, talk.echo(shown, language), language);
}

function readWrong(turn: Turn, working: WorkingSet, talk: Talk): "answered" {
  const language = languageOf(working.question?.pending.message ?? "");
  turn.intent = talk.general;
  turn.target = { kind: "general", reply: { text: wording(language).sayOtherwise, buttons: [] } };
  turn.next = withoutReading(working);
  return "answered";
}

/** How a message is heard, over the entities of the inputs in use. */
export function hearingOf(
  talk: Talk,
  inputs: PlainInputs | undefined,
  { route, intentThreshold, offers }: Pick<TurnDeps, "route" | "intentThreshold"> & Pick<Hearing, "offers">,
): Hearing {
  // Many blanks would take the patterns that look for words between blanks very long.
  const spelled = (text: string) => talk.spelled(text.replace(/\s+/g, " "), inputs);
  // A model quotes what the user has written; it is looked for in what was read of that.
  const spelledAlike = ({ claims, named }: Pick<Told, "claims" | "named">) => ({
    claims: claims.map((claim) => ({
      ...claim,
      quote: spelled(claim.quote),
      scope: claim.scope.map((part) => ({ ...part, quote: spelled(part.quote) })),
    })),
    named: named.map(spelled),
  });
  return {
    talk,
    offers,
    threshold: intentThreshold,
    spelled,
    readSlots: (message, before) => talk.readSlots(message, inputs, before),
    pairOf: (message, before) => talk.pairOf(message, inputs, before),
    verified: (message, said, before) => talk.verified(message, spelledAlike(said), inputs, before),
    allOf: (slot) => talk.allOf(slot, inputs),
    byRules: (message) => {
      const routed = route(message, { plan: false });
      return routed.kind === "ask" ? [routed.service] : routed.kind === "plan" ? routed.goals : [];
    },
  };
}

/** A turn about a proposal is about the inputs of the proposal. */
async function useInputsOf(proposal: Proposal | undefined, turn: Turn, { inputs }: TurnDeps): Promise<void> {
  if (!proposal || proposal.inputsOf === turn.inputsOf) return;
  delete turn.inputs;
  delete turn.plainInputs;
  delete turn.inputsOf;
  if (proposal.inputsOf === undefined) return;
  const used = await inputs.find(turn.request.caller, proposal.inputsOf);
  turn.inputs = used.inputs;
  turn.plainInputs = used.plain;
  await turn.talk?.prepare(used.plain);
  turn.inputsOf = proposal.inputsOf;
}

function firstResult({ run, steps }: Proposal): { run: string; step: string } {
  return { run, step: Object.values(steps)[0] ?? "" };
}

function agentOf(name: string, { mesh }: TurnDeps): string | undefined {
  const target = mesh.services.get(name)?.target;
  return target?.kind === "agent" ? target.agent : undefined;
}
