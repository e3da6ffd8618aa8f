import { setTimeout as sleep } from "node:timers/promises";
import {
  type AgentEvent,
  type AgentResult,
  type DispatchRequest,
  UpstreamError,
} from "../../agents/index.ts";
import type { ActingCaller } from "../../caller.ts";
import { JsonText } from "../../json-text.ts";
import type { AgentStep } from "../../mesh/index.ts";
import type { RunOrder } from "../../store/index.ts";
import type { LiveRun } from "../live-run.ts";
import { Patience } from "./patience.ts";
import { startedEvent } from "./step-events.ts";
import type { StepDeps, StepScope } from "./step-kind.ts";

/** A step that has an agent do a task. */
export type AskingStep = Pick<AgentStep, "id" | "agent" | "taskType" | "optional" | "effect">;

export type Inputs = Record<string, unknown> | JsonText;

/** What is asked in one round of a step. */
export type Question = {
  inputs: Inputs;
  /** Each round needs its own key: under the first one's key the agent would repeat its first answer. */
  round: number;
  /** See DispatchRequest. */
  check?: DispatchRequest["check"];
  /** Whether what was asked may be asked once more where the outputs are wrong. Absent: yes. */
  repairable?: () => boolean;
  /** Takes an event instead of the run's log. @returns undefined where it leaves the event to the log */
  onEvent?: (event: AgentEvent) => Promise<void> | undefined;
};

/**
 * Dispatches the question; a plan does so until its agent can be reached. Where an agent was lost in the middle, the log gets another
 * `step_started`, so that readers know that progress may be repeated.
 */
export async function askAgent(
  step: AskingStep,
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
      await run.append(startedEvent(step.id, { agent: step.agent, task_type: step.taskType }, ++fence));
      await run.flushed();
      signal.throwIfAborted();
    }
  }
}

function dispatch(
  step: AskingStep,
  { inputs, round, attempt, check, repairable, onEvent }: Question & { attempt: number },
  { run, order, mode, signal, trace }: StepScope,
  { agents }: StepDeps,
): Promise<AgentResult> {
  const key = round === 0 ? `${run.id}:${step.id}` : `${run.id}:${step.id}.${round}`;
  const repair = (): boolean => {
    // Do not repeat an effect under another key: it could happen twice.
    if (step.effect !== undefined || repairable?.() === false) return false;
    void run.append({ type: "step_repair", node: step.id, data: { round: 1, max_rounds: 1 } });
    return true;
  };
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
      ...(order.language === undefined ? {} : { language: order.language }),
      ...(inputs instanceof JsonText ? {} : { inputs }),
    },
    ...(inputs instanceof JsonText ? { inputsJson: inputs.text } : {}),
    // A step of a flow says what its agent gets.
    ...(order.target.kind === "service" ? { message: order.message } : {}),
    signal,
    caller: actorOf(order, run.keys.tenant),
    runId: run.id,
    step: step.id,
    patient: order.target.kind === "flow",
    idempotencyKey: key,
    ...(check ? { check } : {}),
    repair,
    once: step.effect === "once",
    firstAttempt: attempt,
    trace,
    onEvent: (event) => onEvent?.(event) ?? relay(event, step.id, run),
  };
  // Nobody reads the events of a quiet ask: without them the agent's answer is one JSON body.
  const answerOnly = order.target.kind !== "flow" && order.quiet && onEvent === undefined;
  return answerOnly ? agents.sync(request) : agents.stream(request);
}

/** Whoever the run was accepted from, also where another replica executes it, or somebody else has approved it. */
export function actorOf({ issuer, subject, roles }: RunOrder, tenant: string): ActingCaller {
  return { tenant, issuer, subject, roles };
}

/** @returns back-pressure, where the store is behind */
function relay(event: AgentEvent, node: string, run: LiveRun): Promise<void> | undefined {
  if (event.type === "started") return undefined;
  if (event.type !== "token") return run.relay(node, event);
  const { text } = event.data;
  return typeof text === "string" ? run.append({ type: "token", node, data: { text } }) : undefined;
}
