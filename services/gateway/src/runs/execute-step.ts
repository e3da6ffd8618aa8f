import type { AgentClient, AgentResult, DispatchRequest } from "../agents/index.ts";
import { UpstreamError } from "../agents/index.ts";
import { ERRORS, GatewayError } from "../errors.ts";
import type { AgentStep, PublishStep, RenderStep, Step } from "../mesh.ts";
import type { RunEventBody } from "./events.ts";
import { ExpressionError } from "./expression.ts";
import { begunField } from "./journal.ts";
import type { LiveRun } from "./live-run.ts";
import type { FlowContext, RunOrder, StepResult } from "./record.ts";

export type StepDeps = { agents: AgentClient };

export type StepScope = {
  run: LiveRun;
  order: RunOrder;
  context: FlowContext;
  mode: "DEMO" | "LIVE";
  signal: AbortSignal;
  /** Effects that were begun before, by a holder that never said how they ended. */
  begun: ReadonlySet<string>;
};

/** An effect may or may not have happened, and cannot be asked for again: a person has to look. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

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
 * Runs one step. A step that asks or writes is journaled: its result and the event that tells of it are committed together. Text is
 * made anew wherever it is needed, so a render step leaves no trace.
 * @throws StepFailure; OutcomeUnknown
 */
export async function executeStep(step: Step, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  try {
    if (step.kind === "render") return await renderText(step, scope.context);
    return await (step.kind === "publish" ? publish(step, scope) : executeAgentStep(step, scope, deps));
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw error;
    const failed = toFailure(step, error, scope.signal);
    if (step.kind !== "render" && failed.failure.code !== "cancelled")
      await tellFailure(step, failed, scope.run);
    throw failed;
  }
}

type WrittenStep = AgentStep | PublishStep;

function about(step: WrittenStep): { agent: string; task_type: string } {
  return step.kind === "agent"
    ? { agent: step.agent, task_type: step.taskType }
    : { agent: "price-book", task_type: "PUBLISH" };
}

export function startedEvent(step: WrittenStep, attempt: number): RunEventBody {
  return { type: "step_started", node: step.id, data: { ...about(step), attempt } };
}

async function executeAgentStep(step: AgentStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const { run } = scope;
  const begin = startedEvent(step, run.fence);
  if (step.effect === undefined) {
    if (run.announced !== step.id) await run.append(begin);
  } else {
    if (step.effect === "once" && scope.begun.has(step.id)) throw new OutcomeUnknown();
    // Nothing may happen in the world before the store has confirmed that this replica still holds the run.
    await run.journal(begunField(step.id), "1", begin);
    await run.flushed();
    scope.signal.throwIfAborted();
  }
  const started = performance.now();
  let result: StepResult;
  try {
    result = await askAgent(step, scope, deps);
  } catch (error) {
    if (step.effect === "once" && !isKnown(error)) throw new OutcomeUnknown();
    throw error;
  }
  // An effect that happened is written down, even where the run is to stop.
  if (step.effect === undefined) scope.signal.throwIfAborted();
  const event = await finishedEvent(step, result, started);
  if (run.journaled) await run.journal(step.id, JSON.stringify(result), event);
  else await run.append(event);
  return result;
}

/** Why a request never reached its agent. */
const UNSENT = new Set([
  "connection_refused",
  "unknown_host",
  "connect_timeout",
  "connect_failed",
  "breaker_open",
]);

/** Whether a failed dispatch says for sure that nothing happened, or that the agent itself gave up. */
function isKnown(error: unknown): boolean {
  if (!(error instanceof UpstreamError)) return true;
  const { code, reason, attempts } = error;
  const told = code === "upstream_failed" || code === "upstream_refused" || code === "upstream_overloaded";
  return told || attempts === 0 || UNSENT.has(reason);
}

/** The payload goes into the price book with the very write that journals the step. */
async function publish(step: PublishStep, scope: StepScope): Promise<StepResult> {
  const { run, context } = scope;
  const started = performance.now();
  await run.append(startedEvent(step, run.fence));
  const payload = await step.publish(context);
  scope.signal.throwIfAborted();
  const result: StepResult = { outputs: { published: true }, warnings: [] };
  const entry = {
    run_id: run.id,
    step: step.id,
    approval_id: context.approval?.approval_id ?? null,
    approved_by: context.approval?.by ?? null,
    payload,
  };
  const event = await finishedEvent(step, result, started);
  await run.record(step.id, JSON.stringify(result), JSON.stringify(entry), event);
  return result;
}

