import type { RunEventBody } from "../events/index.ts";
import type { RunOrder } from "../store/index.ts";
import { type Plan, plannedSteps } from "./plan.ts";

/** The events with which a run's log begins. The log of a run that mirrors another one begins with the events of that one. */
export function firstEvents(sessionId: string, order: RunOrder, plan: Plan | undefined): RunEventBody[] {
  if (plan?.kind === "mirror") return [];
  const { intent, target, model } = order;
  const flow = target.kind === "flow" ? { flow: target.flow } : {};
  const started: RunEventBody = {
    type: "run_started",
    data: { session_id: sessionId, intent, ...flow, model: model.chosen },
  };
  if (plan?.kind !== "plan") return [started];
  return [started, { type: "plan", data: { flow: plan.name, goals: plan.goals, steps: plannedSteps(plan) } }];
}
