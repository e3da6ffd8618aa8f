import type { buildConnector } from "undici";
import {
  AgentClient,
  type AgentClientOptions,
  AgentRegistry,
  RemoteClient,
  type RemoteClientOptions,
} from "./agents/index.ts";
import type { Egress } from "./egress/index.ts";
import type { LoadedEdition, Mesh } from "./mesh/index.ts";
import { Planner, Remotes, type RemotesDeps, type RunEdition } from "./runs/index.ts";
import type { EditionStore } from "./store/index.ts";
import { ToolServers, type ToolServersOptions, toolsOf } from "./tools/index.ts";

export type EditionDeps = {
  agents: Omit<AgentClientOptions, "agents" | "egress">;
  remotes: Omit<RemoteClientOptions, "egress"> & Pick<RemotesDeps, "sign">;
  tools: Omit<ToolServersOptions, "tools" | "egress" | "taken">;
  egressOf: (mesh: Mesh) => Egress;
  store: EditionStore;
};

/** The origin of an edition: the manifest on disk, for new requests, or the store, for runs that began with it. */
export type Origin = "manifest" | "store";

const CONNECT_MS = 5_000;
const WEEK_S = 7 * 86_400;

/**
 * One version of the manifest, and what runs are executed with: all of it made from this version. It closes its connections when it does
 * not count for new requests any more and nobody uses it.
 */
export class Edition implements RunEdition {
  readonly loaded: LoadedEdition;
  /** Opens connections to issuers. */
  readonly connect: buildConnector.connector;
  readonly planner: Planner;
  readonly agents: AgentClient;
  readonly registry: AgentRegistry;
  readonly remotes: Remotes;
  readonly toolServers: ToolServers;
  readonly #gateways: RemoteClient;
  readonly #store: EditionStore;
  readonly #onClosed: (edition: Edition) => void;
  #users = 0;
  #counts: boolean;
  #isShared: boolean;
  #sharing: Promise<void> | undefined;
  #closed: Promise<unknown> | undefined;

  constructor(
    loaded: LoadedEdition,
    origin: Origin,
    { agents, remotes, tools, egressOf, store }: EditionDeps,
    onClosed: (edition: Edition) => void,
  ) {
    const { mesh } = loaded;
    const specs = [...mesh.agents.values()];
    this.loaded = loaded;
    const egress = egressOf(mesh);
    this.connect = egress.connector(CONNECT_MS);
    this.planner = new Planner(mesh);
    this.agents = new AgentClient({
      ...agents,
      agents: specs,
      egress,
      decidesEgress: origin === "manifest",
    });
    this.registry = new AgentRegistry({
      agents: specs,
      egress,
      ...(agents.observer ? { observer: agents.observer } : {}),
      breakerState: (agent) => this.agents.breakerState(agent),
      onReady: (agent) => this.agents.noteReady(agent),
    });
    this.#gateways = new RemoteClient({ ...remotes, egress });
    this.remotes = new Remotes({ client: this.#gateways, sign: remotes.sign, mesh });
    this.toolServers = new ToolServers({
      ...tools,
      ...{ tools: mesh.tools, egress },
      taken: toolsOf(mesh).map(({ tool }) => tool.name),
    });
    this.#store = store;
    this.#onClosed = onClosed;
    this.#counts = origin === "manifest";
    this.#isShared = origin === "store";
  }

  get hash(): string {
    return this.loaded.hash;
  }

  get mesh(): Mesh {
    return this.loaded.mesh;
  }

  /**
   * Resolves once every agent and every MCP server was looked at, which takes a few seconds at most. Tools are offered by the edition that
   * counts for new requests: another one leaves its servers alone.
   */
  async start(): Promise<void> {
    await Promise.all([this.registry.start(), this.#counts && this.toolServers.start()]);
  }

  enter(): void {
    this.#users += 1;
  }

  leave(): void {
    this.#users -= 1;
    if (this.#users === 0 && !this.#counts) void this.close();
  }

  /** Called when another edition has replaced it for new requests. */
  retire(): void {
    this.#counts = false;
    if (this.#users === 0) void this.close();
  }

  shared(): Promise<void> | undefined {
    if (this.#isShared) return undefined;
    this.#sharing ??= this.#share();
    return this.#sharing;
  }

  /** Keeps its sources in the store for a week longer than a run may wait for a person. */
  async renew(): Promise<void> {
    if (await this.#store.renew(this.hash, this.#keptS)) return;
    this.#isShared = false;
    await this.shared();
  }

  /** Closes the connections that no other edition shares. Requests still under way fail. */
  async close(): Promise<void> {
    this.#closed ??= Promise.all([
      ...[this.registry.stop(), this.agents.close(), this.#gateways.close()],
      this.toolServers.close(),
    ]);
    this.#onClosed(this);
    await this.#closed;
  }

  async #share(): Promise<void> {
    try {
      await this.#store.put(this.hash, this.loaded.sources, this.#keptS);
      this.#isShared = true;
    } finally {
      this.#sharing = undefined;
    }
  }

  get #keptS(): number {
    const rules = [...this.mesh.flows.values()].flatMap(({ steps }) =>
      [...steps.values()].flatMap(({ approval }) => approval ?? []),
    );
    // Escalation restarts the waiting time of an approval, so count it twice.
    return WEEK_S + 2 * Math.max(0, ...rules.map(({ expiresInS }) => expiresInS));
  }
}
