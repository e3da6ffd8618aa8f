import type { Flow, Mesh } from "../../mesh/index.ts";
import type { Turn, TurnDeps } from "../turn-step.ts";
import { languageOf, wording } from "../wording.ts";
import { type Does, withoutQuestion } from "../working-set.ts";
import { unorderedIn } from "./effects.ts";
import { BUTTONS, buttonIn, codeOf, inputsHash } from "./offer.ts";

/**
 * The button of a flow that is not asked in words: nothing of it is remembered, so that its code alone tells whether it still does what
 * it offered.
 */
export function pressButton(turn: Turn, deps: TurnDeps): "next" | Promise<"next" | "answered"> {
  const { message, flow, goals } = turn.request;
  const button = message === undefined ? undefined : buttonIn(message);
  return button && flow === undefined && goals === undefined ? press(button.code, turn, deps) : "next";
}

async function press(code: string, turn: Turn, { mesh, talks }: TurnDeps): Promise<"next" | "answered"> {
  const hash = await inputsHash(turn.request.inputs);
  for (const { target } of mesh.services.values()) {
    const flow = target.kind === "flow" ? mesh.flows.get(target.flow) : undefined;
    if (!flow || target.kind !== "flow" || talks.some((talk) => talk.flow === flow)) continue;
    if (codeOf(doesOf(flow, target.goals, hash)) !== code) continue;
    turn.intent = "plan";
    turn.target = { kind: "flow", flow: flow.name, goals: target.goals };
    turn.isOrdered = true;
    return "answered";
  }
  return "next";
}

const doesOf = (flow: Flow, goals: readonly string[], inputs: string | undefined): Does => ({
  flow: flow.name,
  goals,
  slots: {},
  ...(inputs === undefined ? {} : { inputs }),
});

/**
 * The last thing before a run begins, whatever chose its target: effects that the message does not clearly order are asked about. A caller
 * that names the flow or its goals has ordered them.
 */
export function holdTarget(turn: Turn, mesh: Mesh): undefined | Promise<void> {
  const { target, request } = turn;
  if (target.kind !== "flow" || turn.isOrdered || request.flow !== undefined || request.goals !== undefined)
    return undefined;
  const flow = mesh.flows.get(target.flow);
  const held = flow ? unorderedIn(request.message ?? "", target.goals, { flow, mesh }) : [];
  return flow && held.length > 0 ? hold(turn, { flow, goals: target.goals, held }, mesh) : undefined;
}

async function hold(
  turn: Turn,
  { flow, goals, held }: { flow: Flow; goals: readonly string[]; held: readonly string[] },
  mesh: Mesh,
): Promise<void> {
  const { message = "", inputs } = turn.request;
  const language = languageOf(message);
  const label = held.map((goal) => mesh.services.get(goal)?.label?.[language] ?? goal).join(", ");
  const does = doesOf(flow, goals, await inputsHash(inputs));
  const changed = buttonIn(message) ? [] : undefined;
  // Discard what the turn would have changed: the working set stays, without its open question.
  if (turn.working) turn.next = withoutQuestion(turn.working);
  turn.target = {
    kind: "general",
    reply: {
      text: wording(language).shall(label, changed),
      buttons: [BUTTONS[language](label, codeOf(does))],
    },
  };
}
