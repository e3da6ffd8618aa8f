import type { OrderNotMet } from "../approvals/index.ts";
import type { RunEnd } from "../events/index.ts";
import type { Flow, Step } from "../mesh/index.ts";
import type { RunOrder, StepDecision } from "../store/index.ts";

/** A step that was not done: its approval was not given, or it is not what was said. */
export type Refusal = { step: Step; decision?: StepDecision; notMet?: OrderNotMet };

type Finished = Extract<RunEnd, { type: "run_finished" }>["data"];

/** The text of a refusal for the user. */
export function refusalText({ step, decision, notMet }: Refusal, flow: Flow | undefined): string {
  const notDone = `The step "${step.id}" was not done`;
  if (!notMet) return `${notDone}: its approval was ${decision?.decision ?? "not given"}.`;
  const why =
    notMet.code === "order_not_met"
      ? "it would not be what was asked for."
      : "it could not be checked against what was asked for.";
  const lines = notMet.differences.map(({ slot, message }) => `- ${labelOf(slot, flow)}: ${message}`);
  return [`${notDone}: ${why}`, ...lines].join("\n");
}

/** What the end of a run says of a refusal: a person's decision has an event of its own. */
export function refusalData(
  { step, notMet }: Refusal,
  { language = "en" }: RunOrder,
): Pick<Finished, "refused" | "ui_hint"> {
  if (!notMet) return {};
  const { code, differences, part } = notMet;
  return {
    refused: { node: step.id, code, differences },
    ...(part ? { ui_hint: { buttons: [part[language]] } } : {}),
  };
}

export function labelOf(slot: string, flow: Flow | undefined): string {
  return flow?.slots?.slots.find(({ name }) => name === slot)?.label.en ?? slot;
}
