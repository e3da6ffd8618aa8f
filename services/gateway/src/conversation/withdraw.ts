import type { ApprovalRequest } from "../runs/index.ts";
import { clausesIn, MOST_CLAUSES } from "./clauses.ts";
import { takenBack } from "./commands.ts";
import { hearingOf } from "./converse.ts";
import { labelOf } from "./gate/ask-first.ts";
import { isDenied } from "./gate/clear-order.ts";
import { type Hearing, saysSomething } from "./hearing.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { type Language, languageOf, wording } from "./wording.ts";
import { type WorkingSet, withoutQuestion } from "./working-set.ts";

/** A clause that takes something back, what it names, and what stands behind it. */
type TakingBack = { clause: string; names: readonly string[]; behind: readonly string[] };

/** The clause of a message with which something is taken back, wherever it stands: "cancel that, the boss said no". */
export function takingBackIn(message: string): TakingBack | undefined {
  const clauses = clausesIn(message.replace(/\s+/g, " ").trim());
  if (clauses.length > MOST_CLAUSES) return undefined;
  for (const [at, clause] of clauses.entries()) {
    const names = takenBack(clause);
    if (names) return { clause, names, behind: clauses.slice(at + 1) };
  }
  return undefined;
}

/** What an approval is called, beside its id. */
const APPROVAL = /^(?:approvals?|pending|waiting|sign|off|signoff|승인\p{L}*|결재\p{L}*|요청\p{L}*)$/u;

/** Whether what is taken back is called an approval, or by the id of one of these. */
export function namesApproval({ names }: TakingBack, requests: readonly ApprovalRequest[]): boolean {
  return (
    names.length > 0 && names.every((name) => APPROVAL.test(name) || requests.some(({ id }) => id === name))
  );
}

/**
 * Takes back a request for approval that the caller has made in this conversation, where the message says so: one that is named, or what
 * was done last. An approval is a record of its own, so that taking back the turn that asked for it is not enough.
 */
export function withdraw(turn: Turn, deps: TurnDeps): "next" | Promise<"next" | "answered"> {
  const { message, flow, goals } = turn.request;
  if (message === undefined || turn.message !== undefined || flow !== undefined || goals !== undefined)
    return "next";
  const taking = takingBackIn(message);
  if (taking) return withdrawRequest(turn, taking, deps);
  const denied = deniedIn(message, turn, deps);
  return denied.length > 0 ? askToWithdraw(turn, denied, deps) : "next";
}

/** The effects that a message says not to have, where it says nothing else: "don't publish". */
function deniedIn(message: string, turn: Turn, deps: TurnDeps): readonly string[] {
  const { talk } = turn;
  if (!talk || clausesIn(message).length !== 1) return [];
  const denied = [...talk.effects].filter((goal) => isDenied(message, talk.orders(goal)));
  return denied.length === 0 || saysSomething(hearing(turn, talk, deps).readSlots(message, {})) ? [] : denied;
}

/** A request that waits for what is not wanted may be meant. */
async function askToWithdraw(
  turn: Turn,
  denied: readonly string[],
  deps: TurnDeps,
): Promise<"next" | "answered"> {
  const { decisions, mesh } = deps;
  const { caller, sessionId, message = "" } = turn.request;
  const { talk } = turn;
  if (!talk) return "next";
  const language = languageOf(message);
  const texts = wording(language);
  const steps = denied.flatMap((goal) => mesh.flows.get(talk.flow.name)?.goals.get(goal) ?? []);
  const requests = (await decisions.requests(caller, sessionId)).filter(
    ({ flow, step }) => flow === talk.flow.name && steps.includes(step),
  );
  const waiting = requests.filter(({ state }) => state === "pending");
  const [first] = waiting;
  const last = requests.at(-1);
  if (!first && last?.state === "approved")
    return answer(turn, await decidedText(last, turn, language, deps), []);
  if (!first) return answer(turn, texts.notDone(labelOf(denied, talk, language)), []);
  const buttons = waiting.map(({ id }) => texts.withdrawButton(id));
  if (waiting.length === 1) return answer(turn, texts.withdraw(first.step), buttons);
  const listed = waiting.map(({ id, step, createdAt }) => texts.waiting(step, id, timeOf(createdAt)));
  return answer(turn, texts.withdrawWhich(listed), buttons);
}

