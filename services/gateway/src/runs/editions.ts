import type { AgentClient, AgentRegistry } from "../agents/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { RunOrder } from "../store/index.ts";
import type { Planner } from "./plan.ts";
import type { Remotes } from "./remotes.ts";

/** What runs are executed with, all of it made from one version of the manifest. */
export type RunEdition = {
  /** Names the version. */
  readonly hash: string;
  readonly mesh: Mesh;
  readonly planner: Planner;
  readonly agents: AgentClient;
  /** What the agents say of themselves. */
  readonly registry: Pick<AgentRegistry, "schemas">;
  /** Other gateways. */
  readonly remotes: Remotes;
  /** Keeps the agents' connections open until {@link leave} was called as often. */
  enter(): void;
  leave(): void;
  /** Settles when every replica can execute runs of it; undefined where that is so already. Rejects with store_unavailable. */
  shared(): Promise<void> | undefined;
};

export type RunEditions = {
  /** The edition for new runs. */
  readonly current: RunEdition;
  /**
   * The edition that a run began with, entered for the caller.
   * @throws GatewayError edition_gone, store_unavailable
   */
  of(order: Pick<RunOrder, "edition">): Promise<RunEdition>;
};
