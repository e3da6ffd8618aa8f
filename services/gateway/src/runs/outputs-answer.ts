import { GatewayError } from "../errors.ts";
import type { RunEnd } from "../events/index.ts";
import { JsonText, plainValue } from "../json-text.ts";
import type { Mesh, Step } from "../mesh/index.ts";
import type { StepResult } from "../store/index.ts";
import type { AnswersWith, Plan } from "./plan.ts";

/** Bytes of JSON that an answer, its run's record and its last event may each have of a run's outputs. */
const MOST_OUTPUTS = 16 * 1024;

type Finished = Extract<RunEnd, { type: "run_finished" }>["data"];

/** What an answer has of a run's outputs: those that are too large are named, and tables are those of its text. */
export type RunOutputs = Pick<Finished, "outputs" | "large_outputs" | "tables">;

/** The answer of a plan that has nobody to word one: its outputs, and a text of them. */
export type OutputsAnswer = { text: string; data: RunOutputs };

/**
 * @returns undefined where no step of these has outputs
 * @throws GatewayError value_timeout, the reason of the signal
 */
export async function outputsAnswer(
  { plan, results, runId }: { plan: Pick<Plan, "steps" | "answersWith">; results: Results; runId: string },
  { mesh, signal }: { mesh: Mesh; signal: AbortSignal },
): Promise<OutputsAnswer | undefined> {
  const { answersWith } = plan;
  if (!answersWith) return undefined;
  const shown = await shownBy(plan.steps, { answersWith, results, signal });
  const [only] = shown.values();
  if (only === undefined) return undefined;
  const kept = new Map<string, unknown>();
  const large: { node: string; bytes: number }[] = [];
  let left = MOST_OUTPUTS;
  for (const [node, value] of shown) {
    const bytes = Buffer.byteLength(value instanceof JsonText ? value.text : JSON.stringify(value));
    if (bytes > left) large.push({ node, bytes });
    else {
      left -= bytes;
      kept.set(node, plainValue(value));
    }
  }
  const isOne = "step" in answersWith;
  const text = await textOf(isOne ? Object(only) : Object.fromEntries(shown), { mesh, signal });
  return {
    text: [text, ...large.map((one) => whereIs(one, runId))].filter((part) => part !== "").join("\n\n"),
    data: {
      ...(kept.size > 0 ? { outputs: isOne ? Object(plainValue(only)) : Object.fromEntries(kept) } : {}),
      ...(large.length > 0 ? { large_outputs: large } : {}),
    },
  };
}

/** What the events of the steps show, by step: the answer has no more than these. */
async function shownBy(
  steps: readonly Step[],
  { answersWith, results, signal }: { answersWith: AnswersWith; results: Results; signal: AbortSignal },
): Promise<Map<string, unknown>> {
  const names = "step" in answersWith ? [answersWith.step] : answersWith.steps;
  const shown = new Map<string, unknown>();
  for (const step of steps) {
    const result = results[step.id];
    if (!names.includes(step.id) || !result || step.kind !== "agent") continue;
    const value = await step.show?.(result, signal);
    if (value !== undefined) shown.set(step.id, value);
  }
  return shown;
}

type Results = Readonly<Record<string, StepResult>>;

/** Outputs that the processes for large values cannot read are still named, with their size. */
async function textOf(value: object, { mesh, signal }: { mesh: Mesh; signal: AbortSignal }): Promise<string> {
  try {
    return await mesh.readable(value, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GatewayError && error.code === "value_timeout") return "";
    throw error;
  }
}

function whereIs({ node, bytes }: { node: string; bytes: number }, runId: string): string {
  return `All outputs of ${node} (${bytes} bytes) are in its step_finished event: GET /api/v1/runs/${runId}/events`;
}
