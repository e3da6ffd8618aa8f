import type { AgentClient, AgentResult } from "../agents/index.ts";
import { UpstreamError } from "../agents/index.ts";
import { ERRORS, GatewayError } from "../errors.ts";
import type { AgentStep, RenderStep, Step } from "../mesh.ts";
import type { RunEventBody } from "./events.ts";
import { type Expression, ExpressionError } from "./expression.ts";
import type { LiveRun } from "./live-run.ts";
import type { RunOrder, StepResult } from "./record.ts";

/** What expressions see. `request.inputs` are the caller's or the flow's default ones. */
export type FlowContext = {
  request: { message: string; inputs: Readonly<Record<string, unknown>> };
  steps: Record<string, StepResult>;
};

export type StepDeps = { agents: AgentClient };

export type StepScope = {
  run: LiveRun;
  order: RunOrder;
  context: FlowContext;
  mode: "DEMO" | "LIVE";
  signal: AbortSignal;
};

/** Why a step failed, as run and log say it. */
export class StepFailure extends Error {
  readonly step: Step;
  readonly failure: GatewayError;
  readonly agentCode: string | undefined;
  readonly reason: string | undefined;

  constructor(step: Step, failure: GatewayError, upstream?: UpstreamError) {
    super(failure.message, { cause: failure });
    this.name = "StepFailure";
    this.step = step;
    this.failure = failure;
    this.agentCode = upstream?.agentCode;
    this.reason = upstream?.reason;
  }
}

/**
 * Runs one step. An agent's step is journaled: its result and the event that tells of it are committed together. Text is made anew
 * wherever it is needed, so a render step leaves no trace.
 * @throws StepFailure
 */
export async function executeStep(step: Step, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  if (step.kind === "agent") return await executeAgentStep(step, scope, deps);
  try {
    return await renderText(step, scope);
  } catch (error) {
    throw toFailure(step, error, scope.signal);
  }
}

async function executeAgentStep(step: AgentStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const { run } = scope;
  const started = performance.now();
  const about = { agent: step.agent, task_type: step.taskType };
  try {
    await run.append({ type: "step_started", node: step.id, data: { ...about, attempt: run.fence } });
    const result = await askAgent(step, scope, deps);
    scope.signal.throwIfAborted();
    const data: Extract<RunEventBody, { type: "step_finished" }>["data"] = {
      ...about,
      status: "ok",
      duration_ms: Math.round(performance.now() - started),
      warnings: result.warnings,
    };
    const shown = step.show && (await step.show(result));
    if (shown !== undefined) data.outputs = shown;
    await run.journal(step.id, JSON.stringify(result), { type: "step_finished", node: step.id, data });
    return result;
  } catch (error) {
    const failed = toFailure(step, error, scope.signal);
    if (failed.failure.code !== "cancelled") {
      const data: Extract<RunEventBody, { type: "step_failed" }>["data"] = {
        ...about,
        status: "error",
        code: failed.failure.code,
        error: failed.failure.message,
        optional: step.optional,
      };
      if (failed.agentCode !== undefined) data.agent_code = failed.agentCode;
      if (failed.reason !== undefined) data.reason = failed.reason;
      await run.append({ type: "step_failed", node: step.id, data });
    }
    throw failed;
  }
}

async function askAgent(step: AgentStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  let inputs = await evaluateInputs(step.inputs, scope.context);
  for (let round = 0; ; round++) {
    const result = await dispatch(step, inputs, round, scope, deps);
    const { repair } = step;
    const { outputs, warnings } = result;
    if (!repair) return { outputs, warnings };
    const seen = { ...scope.context, inputs, outputs };
    if (round >= repair.maxRounds || (await repair.when(seen)) !== true) {
      return { outputs, warnings, inputs, rounds: round + 1 };
    }
    await scope.run.append({
      type: "step_repair",
      node: step.id,
      data: { round: round + 1, max_rounds: repair.maxRounds },
    });
    inputs = await evaluateInputs(repair.inputs, seen);
  }
}

function dispatch(
  step: AgentStep,
  inputs: Record<string, unknown>,
  round: number,
  scope: StepScope,
  deps: StepDeps,
): Promise<AgentResult> {
  const { run, order } = scope;
  // A repair round is another question: it needs a key of its own, or the agent would repeat its first answer.
  const key = round === 0 ? `${run.id}:${step.id}` : `${run.id}:${step.id}.${round}`;
  return deps.agents.stream({
    agent: step.agent,
    task: step.taskType,
    body: {
      request_id: key,
      task_type: step.taskType,
      workflow_id: run.id,
      stage_id: step.id,
      user_id: order.subject,
      mode: scope.mode,
      inputs,
    },
    signal: scope.signal,
    idempotencyKey: key,
    // A step that is executed anew after a lost holder goes on counting, past what its retries can have used.
    firstAttempt: (run.fence - 1) * 10 + 1,
    ...(order.traceparent === undefined ? {} : { traceparent: order.traceparent }),
    onEvent: (event) => {
      if (event.type === "token") {
        const { text } = event.data;
        return typeof text === "string"
          ? run.append({ type: "token", node: step.id, data: { text } })
          : undefined;
      }
      return event.type === "started"
        ? undefined
        : run.append({ type: "progress", node: step.id, data: event.data });
    },
  });
}

async function renderText(step: RenderStep, scope: StepScope): Promise<StepResult> {
  const text = await step.render(scope.context);
  return { text: typeof text === "string" ? text : JSON.stringify(text ?? ""), warnings: [] };
}

async function evaluateInputs(expression: Expression, context: unknown): Promise<Record<string, unknown>> {
  const value = await expression(context);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new GatewayError("flow_failed", "The inputs expression of the step does not give an object.");
  }
  return { ...value };
}

function toFailure(step: Step, error: unknown, signal: AbortSignal): StepFailure {
  // What the abort was for says more than the error that it caused.
  if (signal.aborted) {
    const reason: unknown = signal.reason;
    return new StepFailure(step, reason instanceof GatewayError ? reason : new GatewayError("cancelled"));
  }
  if (error instanceof UpstreamError) {
    const honest = error.code === "upstream_failed" || error.code === "upstream_refused";
    const message = honest ? error.message : ERRORS[error.code].message;
    return new StepFailure(step, new GatewayError(error.code, message, { cause: error }), error);
  }
  if (error instanceof GatewayError) return new StepFailure(step, error);
  if (error instanceof ExpressionError) {
    return new StepFailure(step, new GatewayError("flow_failed", undefined, { cause: error }));
  }
  return new StepFailure(step, new GatewayError("internal", undefined, { cause: error }));
}
