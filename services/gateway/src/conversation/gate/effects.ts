import type { Flow, FlowStep, Mesh, Orders } from "../../mesh/index.ts";
import { planOfFlow } from "../../runs/index.ts";
import { isClearOrder } from "./clear-order.ts";

/** Goals of a flow whose plans change something outside, or ask a person to decide about it. */
export function effectsOf(flow: Flow): ReadonlySet<string> {
  return new Set(
    [...flow.goals.keys()].filter((goal) =>
      planOfFlow(flow, [goal]).steps.some((step) => hasEffect(step as FlowStep)),
    ),
  );
}

const hasEffect = (step: FlowStep): boolean =>
  step.kind === "publish" ||
  step.approval !== undefined ||
  (step.kind === "agent" && step.effect !== undefined);

/** The goals with effects for which the message is no clear order. */
export function unorderedIn(
  message: string,
  goals: readonly string[],
  { flow, mesh, effects = effectsOf(flow) }: { flow: Flow; mesh: Mesh; effects?: ReadonlySet<string> },
): readonly string[] {
  return goals.filter((goal) => effects.has(goal) && !isClearOrder(message, ordersOf(goal, flow, mesh)));
}

/** The verbs of all services that stand for a goal. */
export function ordersOf(goal: string, flow: Flow, { services }: Mesh): Orders {
  const all = [...services.values()].filter(
    ({ name, target }) =>
      name === goal || (target.kind === "flow" && target.flow === flow.name && target.goals.includes(goal)),
  );
  return {
    en: all.flatMap(({ orders }) => orders?.en ?? []),
    ko: all.flatMap(({ orders }) => orders?.ko ?? []),
  };
}
