import type { AssistantTurn, RunUsage } from "@interlock/contracts";
import type { GatewayError } from "../errors.ts";
import { type RunEnd, toolName } from "../events/index.ts";
import type { Mesh, Step } from "../mesh/index.ts";
import {
  NO_USAGE,
  type RunOrder,
  type StepDecision,
  type StepResult,
  type UsageAmounts,
} from "../store/index.ts";
import type { FlowContext } from "./flow-context.ts";
import { outputsAnswer, type RunOutputs } from "./outputs-answer.ts";
import type { Plan } from "./plan.ts";
import { sampleOf, sampleWarnings } from "./sample.ts";
import { renderText, type StepFailure, stepKindOf } from "./steps/index.ts";
import type { Worded } from "./word-answer.ts";

type Results = Readonly<Record<string, StepResult>>;

/** A turn's text. */
export type Answer = {
  text: string;
  /** Whether a template made it of results. */
  isReport: boolean;
  /** Of a plan that has nobody to word an answer. */
  outputs?: RunOutputs;
};

/**
 * The text of the plan's answer step, made from what there is so far where the step has not run. A plan without such a step answers with
 * its outputs.
 */
export async function answerOf(
  {
    run,
    plan,
    order: { target },
    context,
  }: { run: { id: string }; plan: Plan; order: RunOrder; context: FlowContext },
  { mesh, signal }: { mesh: Mesh; signal: AbortSignal },
): Promise<Answer> {
  const plain = (text: string): Answer => ({ text, isReport: false });
  if (target.kind === "general") return plain(target.reply?.text ?? mesh.general.en);
  const step = plan.steps.find((candidate) => candidate.id === plan.answer);
  const result = step && context.steps[step.id];
  if (step && result?.text) return { text: result.text, isReport: step.kind === "render" };
  if (step?.kind === "render" && !result && step.needs.every((id) => context.steps[id])) {
    const { text } = await renderText(step, context, signal);
    if (text) return { text, isReport: true };
  }
  const about = { plan, results: context.steps, runId: run.id };
  const answer = await outputsAnswer(about, { mesh, signal });
  if (answer) return { text: answer.text, isReport: false, outputs: answer.data };
  return plain(`Done: ${plan.goals.join(", ")}.`);
}

/** What was applied of what the user said, then the answer. */
export function withPreface({ preface }: RunOrder, answer: string): string {
  return preface === undefined ? answer : `${preface}\n\n${answer}`;
}

/** The tools whose results there are, each once. */
export function toolsUsed(plan: Plan, results: Results): string[] {
  const used = plan.steps.flatMap((step) => {
    const kind = stepKindOf(step);
    const about = kind.asksAgent && results[step.id] ? kind.about(step) : undefined;
    return about ? [toolName(about.task_type)] : [];
  });
  return [...new Set(used)];
}

/** @param refused the step that was not done, since its approval was not given */
export function finishedEnd(
  { plan, order, results, used }: { plan: Plan; order: RunOrder; results: Results; used: UsageAmounts },
  { text, worded, outputs }: { text: string; worded?: Worded | undefined; outputs?: RunOutputs | undefined },
  refused?: { step: Step; decision: StepDecision },
): Extract<RunEnd, { type: "run_finished" }> {
  const answer = withPreface(order, worded?.text ?? text);
  const sample = sampleOf(results);
  const said = [...(worded?.warning === undefined ? [] : [worded.warning]), ...sampleWarnings(sample)];
  const refusal =
    refused && `The step "${refused.step.id}" was not done: its approval was ${refused.decision.decision}.`;
  const dialogue = results[plan.answer ?? ""]?.dialogue;
  const reply = order.target.kind === "general" ? order.target.reply : undefined;
  const buttons = dialogue?.buttons ?? reply?.buttons ?? [];
  return {
    type: "run_finished",
    data: {
      status: refusal ? "rejected" : "ok",
      message: refusal ? `${answer}\n\n${refusal}` : answer,
      tools_used: toolsUsed(plan, results),
      model: worded ? (worded.model ?? BY_TEMPLATE) : order.model.chosen,
      warnings: [...new Set([...Object.values(results).flatMap((result) => result.warnings), ...said])],
      ...(sample ? { sample: true } : {}),
      ...(buttons.length > 0 ? { ui_hint: { buttons } } : {}),
      ...(dialogue ? { dialogue: dialogue.rest } : {}),
      ...outputs,
      ...usageOf(used),
    },
  };
}

/** What an answer names as its model where a model was asked and the template answers. */
const BY_TEMPLATE = "rules";

/** What models used for a run; nothing where none was asked. */
function usageOf(used: UsageAmounts): { usage?: RunUsage } {
  if (used.calls === 0) return {};
  return {
    usage: {
      input_tokens: used.inputTokens,
      cached_input_tokens: used.cachedInputTokens,
      output_tokens: used.outputTokens,
      reasoning_tokens: used.reasoningTokens,
      calls: used.calls,
      ...(used.nanoUsd > 0 ? { cost_usd: used.nanoUsd / 1e9 } : {}),
      estimated: used.estimated > 0,
    },
  };
}

/** @param details of the step that failed, or of the gateway that refused */
export function failedEnd(
  { order, tools, used }: { order: RunOrder; tools: readonly string[]; used: UsageAmounts },
  failure: GatewayError,
  details: Partial<Pick<StepFailure, "step" | "agentCode" | "reason">> & {
    retryAfterS?: number | undefined;
  } = {},
): RunEnd {
  const { step, agentCode, reason, retryAfterS } = details;
  if (failure.code === "cancelled") return cancelledEnd(order, tools, used);
  const where = step ? ` (step ${step.id})` : "";
  return {
    type: "run_failed",
    data: {
      status: "error",
      code: failure.code,
      error: failure.message,
      retryable: failure.retryable,
      message: `This could not be done${where}: ${failure.message}`,
      ...(step ? { node: step.id } : {}),
      ...(agentCode === undefined ? {} : { agent_code: agentCode }),
      ...(reason === undefined ? {} : { reason }),
      ...(retryAfterS === undefined ? {} : { retry_after_s: retryAfterS }),
      tools_used: tools,
      model: order.model.chosen,
      ...usageOf(used),
    },
  };
}

export function cancelledEnd(
  order: RunOrder,
  tools: readonly string[],
  used: UsageAmounts = NO_USAGE,
): Extract<RunEnd, { type: "run_cancelled" }> {
  return {
    type: "run_cancelled",
    data: {
      status: "cancelled",
      message: "The run was cancelled.",
      tools_used: tools,
      model: order.model.chosen,
      ...usageOf(used),
    },
  };
}

/** What the session keeps of a run's end. */
export function turnOfEnd(run: { id: string }, end: RunEnd): AssistantTurn {
  const turn = assistantTurn(run, end.data.message, end.data.status);
  return end.type === "run_failed" ? { ...turn, code: end.data.code } : turn;
}

export function assistantTurn(
  run: { id: string },
  text: string,
  status: AssistantTurn["status"],
): AssistantTurn {
  return { role: "assistant", run_id: run.id, text, at: new Date().toISOString(), status };
}