async function withdrawRequest(turn: Turn, taking: TakingBack, deps: TurnDeps): Promise<"next" | "answered"> {
  const { caller, sessionId, authorization, admitted } = turn.request;
  const requests = await deps.decisions.requests(caller, sessionId);
  const language = languageOf(turn.request.message ?? "");
  const texts = wording(language);
  const meant = meantBy(taking, requests, turn, deps);
  const [first, second] = meant;
  if (!first) return "next";
  if (second) {
    const listed = meant.map(({ id, step, createdAt }) => texts.waiting(step, id, timeOf(createdAt)));
    const buttons = meant.map(({ id }) => texts.withdrawButton(id));
    return answer(turn, texts.withdrawWhich(listed), buttons);
  }
  if (first.state !== "pending") return answer(turn, await decidedText(first, turn, language, deps), []);
  // "Never mind" may mean the question that was asked last, or the request that waits.
  const isOpen = turn.working?.question !== undefined && taking.names.length === 0;
  if (isOpen || isQuestion(taking.clause))
    return answer(turn, texts.withdraw(first.step), [texts.withdrawButton(first.id)]);
  // What the limits refuse changes nothing.
  if (admitted) await admitted;
  try {
    await deps.decisions.withdraw(caller, first.id, authorization);
  } catch (error) {
    const [now] = (await deps.decisions.requests(caller, sessionId)).filter(({ id }) => id === first.id);
    if (!now || now.state === "pending") throw error;
    return answer(turn, await decidedText(now, turn, language, deps), []);
  }
  const rest = taking.behind.filter((clause) => !isComment(clause, turn, deps)).join(", ");
  const said = texts.withdrawn(first.step);
  return answer(turn, rest === "" ? said : `${said}\n\n${texts.sayRest}`, rest === "" ? [] : [rest], first);
}

/** The requests that are meant: several where it has to be asked which; none where the message is about something else. */
function meantBy(
  taking: TakingBack,
  requests: readonly ApprovalRequest[],
  turn: Turn,
  deps: TurnDeps,
): readonly ApprovalRequest[] {
  const { names } = taking;
  const byId = requests.filter(({ id }) => names.includes(id));
  if (byId.length > 0) return byId.slice(0, 1);
  const pending = requests.filter(({ state }) => state === "pending");
  if (names.length > 0) {
    const left = names.filter((name) => !APPROVAL.test(name)).join(" ");
    const named = (request: ApprovalRequest) => left === "" || isNamed(left, request, turn, deps);
    const waiting = pending.filter(named);
    return waiting.length > 0 ? waiting : requests.filter(named).slice(-1);
  }
  const last = lastRun(turn.working);
  const latest = last === undefined ? pending.at(-1) : requests.findLast(({ runId }) => runId === last);
  if (latest?.state === "pending") return pending;
  return latest?.state === "approved" && !turn.working?.question ? [latest] : [];
}

/** The run of what was done last, which "that" points at; undefined where the conversation notes nothing of the kind. */
function lastRun(working: WorkingSet | undefined): string | undefined {
  const goal = working?.done.at(-1)?.goals.at(-1);
  return goal === undefined ? undefined : working?.results[goal];
}

/** Whether words call a request by what it is for: "the publishing". */
function isNamed(words: string, { flow, step }: ApprovalRequest, turn: Turn, deps: TurnDeps): boolean {
  const goals = deps.mesh.flows.get(flow)?.goals;
  const isItsOwn = (goal: string): boolean => goals?.get(goal)?.includes(step) === true;
  const routed = deps.route(words, { plan: false });
  const asked = routed.kind === "ask" ? [routed.service] : routed.kind === "plan" ? routed.goals : [];
  if (asked.some(isItsOwn)) return true;
  const { talk } = turn;
  if (!talk || talk.flow.name !== flow) return false;
  const { category, confidence } = talk.classify(words);
  const isItem = saysSomething(hearing(turn, talk, deps).readSlots(words, {}));
  return !isItem && confidence >= deps.intentThreshold && isItsOwn(category);
}

/** Whether a clause asks for nothing: "the boss said no". */
function isComment(clause: string, turn: Turn, deps: TurnDeps): boolean {
  const { talk } = turn;
  if (!talk) return deps.route(clause, { plan: false }).kind === "general";
  const { byRules, readSlots } = hearing(turn, talk, deps);
  return byRules(clause).length === 0 && !saysSomething(readSlots(clause, {}));
}

function hearing(turn: Turn, talk: NonNullable<Turn["talk"]>, deps: TurnDeps): Hearing {
  return hearingOf(talk, turn.plainInputs, { ...deps, offers: () => true });
}

/** "Can I cancel that?" asks; "can you cancel that?" orders. */
const isQuestion = (clause: string): boolean =>
  /[?？]\s*$/u.test(clause) && !/\b(?:can|could|would|will) you\b/i.test(clause);

async function decidedText(
  { runId, step, state, winner }: ApprovalRequest,
  turn: Turn,
  language: Language,
  { runs }: TurnDeps,
): Promise<string> {
  const texts = wording(language);
  const done = state === "approved" && (await runs.hasResult(turn.request.caller, { run: runId, step }));
  const by = winner ? texts.decidedBy(winner.by, timeOf(Date.parse(winner.at))) : "";
  return texts.decided(step, state, by, done);
}

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** @param taken the request that was taken back, which is no more what was done last */
function answer(turn: Turn, text: string, buttons: readonly string[], taken?: ApprovalRequest): "answered" {
  turn.target = { kind: "general", reply: { text, buttons } };
  const { working } = turn;
  if (working) {
    const { done } = working;
    const isLast = taken !== undefined && lastRun(working) === taken.runId;
    turn.next = { ...withoutQuestion(working), done: isLast ? done.slice(0, -1) : done };
  }
  return "answered";
}
