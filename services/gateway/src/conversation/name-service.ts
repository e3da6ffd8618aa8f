import { GatewayError } from "../errors.ts";
import type { Service } from "../mesh/index.ts";
import { mayUse } from "./offers.ts";
import { serve } from "./serve.ts";
import type { Talk } from "./talk.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/**
 * What a turn is understood with where the caller names the service that they speak to: the flow that answers for it, alone, so that what
 * the message says of it still counts.
 * @throws GatewayError not_found: an unknown service and one that the caller may not use look alike
 */
export function forService({ request }: Turn, deps: TurnDeps): TurnDeps {
  if (request.service === undefined) return deps;
  const service = deps.mesh.services.get(request.service);
  if (!service || !mayUse(request.caller, service, deps))
    throw new GatewayError("not_found", "There is no such service.");
  const talk = deps.talks.find((one) => answersFor(one, service));
  return { ...deps, talks: talk ? [talk] : [], services: undefined };
}

/** Has the named service answer, where no flow hears messages for it. */
export function serveNamed(turn: Turn, deps: TurnDeps): "next" | "answered" {
  const { service: name } = turn.request;
  const service = name === undefined ? undefined : deps.mesh.services.get(name);
  if (!service || deps.talks.length > 0) return "next";
  if (turn.request.inputs) turn.inputs = turn.request.inputs;
  return serve(turn, service, { confidence: 1, source: "user" }, deps);
}

function answersFor({ flow }: Talk, { name, target }: Service): boolean {
  if (target.kind === "flow") return target.flow === flow.name;
  return target.kind === "agent" && flow.goals.has(name);
}
