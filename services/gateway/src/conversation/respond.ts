import type { Mesh } from "../mesh/index.ts";
import { type Errand, errandOf } from "./errand.ts";
import type { Interpretation } from "./interpretation.ts";
import type { Talk } from "./talk.ts";
import { type Language, wording } from "./wording.ts";
import {
  type Doing,
  emptyWorkingSet,
  type Proposal,
  type WorkingSet,
  withDoing,
  withoutQuestion,
} from "./working-set.ts";

/**
 * What the gateway does about a message: it answers itself, or has something done, or finds nothing that is asked for. Each changes what
 * the session works with.
 */
export type Response =
  | { kind: "nothing"; next: WorkingSet }
  | { kind: "reply"; text: string; buttons: readonly string[]; next: WorkingSet }
  | { kind: "errand"; errand: Errand; next: WorkingSet };

type Circumstances = {
  working: WorkingSet;
  talk: Talk;
  mesh: Mesh;
  language: Language;
  runId: string;
  /** A plan is wanted, even where one service would do. */
  plan?: boolean | undefined;
  /** The session's inputs are not kept any more. */
  inputsGone?: boolean | undefined;
};

/** Decides what follows from an interpretation. Changes nothing. */
export function respond(found: Interpretation, circumstances: Circumstances): Response {
  const { talk, mesh, plan, runId } = circumstances;
  const working = found.from ?? circumstances.working;
  const reply = ownReply(found, { ...circumstances, working });
  if (reply) return { kind: "reply", ...reply, buttons: reply.buttons ?? [] };
  const errand = errandOf(found, talk, mesh, { plan });
  const settled = withoutQuestion({ ...working, slots: found.inForce });
  // "No idea" leaves a question open, and what the answer to it is for.
  if (errand.target.kind === "general") return { kind: "nothing", next: stillAsked(settled, working) };
  return { kind: "errand", errand, next: nextOf(found, settled, runId, errand.makes) };
}

const stillAsked = (next: WorkingSet, { question }: WorkingSet): WorkingSet =>
  question ? { ...next, question } : next;

type OwnReply = { text: string; buttons?: readonly string[]; next: WorkingSet };

/** What the gateway itself answers: questions, and commands that concern the conversation alone. */
function ownReply(
  { question, command, inForce }: Interpretation,
  { working, language, inputsGone }: Circumstances,
): OwnReply | undefined {
  const words = wording(language);
  if (command === "started_over") return { text: words.startedOver, next: emptyWorkingSet(working.flow) };
  if (inputsGone) return { text: words.inputsGone, next: withoutQuestion(working) };
  if (question) {
    const buttons = question.options.map(({ label }) => label);
    return {
      text: question.text,
      buttons,
      next: { ...withoutQuestion(working), question, asked: question.key },
    };
  }
  if (command === "nothing_to_undo") return { text: words.nothingToUndo, next: withoutQuestion(working) };
  if (command === "undone" && working.done.length < 2)
    return { text: words.undone, next: withoutQuestion({ ...working, slots: inForce, done: [] }) };
  return undefined;
}

/** What the session works with after a turn that does something. */
function nextOf(
  { category, goals, slots, inForce, about, left, proposal, command, done, unsupported }: Interpretation,
  working: WorkingSet,
  run: string,
  makes: Proposal["steps"] | undefined,
): WorkingSet {
  const doing: Doing = {
    category,
    goals,
    slots,
    ...(about === undefined ? {} : { about }),
    ...(left === undefined ? {} : { left }),
    ...(proposal === undefined ? {} : { proposal: proposal.run }),
  };
  const { inputsOf } = working;
  const made = makes && {
    run,
    steps: makes,
    slots: inForce,
    ...(unsupported.length > 0 ? { unapplied: unsupported } : {}),
    ...(inputsOf === undefined ? {} : { inputsOf }),
  };
  const next = withDoing({ ...working, done: done ?? working.done }, doing, run, made);
  return command === "undone" ? { ...next, undid: true } : next;
}
