import { Agent } from "undici";
import type { Egress } from "../egress/index.ts";
import type { MeshTools } from "../mesh/index.ts";
import { definitionHash, soundOf, type ToolDefinition, type ToolFlag } from "./definition.ts";
import { type Defined, McpServer, type ServerDeps, type ServerTiming } from "./server.ts";

/** A tool of an MCP server. */
export type McpTool = {
  /** `<server>.<tool>`. */
  readonly name: string;
  readonly server: McpServer;
  readonly definition: ToolDefinition;
  readonly hash: string;
  readonly flags: readonly ToolFlag[];
  /** It changes nothing, as the manifest says, or else the server. */
  readonly reads: boolean;
  /** Milliseconds for which a result counts; 0: it is not kept. */
  readonly cacheMs: number;
  /** Nobody has accepted the definition that the server has now. */
  readonly quarantined: boolean;
};

export type ToolServersOptions = ServerTiming & {
  tools: MeshTools;
  /** Opens the connections. */
  egress: Egress;
  /** Names of the mesh's own tools. */
  taken: readonly string[];
  secret: ServerDeps["secret"];
  isInjection: ServerDeps["isInjection"];
  onServer?: ServerDeps["onStatus"];
  /** Called once for each definition that is put aside. */
  onQuarantine?: (tool: string) => void;
};

const CONNECT_MS = 5_000;
const CACHE_S = 300;

/** The MCP servers of the mesh and all of their tools. Without servers it does nothing and holds nothing. */
export class ToolServers {
  readonly servers: readonly McpServer[];
  readonly #options: ToolServersOptions;
  readonly #dispatcher: Agent | undefined;
  /** Hashes of the definitions that were accepted, by tool. */
  readonly #accepted: ReadonlyMap<string, string>;
  #tools: ReadonlyMap<string, McpTool> = new Map();

  constructor(options: ToolServersOptions) {
    const { tools, egress } = options;
    this.#options = options;
    const accepted = Object.entries(tools.pin ? tools.accepted : {});
    this.#accepted = new Map(accepted.map(([name, definition]) => [name, definitionHash(definition)]));
    const specs = [...tools.servers.values()];
    // Streams on which a server tells of changes are silent for hours; what waits for an answer has its own time limit.
    const dispatcher =
      specs.length > 0
        ? new Agent({ connect: egress.connector(CONNECT_MS), bodyTimeout: 0, headersTimeout: 0 })
        : undefined;
    this.#dispatcher = dispatcher;
    const onTools = () => {
      this.#tools = this.#collected();
    };
    const onStatus: ServerDeps["onStatus"] = (...about) => options.onServer?.(...about);
    this.servers = specs.flatMap((spec) =>
      dispatcher ? new McpServer(spec, { ...options, dispatcher, onTools, onStatus }) : [],
    );
  }

  get all(): Iterable<McpTool> {
    return this.#tools.values();
  }

  find(name: string): McpTool | undefined {
    return this.#tools.get(name);
  }

  /** Whether each server is ready, by name. */
  readiness(): ReadonlyMap<string, boolean> {
    return new Map(this.servers.map(({ spec, status }) => [spec.name, status === "ready"]));
  }

  /** Loads what speaks the protocol, where there is a server: later it would hold the event loop. */
  async load(): Promise<void> {
    if (this.servers.length > 0) await import("./connection.ts");
  }

  /** Looks at all servers in parallel. Resolves once each was looked at; whoever serves others need not wait. */
  async start(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.start()));
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
    await this.#dispatcher?.destroy();
  }

  /** @returns the tools of all servers, in the order of the manifest */
  #collected(): ReadonlyMap<string, McpTool> {
    const { taken, onQuarantine } = this.#options;
    const sounds = new Set(taken.map(soundOf));
    const tools = new Map<string, McpTool>();
    for (const server of this.servers) {
      const own = [...server.defined];
      for (const one of own) {
        const isTaken = sounds.has(soundOf(one.definition.name));
        const tool = this.#tool(server, one, isTaken ? ["shadows", ...one.flags] : one.flags);
        tools.set(tool.name, tool);
      }
      for (const { definition } of own) sounds.add(soundOf(definition.name));
    }
    for (const { name, hash, quarantined } of tools.values())
      if (quarantined && this.#tools.get(name)?.hash !== hash) onQuarantine?.(name);
    return tools;
  }

  #tool(server: McpServer, { definition, hash }: Defined, flags: readonly ToolFlag[]): McpTool {
    const name = `${server.spec.name}.${definition.name}`;
    const rule = server.spec.tools.get(definition.name) ?? {};
    const { readOnlyHint = false, idempotentHint = false } = definition.annotations ?? {};
    const reads = rule.reads ?? readOnlyHint;
    const repeats = reads && (rule.idempotent ?? idempotentHint);
    const cacheMs = repeats ? 1_000 * (rule.cacheS ?? CACHE_S) : 0;
    const quarantined = this.#options.tools.pin && this.#accepted.get(name) !== hash;
    return { name, server, definition, hash, flags, reads, cacheMs, quarantined };
  }
}
