import type { RenderStep } from "../../mesh/index.ts";
import type { StepResult } from "../../store/index.ts";
import type { FlowContext } from "../flow-context.ts";
import type { StepKind } from "./step-kind.ts";

/** Text is cheap and made anew wherever it is needed: a render step leaves neither an event nor a journal entry. */
export const render: StepKind<RenderStep> = {
  asksAgent: false,
  about: () => undefined,
  execute: (step, { context, signal }) => renderText(step, context, signal),
};

/** Texts one below the other; undefined where there is none. */
export function joinedTexts(value: unknown): string | undefined {
  const texts = [value].flat().filter((text) => typeof text === "string");
  return texts.length > 0 ? texts.join("\n\n") : undefined;
}

export async function renderText(
  step: RenderStep,
  context: FlowContext,
  signal: AbortSignal,
): Promise<StepResult> {
  const text = await step.render(context, signal);
  return { text: joinedTexts(text) ?? "", warnings: [] };
}
