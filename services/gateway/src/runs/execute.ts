import { RemoteError } from "../agents/index.ts";
import { GatewayError } from "../errors.ts";
import type { ApprovalRule, Mesh } from "../mesh/index.ts";
import type { Journal, RunOrder, RunStore } from "../store/index.ts";
import { GEN_AI, INTERLOCK, tracing } from "../telemetry/index.ts";
import {
  answerOf,
  assistantTurn,
  doneText,
  failedEnd,
  finishedEnd,
  toolsUsed,
  turnOfEnd,
  withPreface,
} from "./endings.ts";
import { executeSteps, type StepsRest } from "./execute-steps.ts";
import { firstEvents } from "./first-events.ts";
import { type FlowContext, flowContext, modeOf } from "./flow-context.ts";
import { pauseAt } from "./gate.ts";
import type { LineageKeeping } from "./lineage-keeping.ts";
import type { LiveRun } from "./live-run.ts";
import { Mirror } from "./mirror.ts";
import type { Plan, Planner } from "./plan.ts";
import { refusalText } from "./refusal.ts";
import type { Remotes } from "./remotes.ts";
import { flowOfSample, tableNotes } from "./sample.ts";
import { warnWhenSlow } from "./slow-warning.ts";
import {
  executeStep,
  OutcomeUnknown,
  type StepDeps,
  StepFailure,
  type StepScope,
  toGatewayError,
} from "./steps/index.ts";
import { type ReadResult, takeOver } from "./take-over.ts";
import { verifierOf } from "./verifier.ts";
import type { WordAnswer } from "./word-answer.ts";

export type ExecuteDeps = StepDeps & {
  readResult: ReadResult;
  lineage: LineageKeeping;
  mesh: Mesh;
  planner: Planner;
  remotes: Remotes;
  store: Pick<RunStore, "find">;
  /** Milliseconds after which the reader of an unfinished turn is warned. */
  slowWarningMs: number;
  /** Whether this replica is draining: its runs start no step that another replica can execute. */
  draining: () => boolean;
  /** Gives a run back to the queue, for another replica. */
  handOver: (run: LiveRun) => Promise<void>;
  /** Why nobody can approve a step, by the roles that there are now; undefined where somebody can. */
  whyUndecidable: (about: { flow: string; step: string; rule: ApprovalRule }) => string | undefined;
  /** The roles that may decide a step's approval. */
  decidersOf: (about: { flow: string; step: string; rule: ApprovalRule }) => readonly string[];
  /** Words reports; absent: they stay as their templates made them. */
  wordAnswer?: WordAnswer | undefined;
  /** Reports how each run came to rest here, for log and metrics. */
  onRest: (run: LiveRun, order: RunOrder, rested: RunOutcome) => void;
};

/** The outcome's name, and the failure with its cause where there was one. */
export type RunOutcome = { outcome: string; failure?: GatewayError };

/** A run that this replica holds, as its journal stands. */
export type HeldRun = {
  run: LiveRun;
  order: RunOrder;
  journal: Journal;
  /** Milliseconds for which the run had been under way when this replica took it; absent: it has just begun. */
  waitedMs?: number;
  /** Whether it goes on where it waited, or where another holder had come to. */
  resumes?: boolean;
  /** Why it cannot be executed: the edition that it began with is not available. */
  missing?: GatewayError | undefined;
};

/** One execution of a held run. */
type Execution = HeldRun &
  Pick<StepScope, "mode" | "onSample"> & { plan: Plan; context: FlowContext; deps: ExecuteDeps };

/**
 * Executes a run from wherever its journal stands to its end or its next pause. Never throws: the outcome is an event in the log, or,
 * where another replica holds the run by now, nothing.
 */
