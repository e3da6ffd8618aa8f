import type { ModelPolicy } from "../mesh/index.ts";
import { chooseModel } from "../models/index.ts";
import type { RunOrder } from "../store/index.ts";
import type { Turn } from "./turn-step.ts";

/** The order of the run that answers a turn. */
export function orderOf({ request, intent, target, inputs }: Turn, models: ModelPolicy): RunOrder {
  const { caller, sessionId, conversationId, modelHint, quiet, requestId, traceparent } = request;
  return {
    message: request.message ?? `Run the flow ${request.flow}.`,
    intent,
    target,
    model: chooseModel(models, { hint: modelHint, task: intent, session: sessionId }),
    subject: caller.subject,
    ...(quiet ? { quiet } : {}),
    ...(requestId === undefined ? {} : { requestId }),
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}