async function finishedEvent(step: WrittenStep, result: StepResult, started: number): Promise<RunEventBody> {
  const shown = step.show && (await step.show(result));
  return {
    type: "step_finished",
    node: step.id,
    data: {
      ...about(step),
      status: "ok",
      duration_ms: Math.round(performance.now() - started),
      warnings: result.warnings,
      ...(shown === undefined ? {} : { outputs: shown }),
    },
  };
}

async function tellFailure(step: WrittenStep, failed: StepFailure, run: LiveRun): Promise<void> {
  await run.append({
    type: "step_failed",
    node: step.id,
    data: {
      ...about(step),
      status: "error",
      code: failed.failure.code,
      error: failed.failure.message,
      optional: step.optional,
      ...(failed.agentCode === undefined ? {} : { agent_code: failed.agentCode }),
      ...(failed.reason === undefined ? {} : { reason: failed.reason }),
    },
  });
}

async function askAgent(step: AgentStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  let inputs = asInputs(await step.inputs(scope.context));
  for (let round = 0; ; round++) {
    const result =
      scope.order.target.kind === "flow"
        ? await askOfPlan(step, inputs, round, scope, deps)
        : await dispatch(step, inputs, round, firstAttempt(scope.run), scope, deps);
    const { repair } = step;
    const { outputs, warnings } = result;
    const seen = { ...scope.context, inputs, outputs, rounds: round + 1 };
    if (!repair || round >= repair.maxRounds || (await repair.when(seen)) !== true) {
      const answer: StepResult = { outputs, warnings };
      if (repair) answer.rounds = round + 1;
      if (step.keep) answer.kept = await step.keep(seen);
      return answer;
    }
    await scope.run.append({
      type: "step_repair",
      node: step.id,
      data: { round: round + 1, max_rounds: repair.maxRounds },
    });
    inputs = asInputs(await repair.inputs(seen));
  }
}

/**
 * A plan outlives an agent that is lost in the middle of a step: another replica of it is asked, once, under the same key. The log
 * says that the step began anew, so that readers know that what it told before may come again.
 */
async function askOfPlan(
  step: AgentStep,
  inputs: Record<string, unknown>,
  round: number,
  scope: StepScope,
  deps: StepDeps,
): Promise<AgentResult> {
  const { run, signal } = scope;
  const first = firstAttempt(run);
  try {
    return await dispatch(step, inputs, round, first, scope, deps);
  } catch (error) {
    const lost = error instanceof UpstreamError && error.reason === "connection_lost";
    if (!lost || step.effect === "once" || signal.aborted) throw error;
    await run.append(startedEvent(step, run.fence + 1));
    await run.flushed();
    signal.throwIfAborted();
    return await dispatch(step, inputs, round, first + ATTEMPTS_A_HOLDER / 2, scope, deps);
  }
}

function firstAttempt({ fence }: LiveRun): number {
  return (fence - 1) * ATTEMPTS_A_HOLDER + 1;
}

/** More than the dispatches of one holder and their retries can use: the next holder's requests go on counting past them. */
const ATTEMPTS_A_HOLDER = 20;

function dispatch(
  step: AgentStep,
  inputs: Record<string, unknown>,
  round: number,
  firstAttempt: number,
  scope: StepScope,
  deps: StepDeps,
): Promise<AgentResult> {
  const { run, order } = scope;
  // A repair round is another question: it needs a key of its own, or the agent would repeat its first answer.
  const key = round === 0 ? `${run.id}:${step.id}` : `${run.id}:${step.id}.${round}`;
  const request: DispatchRequest = {
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
    once: step.effect === "once",
    firstAttempt,
    ...(order.traceparent === undefined ? {} : { traceparent: order.traceparent }),
    onEvent: (event) => {
      if (event.type === "token") {
        const { text } = event.data;
        return typeof text === "string"
          ? run.append({ type: "token", node: step.id, data: { text } })
          : undefined;
      }
      return event.type === "started" ? undefined : run.relay("progress", step.id, event);
    },
  };
  // Nobody watches a simple ask for its answer alone: its progress would be written for nobody.
  return order.target.kind === "service" && order.quiet
    ? deps.agents.sync(request)
    : deps.agents.stream(request);
}

export async function renderText(step: RenderStep, context: FlowContext): Promise<StepResult> {
  const text = await step.render(context);
  return { text: typeof text === "string" ? text : JSON.stringify(text ?? ""), warnings: [] };
}

function asInputs(value: unknown): Record<string, unknown> {
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
