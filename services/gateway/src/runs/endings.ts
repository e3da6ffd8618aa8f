import type { AssistantTurn, RunUsage, ToolCallRecord } from "@interlock/contracts";
import type { GatewayError } from "../errors.ts";
import { type RunEnd, toolName } from "../events/index.ts";
import type { Mesh, Step } from "../mesh/index.ts";
import { type Journal, NO_USAGE, type RunOrder, type StepResult, type UsageAmounts } from "../store/index.ts";
import { tablesOf } from "./answer-tables.ts";
import type { FlowContext } from "./flow-context.ts";
import { serversUsed } from "./lineage.ts";
import type { LineageKeeping } from "./lineage-keeping.ts";
import { outputsAnswer, type RunOutputs } from "./outputs-answer.ts";
import type { Plan } from "./plan.ts";
import { type Refusal, refusalData } from "./refusal.ts";
import { sampleOf, sampleWarnings } from "./sample.ts";
import { renderText, type StepFailure, stepKindOf } from "./steps/index.ts";
import type { Worded } from "./word-answer.ts";

type Results = Readonly<Record<string, StepResult>>;

/** A turn's text. */
export type Answer = {
  text: string;
  /** Whether it was made of results. */
  isReport: boolean;
  /** The outputs of a plan without an answer step, or the tables of one with. */
  outputs?: RunOutputs;
};

type AnswerOptions = {
  mesh: Mesh;
  signal: AbortSignal;
  /** The text where neither the plan nor outputs make one. */
  otherwise: () => string | Promise<string>;
};

/** The message of a plan that has no text of its own. */
export const doneText = ({ goals }: Plan): string => `Done: ${goals.join(", ")}.`;

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
  { mesh, signal, otherwise }: AnswerOptions,
): Promise<Answer> {
  const plain = (text: string): Answer => ({ text, isReport: false });
  if (target.kind === "general") return plain(target.reply?.text ?? mesh.general.en);
  const step = plan.steps.find(({ id }) => id === plan.answer?.step);
  const result = step && (context.steps[step.id] ?? (await renderedEarly(step, context, signal)));
  const text = result && (await plan.answer?.text(result, context));
  if (text) {
    const tables = await tablesOf(plan, context.steps);
    const isReport = step?.kind !== "dialogue" && step?.kind !== "rounds";
    return { text, isReport, ...(tables.length > 0 ? { outputs: { tables } } : {}) };
  }
  const about = { plan, results: context.steps, runId: run.id };
  const answer = await outputsAnswer(about, { mesh, signal });
  if (answer) return { text: answer.text, isReport: false, outputs: answer.data };
  return plain(await otherwise());
}

/** The partial text, if the steps that it needs have run. */
async function renderedEarly(
  step: Step,
  context: FlowContext,
  signal: AbortSignal,
): Promise<StepResult | undefined> {
  const isReady = step.kind === "render" && step.needs.every((id) => context.steps[id]);
  return isReady ? await renderText(step, context, signal) : undefined;
}

/** The line that says which constraints were applied, then the answer. */
export function withPreface({ preface }: RunOrder, answer: string): string {
  return [preface, answer].filter((part) => part !== undefined && part !== "").join("\n\n");
}

/** The tools that have returned a result, each once. */
export function toolsUsed(plan: Plan, results: Results, calls: Journal["calls"] = {}): string[] {
  const used = plan.steps.flatMap((step) => {
    const kind = stepKindOf(step);
    const about = kind.asksAgent && results[step.id] ? kind.about(step) : undefined;
    if (step.kind === "tool") return results[step.id] ? [step.tool] : [];
    return about ? [toolName(about.task_type)] : [];
  });
  const chosen = Object.values(calls).flatMap(({ record: { outcome, mcp_server, tool_name } }) =>
    outcome === "ok" ? [mcp_server === undefined ? tool_name : `${mcp_server}.${tool_name}`] : [],
  );
  return [...new Set([...used, ...chosen])];
}

/** @param refused the step that was not done, and its text */
export function finishedEnd(
  {
    plan,
    order,
    results,
    calls,
    lineage,
    used,
    notes,
  }: {
    plan: Plan;
    order: RunOrder;
    results: Results;
    calls: Journal["calls"];
    lineage: LineageKeeping;
    used: UsageAmounts;
    /** How the table was read that the run works with. */
    notes: readonly string[];
  },
  { text, worded, outputs }: { text: string; worded?: Worded | undefined; outputs?: RunOutputs | undefined },
  refused?: Refusal & { text: string },
): Extract<RunEnd, { type: "run_finished" }> {
  const lead = worded?.lead === undefined ? "" : `${worded.lead}\n\n`;
  const answer = withPreface(order, `${lead}${text}`);
  const sample = sampleOf(results);
  const said = [
    ...(worded?.warning === undefined ? [] : [worded.warning]),
    ...sampleWarnings(sample),
    ...notes,
  ];
  const answered = results[plan.answer?.step ?? ""];
  const { dialogue } = answered ?? {};
  const reply = order.target.kind === "general" ? order.target.reply : undefined;
  const buttons = dialogue?.buttons ?? reply?.buttons ?? order.buttons ?? [];
  return {
    type: "run_finished",
    data: {
      status: refused ? "rejected" : "ok",
      message: [answer, refused?.text].filter(Boolean).join("\n\n"),
      tools_used: toolsUsed(plan, results, calls),
      model: worded ? (worded.model ?? BY_TEMPLATE) : (answered?.model ?? order.model.chosen),
      warnings: [...new Set([...Object.values(results).flatMap((result) => result.warnings), ...said])],
      ...(sample ? { sample: true } : {}),
      ...(buttons.length > 0 ? { ui_hint: { buttons } } : {}),
      ...(refused ? refusalData(refused, order) : {}),
      ...(dialogue ? { dialogue: dialogue.rest } : {}),
      ...outputs,
      ...callsOf(
        { calls, lineage: lineage.shown(calls) },
        plan.steps.some(({ kind }) => kind === "rounds") ? answered : undefined,
      ),
      ...usageOf(used),
    },
  };
}

/** What an answer tells of the calls of its run. @param rounds the result of a tool-calling agent */
function callsOf(
  { calls, lineage }: { calls: Journal["calls"]; lineage: ToolCallRecord[] },
  rounds: StepResult | undefined,
) {
  return {
    ...(rounds?.rounds === undefined ? {} : { rounds: rounds.rounds }),
    ...(rounds?.exceeded ? { rounds_exceeded: true as const } : {}),
    ...(rounds || lineage.length > 0 ? { mcps_used: serversUsed(calls) } : {}),
    ...(lineage.length > 0 ? { tool_lineage: lineage } : {}),
  };
}

/** The model that an answer names if a model was asked but none of its words are shown. */
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
  {
    order,
    tools,
    lineage,
    used,
  }: { order: RunOrder; tools: readonly string[]; lineage: ToolCallRecord[]; used: UsageAmounts },
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
      ...(lineage.length > 0 ? { tool_lineage: lineage } : {}),
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
