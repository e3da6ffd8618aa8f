import { constraintsOf, type Mesh } from "../mesh/index.ts";
import { chooseModel } from "../models/index.ts";
import type { RunOrder } from "../store/index.ts";
import { prefaceOf } from "./preface.ts";
import type { Turn } from "./turn-step.ts";
import { languageOf } from "./wording.ts";

/** The order of the run that answers a turn. */
export function orderOf(turn: Turn, mesh: Mesh): RunOrder {
  const { request, intent, understood, target, talk, inputs, slots, heard, takesOver } = turn;
  const { caller, sessionId, conversationId, modelHint, quiet, requestId, hops, plan, maxAgeMs } = request;
  const order: RunOrder = {
    message: request.message ?? (request.task ? `Do ${intent}.` : `Run the flow ${request.flow}.`),
    intent,
    target,
    model: chooseModel(mesh.models, { hint: modelHint, task: intent, session: sessionId }),
    subject: caller.subject,
    issuer: caller.issuer,
    roles: caller.roles,
  };
  if (request.disableFallbacks) order.disableFallbacks = true;
  if (quiet) order.quiet = true;
  if (request.service !== undefined) order.service = request.service;
  if (requestId !== undefined) order.requestId = requestId;
  if (conversationId !== undefined) order.conversationId = conversationId;
  const { traceparent, tracestate } = turn.trace;
  if (traceparent !== undefined) order.traceparent = traceparent;
  if (tracestate !== undefined) order.tracestate = tracestate;
  if (hops && hops.length > 0) order.hops = hops;
  if (maxAgeMs !== undefined) order.maxAgeMs = maxAgeMs;
  if (plan && target.kind === "service") order.plan = true;
  // A question answers this turn, and the next one is about the same inputs.
  if (inputs && (talk || target.kind !== "general")) order.inputs = inputs;
  if (isDialogue(target, mesh) && WORDS.test(order.message)) order.locale = languageOf(order.message);
  if (understood) order.understood = understood;
  if (turn.used) order.used = turn.used;
  if (turn.pauseButtons) order.pauseButtons = turn.pauseButtons;
  if (turn.buttons) order.buttons = turn.buttons;
  if (takesOver) order.takesOver = takesOver;
  const constraints = talk && slots ? constraintsOf(talk.flow, slots) : [];
  if (talk && constraints.length > 0) order.constraints = { flow: talk.flow.name, said: constraints };
  order.language = heard?.language ?? languageOf(order.message);
  const first = talk && heard && prefaceOf(constraints, { ...heard, target, talk, inputs: turn.plainInputs });
  const line = [first, ...(turn.also ?? [])].filter((part) => part !== undefined).join(" ");
  const preface = [line, turn.told].filter((part) => part !== undefined && part !== "").join("\n\n");
  if (preface !== "") order.preface = preface;
  return order;
}

/** "50,000" is said in the language that was spoken before. */
const WORDS = /\p{L}/u;

function isDialogue(target: Turn["target"], mesh: Mesh): boolean {
  return target.kind === "service" && mesh.services.get(target.service)?.target.kind === "dialogue";
}
