import { newApproval } from "../approvals/approval.ts";
import { ERRORS, GatewayError } from "../errors.ts";
import type { Mesh, Step } from "../mesh.ts";
import { toolName } from "../tools/catalogue.ts";
import type { RunEnd } from "./events.ts";
import {
  executeStep,
  OutcomeUnknown,
  renderText,
  type StepDeps,
  StepFailure,
  type StepScope,
} from "./execute-step.ts";
import { ExpressionError } from "./expression.ts";
import type { Journal } from "./journal.ts";
import type { LiveRun } from "./live-run.ts";
import type { Plan, Planner } from "./plan.ts";
import type { FlowContext, RunOrder, StepDecision, StepResult, TurnEntry } from "./record.ts";

export type RunDeps = StepDeps & {
  mesh: Mesh;
  planner: Planner;
  newId: () => string;
  /** This replica is being stopped: runs under way begin nothing new. */
  draining: () => boolean;
  /** Gives a run back to the queue, for another replica. */
  handOver: (run: LiveRun) => Promise<void>;
  /** Hears of every end, and of a failure with its cause, for log and metrics. */
  onEnd?: (run: LiveRun, order: RunOrder, outcome: string, failure?: GatewayError) => void;
};

/** How the steps of a plan came to rest. */
type Rest =
  | { kind: "done" }
  | { kind: "waiting"; step: Step }
  | { kind: "refused"; step: Step; decision: StepDecision }
  | { kind: "handed_over" };

/**
 * Executes a run that this replica holds, from wherever its journal stands, to its end or its next pause. Never throws: every way out
 * is an event in the log, or, where the run went to another holder, silence.
 */
export async function executeRun(
  run: LiveRun,
  order: RunOrder,
  journal: Journal,
  deps: RunDeps,
): Promise<void> {
  const plan = deps.planner.planOf(order);
  let outcome: string;
  let failure: GatewayError | undefined;
  try {
    if (!plan) throw new GatewayError("flow_failed", "The flow of this run is not in the manifest any more.");
    outcome = await executeToRest(run, plan, order, journal, deps);
  } catch (error) {
    failure = error instanceof StepFailure ? error.failure : asFailure(error);
    outcome = failure.code;
    const tools = plan ? toolsUsed(plan, journal.results) : [];
    const end =
      failure.code === "cancelled"
        ? cancelledEnd(order, tools)
        : failedEnd(order, tools, failure, error instanceof StepFailure ? error : undefined);
    run.finish(end, turnOf(run, end));
  }
  let rested = await run.done;
  while (rested === "over_limit") {
    failure = new GatewayError("output_limit");
    outcome = failure.code;
    const end = failedEnd(order, plan ? toolsUsed(plan, journal.results) : [], failure);
    run.finish(end, turnOf(run, end));
    rested = await run.done;
  }
  if (rested === "lost") outcome = "lost";
  deps.onEnd?.(run, order, outcome, failure);
}

async function executeToRest(
  run: LiveRun,
  plan: Plan,
  order: RunOrder,
  journal: Journal,
  deps: RunDeps,
): Promise<string> {
  const context = executionContext(order, journal, deps.mesh);
  const mode = order.inputs || defaultInputs(order, deps.mesh) ? "LIVE" : "DEMO";
  const timeout = setTimeout(() => run.abort.abort(new GatewayError("deadline_exceeded")), plan.timeoutMs);
  try {
    const execute = plan.kind === "ask" ? executeAsk : executePlan;
    const rest = await execute(run, plan, order, context, journal, mode, deps);
    if (rest.kind === "handed_over") {
      await deps.handOver(run);
      return "handed_over";
    }
    if (rest.kind === "waiting") {
      await pause(run, plan, rest.step, order, context, deps);
      return "paused";
    }
    const answer = await answerOf(plan, context, deps.mesh);
    const end = finishedEnd(plan, order, journal.results, answer, rest.kind === "refused" ? rest : undefined);
    run.signal.throwIfAborted();
    run.finish(end, turnOf(run, end));
    return end.data.status;
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    const message = "An effect was begun and nobody knows whether it happened: it needs a person.";
    run.park(
      { type: "run_parked", data: { status: "needs_review", message, code: "outcome_unknown" } },
      JSON.stringify(assistantTurn(run, message, "error")),
    );
    return "needs_review";
  } finally {
    clearTimeout(timeout);
  }
}

