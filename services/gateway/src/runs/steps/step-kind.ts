import type { AgentClient } from "../../agents/index.ts";
import type { Step } from "../../mesh/index.ts";
import type { Replication, RunOrder, SessionStore, StepResult } from "../../store/index.ts";
import type { FlowContext } from "../flow-context.ts";
import type { LiveRun } from "../live-run.ts";

/** Dependencies of all kinds of steps. */
export type StepDeps = {
  agents: AgentClient;
  sessions: Pick<SessionStore, "dialogue" | "latest" | "checkpoint">;
  /** Makes sure that an entry of a run's journal survives a failover of the store. Absent: nothing is made sure of. */
  replication?: Pick<Replication, "confirm">;
};

/** One execution of a step. */
export type StepScope = {
  run: LiveRun;
  order: RunOrder;
  context: FlowContext;
  mode: "DEMO" | "LIVE";
  /** Whether it works with the inputs of a flow, since nobody gave any. */
  onSample: boolean;
  signal: AbortSignal;
  /** Judges what an effect would do, right before it. @throws OrderNotMet; see runs/verifier.ts */
  verify: (step: Step, payload: unknown, signal: AbortSignal) => Promise<unknown>;
  /** Steps whose effect a former holder began without recording its outcome. */
  begun: ReadonlySet<string>;
};

/** The agent and task of a step, as its events name them. */
export type StepAbout = { agent: string; task_type: string };

/** How steps of one kind are reported and executed. */
export type StepKind<S extends Step> = {
  /** Whether the step asks an agent: the plan then shows the task, and the answer counts it as a tool that was used. */
  readonly asksAgent: boolean;
  /** Undefined where the steps of this kind leave no events. */
  about(step: S): StepAbout | undefined;
  /**
   * Executes a step. A step with events journals its result in the same write as the event that tells of it.
   * @throws OutcomeUnknown, OrderNotMet; anything else is a failure of the step
   */
  execute(step: S, scope: StepScope, deps: StepDeps): Promise<StepResult>;
};
