import { ERRORS, GatewayError } from "../errors.ts";
import type { Mesh, Step } from "../mesh.ts";
import { toolName } from "../tools/catalogue.ts";
import type { RunEnd } from "./events.ts";
import { executeStep, type FlowContext, type StepDeps, StepFailure, type StepScope } from "./execute-step.ts";
import type { LiveRun } from "./live-run.ts";
import { type Plan, planOfAsk, planOfFlow } from "./plan.ts";
import type { RunOrder, StepResult, TurnEntry } from "./record.ts";

export type RunDeps = StepDeps & {
  mesh: Mesh;
  /** Hears of every end, and of a failure with its cause, for log and metrics. */
  onEnd?: (run: LiveRun, order: RunOrder, outcome: string, failure?: GatewayError) => void;
};

type Journal = Record<string, StepResult>;

/** The plan that an order asks for. It depends on order and manifest alone, so another replica comes to the same one. */
export function planOf(order: RunOrder, mesh: Mesh): Plan | undefined {
  const { target } = order;
  if (target.kind === "flow") {
    const flow = mesh.flows.get(target.flow);
    return flow && planOfFlow(flow, target.goals);
  }
  if (target.kind === "service") {
    const service = mesh.services.get(target.service);
    return service?.target.kind === "agent"
      ? planOfAsk({ ...service, target: service.target }, mesh)
      : undefined;
  }
  return { kind: "ask", name: "general", goals: [], steps: [], answer: undefined, timeoutMs: 30_000 };
}

/**
 * Executes a run that this replica holds, from wherever its journal stands, to its one end. Never throws: every way out is an event
 * in the log, or, where the run was lost to another holder, silence.
 */
export async function executeRun(
  run: LiveRun,
  order: RunOrder,
  journal: Journal,
  deps: RunDeps,
): Promise<void> {
  const plan = planOf(order, deps.mesh);
  let end: RunEnd;
  let failed: GatewayError | undefined;
  if (!plan) {
    end = failedEnd(
      order,
      [],
      new GatewayError("flow_failed", "The flow of this run is not in the manifest any more."),
    );
  } else {
    const timeout = setTimeout(() => run.abort.abort(new GatewayError("deadline_exceeded")), plan.timeoutMs);
    try {
      const steps = await executePlan(run, plan, order, journal, deps);
      end = {
        type: "run_finished",
        data: {
          status: "ok",
          message: answerOf(plan, steps, deps.mesh),
          tools_used: toolsUsed(plan, steps),
          model: order.model.chosen,
          warnings: [...new Set(Object.values(steps).flatMap((step) => step.warnings))],
        },
      };
    } catch (error) {
      const tools = toolsUsed(plan, journal);
      const failure = error instanceof StepFailure ? error.failure : asFailure(error);
      failed = failure;
      end =
        failure.code === "cancelled"
          ? cancelledEnd(order, tools)
          : failedEnd(order, tools, failure, error instanceof StepFailure ? error : undefined);
    } finally {
      clearTimeout(timeout);
    }
  }
  run.finish(end, JSON.stringify(turnOf(run, end)));
  const outcome =
    (await run.done) === "lost" ? "lost" : end.type === "run_failed" ? end.data.code : end.data.status;
  deps.onEnd?.(run, order, outcome, failed);
}

/** Runs every step as soon as those that it waits for are over. The first failure that matters stops the rest. */
async function executePlan(
  run: LiveRun,
  plan: Plan,
  order: RunOrder,
  journal: Journal,
  deps: RunDeps,
): Promise<Journal> {
  const inputs = order.inputs ?? defaultInputs(order, deps.mesh);
  const context: FlowContext = { request: { message: order.message, inputs: inputs ?? {} }, steps: journal };
  const siblings = new AbortController();
  const scope: StepScope = {
    run,
    order,
    context,
    mode: inputs ? "LIVE" : "DEMO",
    signal: AbortSignal.any([run.signal, siblings.signal]),
  };
  const open = new Set(plan.steps.filter((step) => !journal[step.id]));
  const lost = new Set<string>();
  const running = new Set<Promise<void>>();
  let failure: unknown;

  const over = (id: string): boolean => journal[id] !== undefined || lost.has(id);
  const start = (step: Step): void => {
    open.delete(step);
    const promise: Promise<void> = executeStep(step, scope, deps)
      .then(
        (result) => {
          journal[step.id] = result;
        },
        (error: unknown) => {
          if (step.optional && !scope.signal.aborted) lost.add(step.id);
          else {
            failure ??= error;
            siblings.abort(new GatewayError("cancelled"));
          }
        },
      )
      .finally(() => running.delete(promise));
    running.add(promise);
  };

  while (failure === undefined && (open.size > 0 || running.size > 0)) {
    scope.signal.throwIfAborted();
    for (const step of open) {
      if (step.needs.some((id) => lost.has(id))) {
        open.delete(step);
        lost.add(step.id);
      } else if (step.needs.every(over) && step.after.every(over)) start(step);
    }
    if (running.size > 0) await Promise.race(running);
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure;
  run.signal.throwIfAborted();
  return journal;
}

function defaultInputs(order: RunOrder, mesh: Mesh): Readonly<Record<string, unknown>> | undefined {
  return order.target.kind === "flow" ? mesh.flows.get(order.target.flow)?.defaultInputs : undefined;
}

function answerOf(plan: Plan, steps: Journal, mesh: Mesh): string {
  if (plan.steps.length === 0) return mesh.general;
  const text = plan.answer === undefined ? undefined : steps[plan.answer]?.text;
  return text || `Done: ${plan.goals.join(", ")}.`;
}

function toolsUsed(plan: Plan, steps: Journal): string[] {
  const used = plan.steps.flatMap((step) => (step.kind === "agent" && steps[step.id] ? [step.taskType] : []));
  return [...new Set(used)].map(toolName);
}

function asFailure(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : new GatewayError("internal", undefined, { cause: error });
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

function cancelledEnd(order: RunOrder, tools: readonly string[]): RunEnd {
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

function turnOf(run: LiveRun, end: RunEnd): TurnEntry {
  const turn = {
    role: "assistant",
    run_id: run.id,
    text: end.data.message,
    at: new Date().toISOString(),
  } as const;
  if (end.type === "run_failed") return { ...turn, status: "error", code: end.data.code };
  return { ...turn, status: end.type === "run_finished" ? "ok" : "cancelled" };
}