export function executeRun(held: HeldRun, deps: ExecuteDeps): Promise<unknown> {
  const { run, order, resumes = false } = held;
  run.trace = order;
  if (!tracing) return execute(held, deps);
  const { target } = order;
  const flow = target.kind === "flow" ? target.flow : undefined;
  const span = tracing.span(flow === undefined ? "run" : `invoke_workflow ${flow}`, order, {
    // What came before waited for a person, or ran on a replica that is gone: its trace may be hours old.
    linked: resumes,
    attributes: {
      [GEN_AI.conversation]: run.sessionId,
      [INTERLOCK.run]: run.id,
      ...(flow === undefined ? {} : { [GEN_AI.operation]: "invoke_workflow", [GEN_AI.workflow]: flow }),
    },
  });
  run.trace = span;
  return span.around(execute(held, deps), (ended) => {
    if ("error" in ended) return "internal";
    const { outcome, failure } = ended.result;
    span.set({ [INTERLOCK.outcome]: outcome });
    return outcome === "lost" ? "lost" : failure?.code;
  });
}

async function execute(held: HeldRun, deps: ExecuteDeps): Promise<RunOutcome> {
  const { run, order, journal, missing } = held;
  const plan = missing ? undefined : deps.planner.planOf(order);
  const mirror = plan?.mirrors && new Mirror(held, plan.mirrors, deps);
  const fail = (error: unknown): RunOutcome => {
    const details = error instanceof StepFailure || error instanceof RemoteError ? error : undefined;
    const failure = error instanceof StepFailure ? error.failure : toGatewayError(error);
    // Nothing was mirrored: the log begins as any other one.
    if (run.seq === 0)
      for (const event of firstEvents(run.sessionId, order, undefined)) void run.append(event);
    const tools = plan ? toolsUsed(plan, journal.results, journal.calls) : [];
    const lineage = deps.lineage.shown(journal.calls);
    const end = failedEnd({ order, tools, lineage, used: run.used }, failure, details);
    deps.lineage.forget(run, journal);
    run.finish(end, JSON.stringify(turnOfEnd(run, end)));
    return { outcome: failure.code, failure };
  };
  let rested: RunOutcome;
  try {
    if (!plan) {
      // An ask that lost its caller fails for that reason, even if its edition is gone as well.
      run.signal.throwIfAborted();
      throw missing ?? new GatewayError("flow_failed", "The flow of this run is not in the manifest.");
    }
    if (mirror) rested = { outcome: await mirror.toRest() };
    else {
      const context = await flowContext(order, journal, deps.mesh);
      const onSample = flowOfSample(order, deps.mesh) !== undefined;
      const mode = modeOf(order, deps.mesh);
      rested = { outcome: await executePlan({ ...held, plan, context, mode, onSample, deps }) };
    }
  } catch (error) {
    rested = fail(error);
  }
  let done = await run.done;
  while (done === "over_limit") {
    rested = fail(new GatewayError("output_limit"));
    done = await run.done;
  }
  if (done === "lost") rested = { ...rested, outcome: "lost" };
  deps.onRest(run, order, rested);
  if (!mirror) return rested;
  if (rested.failure || done === "lost") await mirror.leave();
  if (done === "ended" && rested.outcome !== "paused") deps.remotes.forget(run.id);
  return rested;
}

/** Executes the steps within the plan's time and writes how they came to rest. @returns the outcome, for log and metrics */
async function executePlan(execution: Execution): Promise<string> {
  const { run, plan, deps } = execution;
  const timeout = setTimeout(() => run.abort.abort(new GatewayError("deadline_exceeded")), plan.timeoutMs);
  const settled = warnWhenSlow(execution, deps.slowWarningMs);
  try {
    const rest = await (plan.kind === "ask" ? executeInOrder(execution) : executeScheduled(execution));
    if (rest.kind === "waiting") return await pause(execution, rest);
    // The plan's deadline applies to its steps only: a finished answer is not lost because its wording is late.
    clearTimeout(timeout);
    if (rest.kind !== "handed_over") return await finish(execution, rest);
    await deps.handOver(run);
    return rest.kind;
  } catch (error) {
    if (error instanceof OutcomeUnknown) return park(execution);
    throw error;
  } finally {
    clearTimeout(timeout);
    settled();
  }
}

