import type { TraceContext } from "@interlock/contracts";
import type { AgentClient, TaskSchemas } from "../../agents/index.ts";
import type { Callee } from "../../callees/index.ts";
import type { ActingCaller } from "../../caller.ts";
import type { Resource } from "../../identity/index.ts";
import type { Mesh, Step } from "../../mesh/index.ts";
import type { Journal, Replication, RunOrder, SessionStore, StepResult } from "../../store/index.ts";
import type { Tools } from "../../tools/index.ts";
import type { FlowContext } from "../flow-context.ts";
import type { LineageKeeping } from "../lineage-keeping.ts";
import type { LiveRun } from "../live-run.ts";
import type { RoundsModel } from "../rounds-model.ts";

/** Dependencies of all kinds of steps. */
export type StepDeps = {
  agents: AgentClient;
  sessions: Pick<SessionStore, "dialogue" | "latest" | "checkpoint">;
  /** Makes sure that an entry of a run's journal survives a failover of the store. Absent: nothing is made sure of. */
  replication?: Pick<Replication, "confirm">;
  /** The tools of MCP servers as they are now, and what callers may use now: neither waits for a run. */
  tools: () => ToolsPort;
  may: (caller: ActingCaller, resource: Resource) => boolean;
  /** Asks the model of tool-calling agents. */
  roundsModel: () => RoundsModel;
  /** What a task takes and gives, as far as its agent has said it. */
  schemasOf: (agent: string, task: string) => TaskSchemas;
  /** Judges a value by a schema, outside of the event loop. @returns what is wrong, in the schema's words */
  judge: (schema: object, value: unknown, signal: AbortSignal) => Promise<string | undefined>;
  /** The flow of a service, as far as the run's caller may have it done. */
  flowCallee: (service: string, scope: StepScope, deps: StepDeps) => Callee | undefined;
};

export type ToolsPort = Pick<Tools, "find" | "list" | "judge" | "call">;

/** One execution of a step. */
export type StepScope = {
  run: LiveRun;
  order: RunOrder;
  context: FlowContext;
  /** The one that the run began with. */
  mesh: Mesh;
  /** How calls are written to the journal. */
  lineage: LineageKeeping;
  mode: "DEMO" | "LIVE";
  /** Whether it works with the inputs of a flow, since nobody gave any. */
  onSample: boolean;
  signal: AbortSignal;
  /** Where what the step does belongs. */
  trace: TraceContext;
  /** Judges what an effect would do, right before it. @throws OrderNotMet; see runs/verifier.ts */
  verify: (step: Step, payload: unknown, signal: AbortSignal) => Promise<unknown>;
  /** Steps whose effect a former holder began without recording its outcome. */
  begun: ReadonlySet<string>;
  /** What the run has called so far, what its models said, and what was decided about calls. Calls are added as they end. */
  calls: Journal["calls"];
  /** What steps have come to. */
  results: Journal["results"];
  rounds: Journal["rounds"];
  decisions: Readonly<Journal["decisions"]>;
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