/** An ask is a line: nothing in it waits for a person, may fail, or runs beside something else. */
async function executeAsk(
  run: LiveRun,
  plan: Plan,
  order: RunOrder,
  context: FlowContext,
  { results, begun }: Journal,
  mode: "DEMO" | "LIVE",
  deps: RunDeps,
): Promise<Rest> {
  const { signal } = run;
  const scope: StepScope = { run, order, context, mode, signal, begun };
  for (const step of plan.steps) {
    signal.throwIfAborted();
    results[step.id] = await executeStep(step, scope, deps);
  }
  return { kind: "done" };
}

/** Runs every step as soon as those that it waits for are over. The first failure that matters stops the rest. */
async function executePlan(
  run: LiveRun,
  plan: Plan,
  order: RunOrder,
  context: FlowContext,
  journal: Journal,
  mode: "DEMO" | "LIVE",
  deps: RunDeps,
): Promise<Rest> {
  const { results } = journal;
  const siblings = new AbortController();
  const signal = AbortSignal.any([run.signal, siblings.signal]);
  const open = new Set(plan.steps.filter((step) => !results[step.id]));
  const lost = new Set<string>();
  const gated = new Set<Step>();
  const running = new Set<Promise<void>>();
  let failure: unknown;

  const over = (id: string): boolean => results[id] !== undefined || lost.has(id);
  const execute = async (step: Step): Promise<void> => {
    try {
      const decision = journal.decisions[step.id];
      const scope: StepScope = {
        run,
        order,
        context: decision ? { ...context, approval: decision } : context,
        mode,
        signal,
        begun: journal.begun,
      };
      if (await isGated(step, decision, context)) gated.add(step);
      else results[step.id] = await executeStep(step, scope, deps);
    } catch (error) {
      if (step.optional && !signal.aborted && !(error instanceof OutcomeUnknown)) lost.add(step.id);
      else {
        // That somebody has to look is not to be hidden behind another step's failure.
        if (failure === undefined || error instanceof OutcomeUnknown) failure = error;
        siblings.abort(new GatewayError("cancelled"));
      }
    }
  };

  // A replica that is being stopped begins nothing that another one can do. Text costs nothing, and whoever waits for an answer in one
  // piece gets it from here or not at all.
  const stays = order.quiet === true;
  const mayStart = (step: Step): boolean => !deps.draining() || step.kind === "render" || stays;

  for (;;) {
    if (failure === undefined && !signal.aborted) {
      for (const step of open) {
        if (step.needs.some((id) => lost.has(id))) {
          open.delete(step);
          lost.add(step.id);
        } else if (step.needs.every(over) && step.after.every(over) && mayStart(step)) {
          open.delete(step);
          const promise: Promise<void> = execute(step).finally(() => running.delete(promise));
          running.add(promise);
        }
      }
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  if (failure !== undefined) throw failure;
  signal.throwIfAborted();
  for (const step of gated) {
    const decision = journal.decisions[step.id];
    return decision ? { kind: "refused", step, decision } : { kind: "waiting", step };
  }
  return open.size > 0 ? { kind: "handed_over" } : { kind: "done" };
}

/**
 * Fails closed: only an approval, or a rule that says `false`, lets a step pass. A rule is not asked again after a decision: it may
 * say something else by then, of an optional step that failed before, or of the time.
 */
async function isGated(
  step: Step,
  decision: StepDecision | undefined,
  context: FlowContext,
): Promise<boolean> {
  if (!step.approval) return false;
  if (decision) return decision.decision !== "approved";
  const { when } = step.approval;
  return when === undefined || (await when(context)) !== false;
}

async function pause(
  run: LiveRun,
  plan: Plan,
  step: Step,
  order: RunOrder,
  context: FlowContext,
  deps: RunDeps,
): Promise<void> {
  const rule = step.approval;
  if (!rule) throw new GatewayError("internal");
  const approval = newApproval({
    id: deps.newId(),
    runId: run.id,
    sessionId: run.sessionId,
    flow: plan.name,
    step: step.id,
    requestedBy: order.subject,
    rule,
    proposal: await rule.proposal(context),
    shown: await rule.show?.(context),
  });
  const answer = await answerOf(plan, context, deps.mesh);
  const message = `${answer}\n\nThe step "${step.id}" waits for approval ${approval.id}.`;
  run.signal.throwIfAborted();
  run.pause(
    {
      type: "run_paused",
      node: step.id,
      data: {
        status: "paused",
        message,
        approval: {
          id: approval.id,
          roles: rule.roles,
          proposal_hash: approval.hash,
          expires_in_s: rule.expiresInS,
        },
        model: order.model.chosen,
      },
    },
    approval,
    JSON.stringify(assistantTurn(run, message, "paused")),
  );
}

/** What the flow's expressions see of a run. */
export function executionContext(order: RunOrder, journal: Journal, mesh: Mesh): FlowContext {
  const inputs = order.inputs ?? defaultInputs(order, mesh) ?? {};
  return { request: { message: order.message, inputs }, steps: journal.results };
}

function defaultInputs(order: RunOrder, mesh: Mesh): Readonly<Record<string, unknown>> | undefined {
  return order.target.kind === "flow" ? mesh.flows.get(order.target.flow)?.defaultInputs : undefined;
}

/** The turn's text; where the run rests before its answer step could run, that step's text over what there is so far. */
async function answerOf(plan: Plan, context: FlowContext, mesh: Mesh): Promise<string> {
  if (plan.steps.length === 0) return mesh.general;
  const step = plan.steps.find((candidate) => candidate.id === plan.answer);
  const result = step && context.steps[step.id];
  if (result?.text) return result.text;
  if (step?.kind === "render" && !result && step.needs.every((id) => context.steps[id])) {
    const { text } = await renderText(step, context);
    if (text) return text;
  }
  return `Done: ${plan.goals.join(", ")}.`;
}

function toolsUsed(plan: Plan, results: Readonly<Record<string, StepResult>>): string[] {
  const used = plan.steps.flatMap((step) =>
    step.kind === "agent" && results[step.id] ? [step.taskType] : [],
  );
  return [...new Set(used)].map(toolName);
}

function asFailure(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  const code = error instanceof ExpressionError ? "flow_failed" : "internal";
  return new GatewayError(code, undefined, { cause: error });
}

function finishedEnd(
  plan: Plan,
  order: RunOrder,
  results: Readonly<Record<string, StepResult>>,
  answer: string,
  refused?: { step: Step; decision: StepDecision },
): RunEnd {
  const { step, decision } = refused ?? {};
  const refusal =
    step && decision && `The step "${step.id}" was not done: its approval was ${decision.decision}.`;
  return {
    type: "run_finished",
    data: {
      status: refusal ? "rejected" : "ok",
      message: refusal ? `${answer}\n\n${refusal}` : answer,
      tools_used: toolsUsed(plan, results),
      model: order.model.chosen,
      warnings: [...new Set(Object.values(results).flatMap((result) => result.warnings))],
    },
  };
}

function failedEnd(
  order: RunOrder,
  tools: readonly string[],
  failure: GatewayError,
  step?: StepFailure,
): RunEnd {
  const where = step ? ` (step ${step.step.id})` : "";
  return {
    type: "run_failed",
    data: {
      status: "error",
      code: failure.code,
      error: failure.message,
      retryable: ERRORS[failure.code].retryable,
      message: `This could not be done${where}: ${failure.message}`,
      ...(step ? { node: step.step.id } : {}),
      ...(step?.agentCode === undefined ? {} : { agent_code: step.agentCode }),
      ...(step?.reason === undefined ? {} : { reason: step.reason }),
      tools_used: tools,
      model: order.model.chosen,
    },
  };
}

export function cancelledEnd(
  order: RunOrder,
  tools: readonly string[],
): Extract<RunEnd, { type: "run_cancelled" }> {
  return {
    type: "run_cancelled",
    data: {
      status: "cancelled",
      message: "The run was cancelled.",
      tools_used: tools,
      model: order.model.chosen,
    },
  };
}

function turnOf(run: LiveRun, end: RunEnd): string {
  const turn = assistantTurn(run, end.data.message, end.data.status);
  return JSON.stringify(end.type === "run_failed" ? { ...turn, code: end.data.code } : turn);
}

export function assistantTurn(
  run: { id: string },
  text: string,
  status: Extract<TurnEntry, { role: "assistant" }>["status"],
): Extract<TurnEntry, { role: "assistant" }> {
  return { role: "assistant", run_id: run.id, text, at: new Date().toISOString(), status };
}
