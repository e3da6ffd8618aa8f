import type { RunOrder } from "../store/index.ts";
import type { Plan } from "./plan.ts";

/** The names under which a run is found from its acceptance on, besides its owner and session. How it ended is added with its end. */
export function indexesOf(order: RunOrder, plan: Plan | undefined): string[] {
  const names = new Set<string>();
  if (order.target.kind === "flow") names.add(`flow:${order.target.flow}`);
  const service = serviceOf(order);
  if (service !== undefined) names.add(`service:${service}`);
  for (const { resource } of plan?.uses ?? [])
    if (resource.kind === "task") names.add(`agent:${resource.agent}`);
  return [...names];
}

/** The service that answers, where the order is for one. */
export function serviceOf({ service, target }: Pick<RunOrder, "service" | "target">): string | undefined {
  if (target.kind === "service") return target.service;
  return service ?? (target.kind === "flow" ? target.answer : undefined);
}
