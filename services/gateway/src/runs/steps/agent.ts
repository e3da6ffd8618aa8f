import { setTimeout as sleep } from "node:timers/promises";
import {
  type AgentEvent,
  type AgentResult,
  type DispatchRequest,
  UpstreamError,
} from "../../agents/index.ts";
import type { ActingCaller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { encoded, JsonText } from "../../json-text.ts";
import type { AgentStep } from "../../mesh/index.ts";
import { begunField, type RunOrder, type StepResult, writeResult } from "../../store/index.ts";
import type { LiveRun } from "../live-run.ts";
import { OutcomeUnknown } from "./failure.ts";
import { isOutcomeKnown, Patience } from "./patience.ts";
import { finishedEvent, startedEvent } from "./step-events.ts";
import type { StepAbout, StepDeps, StepKind, StepScope } from "./step-kind.ts";

/** Asks an agent, as often as the step's repair rule says, and journals its outputs. */
export const agent: StepKind<AgentStep> = {
  asksAgent: true,
  about: aboutAgent,
  execute,
};

function aboutAgent(step: AgentStep): StepAbout {
  return { agent: step.agent, task_type: step.taskType };
}

async function execute(step: AgentStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  const { run, signal } = scope;
  if (step.effect !== undefined || run.announced !== step.id) await announce(step, scope);
  const started = performance.now();
  let result: StepResult;
  try {
    result = await askWithRepairs(step, scope, deps);
  } catch (error) {
    if (step.effect === "once" && !isOutcomeKnown(error)) throw new OutcomeUnknown();
    throw error;
  }
  // An effect that happened is recorded even where the run is to stop.
  if (step.effect === undefined) signal.throwIfAborted();
  const event = await finishedEvent(step, aboutAgent(step), result, started);
  if (run.journaled) await run.journal(step.id, await encoded(writeResult(result)), event);
  else await run.append(event);
  return result;
}

/** Tells that the step begins. Before an effect, the store has to confirm that this replica still holds the run. */
async function announce(step: AgentStep, { run, signal, begun }: StepScope): Promise<void> {
  const event = startedEvent(step.id, aboutAgent(step), run.fence);
  if (step.effect === undefined) {
    await run.append(event);
    return;
  }
  if (step.effect === "once" && begun.has(step.id)) throw new OutcomeUnknown();
  await run.journal(begunField(step.id), "1", event);
  await run.flushed();
  signal.throwIfAborted();
}

async function askWithRepairs(step: AgentStep, scope: StepScope, deps: StepDeps): Promise<StepResult> {
  let inputs = asInputs(await step.inputs(scope.context, scope.signal));
  // What an effect came to is recorded even where the run is to stop.
  const signal = step.effect === undefined ? scope.signal : undefined;
  for (let round = 0; ; round++) {
    const { outputs, warnings } = await ask(step, { inputs, round }, scope, deps);
    const { repair, keep } = step;
    if (!repair && !keep) return { outputs, warnings };
    const seen = { ...scope.context, inputs, outputs, rounds: round + 1 };
    if (!repair || round >= repair.maxRounds || (await repair.when(seen, signal)) !== true) {
      const result: StepResult = { outputs, warnings };
      if (repair) result.rounds = round + 1;
      if (keep) result.kept = await keep(seen, signal);
      return result;
    }
    await scope.run.append({
      type: "step_repair",
      node: step.id,
      data: { round: round + 1, max_rounds: repair.maxRounds },
    });
    inputs = asInputs(await repair.inputs(seen, signal));
  }
}

/** What one repair round asks; round 0 is the step's first request. */
type Question = { inputs: Inputs; round: number };

type Inputs = Record<string, unknown> | JsonText;

/**
 * Dispatches the question; a plan does so until its agent can be reached. Where an agent was lost in the middle, the log gets another
 * `step_started`, so that readers know that progress may be repeated.
 */
async function ask(
  step: AgentStep,
  question: Question,
  scope: StepScope,
  deps: StepDeps,
): Promise<AgentResult> {
  const { run, order, signal } = scope;
  const patience = order.target.kind === "flow" ? new Patience(step) : undefined;
  let attempt = 1;
  let fence = run.fence;
  for (;;) {
    try {
      return await dispatch(step, { ...question, attempt }, scope, deps);
    } catch (error) {
      if (!(error instanceof UpstreamError) || signal.aborted) throw error;
      const wait = patience?.after(error);
      if (wait === undefined) throw error;
      attempt += error.attempts;
      await sleep(wait.ms, undefined, { signal });
      if (!wait.begun) continue;
      await run.append(startedEvent(step.id, aboutAgent(step), ++fence));
      await run.flushed();
      signal.throwIfAborted();
    }
  }
}

function dispatch(
  step: AgentStep,
  { inputs, round, attempt }: Question & { attempt: number },
  { run, order, mode, signal }: StepScope,
  { agents }: StepDeps,
): Promise<AgentResult> {
  // A repair round is another question: under the first round's key the agent would repeat its first answer.
  const key = round === 0 ? `${run.id}:${step.id}` : `${run.id}:${step.id}.${round}`;
  const request: DispatchRequest = {
    agent: step.agent,
    task: step.taskType,
    body: {
      // Unique among all holders: each has its own fence, and counts its own attempts.
      request_id: `${key}:${run.fence}`,
      task_type: step.taskType,
      workflow_id: run.id,
      stage_id: step.id,
      user_id: order.subject,
      mode,
      ...(inputs instanceof JsonText ? {} : { inputs }),
    },
    ...(inputs instanceof JsonText ? { inputsJson: inputs.text } : {}),
    signal,
    caller: actorOf(order, run.keys.tenant),
    runId: run.id,
    step: step.id,
    patient: order.target.kind === "flow",
    idempotencyKey: key,
    once: step.effect === "once",
    firstAttempt: attempt,
    ...(order.traceparent === undefined ? {} : { traceparent: order.traceparent }),
    onEvent: (event) => relay(event, step.id, run),
  };
  // Nobody reads the events of a quiet ask: without them the agent's answer is one JSON body.
  const answerOnly = order.target.kind === "service" && order.quiet;
  return answerOnly ? agents.sync(request) : agents.stream(request);
}

/** Whoever the run was accepted from, also where another replica executes it, or somebody else has approved it. */
function actorOf({ issuer, subject, roles, rows }: RunOrder, tenant: string): ActingCaller {
  return { tenant, issuer, subject, roles, ...(rows === undefined ? {} : { rows }) };
}

/** @returns back-pressure, where the store is behind */
function relay(event: AgentEvent, node: string, run: LiveRun): Promise<void> | undefined {
  if (event.type === "started") return undefined;
  if (event.type !== "token") return run.relay(node, event);
  const { text } = event.data;
  return typeof text === "string" ? run.append({ type: "token", node, data: { text } }) : undefined;
}

function asInputs(value: unknown): Inputs {
  if (value instanceof JsonText && value.text.startsWith("{")) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof JsonText) {
    throw new GatewayError("flow_failed", "The inputs expression of the step does not give an object.");
  }
  return { ...value };
}