/** An ask is a sequence of steps: none waits for a person, is optional, or runs in parallel. */
async function executeInOrder(execution: Execution): Promise<StepsRest> {
  const { run, order, context, mode, onSample, plan, journal, deps } = execution;
  const { signal } = run;
  const verify = verifierOf({ run, order, context, flow: plan.name }, deps);
  const { begun, calls, rounds, decisions, results } = journal;
  const { mesh, lineage } = deps;
  // Written out: rest and spread would cost a simple ask more than the rest of this function.
  const scope: StepScope = {
    run,
    order,
    context,
    mesh,
    lineage,
    mode,
    onSample,
    signal,
    trace: run.trace,
    verify,
    begun,
    calls,
    rounds,
    decisions,
    results,
  };
  for (const step of plan.steps) {
    signal.throwIfAborted();
    journal.results[step.id] = await executeStep(step, scope, deps);
  }
  return { kind: "done" };
}

async function executeScheduled({ plan, journal, deps, ...execution }: Execution): Promise<StepsRest> {
  const { run, order, context, mode, onSample } = execution;
  const { results, decisions, begun, calls, rounds } = journal;
  await takeOver({ run, order, results, plan }, deps);
  const { mesh, lineage } = deps;
  return await executeSteps(
    {
      ...{ run, order, context, mesh, lineage, mode, onSample, results, begun, calls, rounds, decisions },
      ...{ signal: run.signal, trace: run.trace, flow: plan.name, steps: plan.steps },
      resultOf: ({ id }) => results[id],
      keep: ({ id }, result) => {
        results[id] = result;
      },
      // A replica that is being stopped starts no step that another replica can do. It does render text, which is cheap, and it finishes
      // quiet runs: their callers wait on this connection and get their answer here or not at all.
      mayStart: ({ kind }) => !deps.draining() || kind === "render" || order.quiet === true,
    },
    deps,
  );
}

async function finish(
  { run, plan, order, context, journal, deps }: Execution,
  rest: Extract<StepsRest, { kind: "done" | "refused" }>,
): Promise<string> {
  const flow = deps.mesh.flows.get(plan.name);
  const refused = rest.kind === "refused" ? { ...rest, text: refusalText(rest, flow) } : undefined;
  const otherwise = () => (refused ? "" : doneText(plan));
  const about = { run, plan, order, context };
  const answer = await answerOf(about, { mesh: deps.mesh, signal: run.signal, otherwise });
  const { wordAnswer } = deps;
  const { text: report, isReport } = answer;
  const { results } = journal;
  const worded = wordAnswer && isReport ? await wordAnswer({ report, results, run, order }) : undefined;
  const notes = tableNotes(order, deps.mesh);
  const made = { plan, order, results, calls: journal.calls, lineage: deps.lineage, used: run.used, notes };
  const said = { text: answer.text, worded, outputs: answer.outputs };
  const end = finishedEnd(made, said, refused);
  run.signal.throwIfAborted();
  deps.lineage.forget(run, journal);
  run.finish(
    end,
    JSON.stringify(turnOfEnd(run, end)),
    journal.results[plan.answer?.step ?? ""]?.dialogue?.kept,
  );
  return end.data.refused?.code ?? end.data.status;
}

async function pause(
  execution: Execution,
  { flow, step, asked }: Extract<StepsRest, { kind: "waiting" }>,
): Promise<string> {
  const { run, order, deps } = execution;
  const { mesh } = deps;
  const otherwise = () => mesh.readable(Object(asked.proposal), run.signal);
  const { text } = await answerOf(execution, { mesh, signal: run.signal, otherwise });
  const answer = withPreface(order, text);
  const rule = step.approval;
  const about = rule && { flow, step: step.id, rule };
  const unable = about && deps.whyUndecidable(about);
  const deciders = about ? deps.decidersOf(about) : [];
  const { message, event, approval } = await pauseAt(step, {
    ...execution,
    flow,
    mesh,
    answer,
    unable,
    asked,
    deciders,
  });
  run.signal.throwIfAborted();
  run.pause(event, approval, JSON.stringify(assistantTurn(run, message, "paused")));
  return "paused";
}

function park({ run }: Execution): string {
  const message = "An effect was begun and nobody knows whether it happened: it needs a person.";
  run.park(
    { type: "run_parked", data: { status: "needs_review", message, code: "outcome_unknown" } },
    JSON.stringify(assistantTurn(run, message, "error")),
  );
  return "needs_review";
}
