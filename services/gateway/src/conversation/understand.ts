import { GatewayError } from "../errors.ts";
import type { Mesh } from "../mesh/index.ts";
import type { RunTarget } from "../store/index.ts";
import { converse } from "./converse.ts";
import { serveByDefault } from "./serve.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/**
 * Finds out what the message asks for. A flow that the caller names goes before what the message says. Where the manifest says nothing
 * of what people ask, keywords decide.
 */
export function understand(turn: Turn, deps: TurnDeps): "next" | "answered" | Promise<"next" | "answered"> {
  const { mesh, route } = deps;
  const { flow, goals, plan = false } = turn.request;
  const message = turn.message ?? turn.request.message ?? "";
  if (flow !== undefined) {
    turn.intent = "plan";
    turn.target = flowTarget(mesh, flow, goals);
    return "next";
  }
  const { talk, working } = turn;
  if (talk && working && goals === undefined) return converse(turn, { talk, working }, deps);
  const routed = route(message, { plan });
  turn.intent = routed.intent;
  switch (routed.kind) {
    case "plan":
      turn.target = flowTarget(mesh, routed.flow, goals ?? routed.goals);
      return "next";
    case "ask":
      turn.target = { kind: "service", service: routed.service };
      return "next";
    case "general":
      serveByDefault(turn, deps);
      return "answered";
    default:
      return routed satisfies never;
  }
}

/** @throws GatewayError invalid_request */
function flowTarget(mesh: Mesh, name: string, goals: readonly string[] | undefined): RunTarget {
  const flow = mesh.flows.get(name);
  if (!flow) throw new GatewayError("invalid_request", "There is no such flow.");
  if (goals?.some((goal) => !flow.goals.has(goal)))
    throw new GatewayError("invalid_request", "The flow has no such goal.");
  return { kind: "flow", flow: flow.name, goals: goals ?? flow.defaultGoals };
}
