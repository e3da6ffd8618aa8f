import { JsonText } from "../json-text.ts";
import type { Service } from "../mesh/index.ts";
import type { RunTarget } from "../store/index.ts";
import { checkInputs } from "./check-inputs.ts";
import type { Source } from "./interpretation.ts";
import { mayUse } from "./offers.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { withoutDialogue, withoutQuestion } from "./working-set.ts";

/** How it was found out that a turn is for a service, and what the service is told where that is not the turn's message. */
type Found = { confidence: number; source: Source; message?: string | undefined };

/** Has a service answer the turn. */
export function serve(
  turn: Turn,
  { name, target }: Service,
  { confidence, source, message }: Found,
  deps: TurnDeps,
): "answered" {
  const { request, working } = turn;
  const speaks = target.kind === "dialogue" || target.kind === "remote";
  turn.target =
    target.kind === "flow"
      ? { kind: "flow", flow: target.flow, goals: target.goals }
      : serviceTarget(name, speaks ? message : undefined);
  turn.intent = target.kind === "flow" ? "plan" : name;
  turn.understood = {
    category: name,
    confidence,
    source,
    goals: target.kind === "flow" ? target.goals : [],
    slots: [],
    ...(target.kind === "agent" || target.kind === "dialogue" ? { target_agent: target.agent } : {}),
  };
  if (working)
    turn.next = { ...withoutQuestion(withoutDialogue(working)), ...(speaks ? { dialogue: name } : {}) };
  if (speaks || !turn.inputs) useOwnInputs(turn);
  if (request.inputs instanceof JsonText) request.inputs.take();
  checkInputs(turn, deps);
  return "answered";
}

/** Has the manifest's default service answer a message that asks for nothing else. @returns whether there is one for the caller */
export function serveByDefault(turn: Turn, deps: TurnDeps): boolean {
  const { defaultService, services } = deps.mesh;
  if (turn.request.service !== undefined) return false;
  const service = defaultService === undefined ? undefined : services.get(defaultService);
  if (!service || !mayUse(turn.request.caller, service, deps)) return false;
  serve(turn, service, { confidence: turn.understood?.confidence ?? 1, source: "rules" }, deps);
  return true;
}

function serviceTarget(service: string, message: string | undefined): RunTarget {
  return { kind: "service", service, ...(message === undefined ? {} : { message }) };
}

/** Those of the session are its flow's. */
function useOwnInputs(turn: Turn): void {
  delete turn.plainInputs;
  delete turn.inputsOf;
  if (turn.request.inputs) turn.inputs = turn.request.inputs;
  else delete turn.inputs;
}
