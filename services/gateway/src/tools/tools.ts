import type { TraceContext } from "@interlock/contracts";
import { type ActingCaller, principalOf } from "../caller.ts";
import { canonicalJson, sha256 } from "../canonical-json.ts";
import type { ToolProgress } from "./connection.ts";
import type { ToolFlag } from "./definition.ts";
import type { ToolResult } from "./result.ts";
import { type CacheOutcome, ResultCache } from "./result-cache.ts";
import type { ServerStatus } from "./server.ts";
import { ToolError, type ToolErrorCode } from "./tool-error.ts";
import type { McpTool, ToolServers } from "./tool-servers.ts";

/** What decides what a tool answers to a caller, beside the arguments. */
export type Rights = { roles: readonly string[]; rows: Readonly<Record<string, readonly string[]>> };

export type ToolsDeps = {
  servers: ToolServers;
  /** Whether a role of the caller grants the tool; also for `<server>.*`, all of a server's. */
  may: (caller: ActingCaller, tool: string) => boolean;
  /** The roles that this mesh knows, and the rows that they restrict. */
  rightsOf: (caller: ActingCaller) => Rights;
  /** Counts a call. @returns milliseconds after which it may go; undefined where it may go now */
  take?: (caller: ActingCaller, tool: string) => Promise<number | undefined> | number | undefined;
  /** Says to a server, by a signed token, on whose behalf it is called. */
  sign: (about: SignedCall) => string;
  /** Judges a value by a schema of a server, outside of the event loop. @returns what is wrong, in the schema's words */
  judge: (schema: object, value: unknown, signal: AbortSignal) => Promise<string | undefined>;
  cacheBytes: number;
  observer?: ToolObserver;
};

export type SignedCall = {
  agent: string;
  caller: ActingCaller;
  timeoutMs: number;
  runId?: string | undefined;
  step?: string | undefined;
};

/** Is told what happens; its names are those of the manifest and of the tools that are called. */
export type ToolObserver = {
  onCall?: (call: { server: string; outcome: "ok" | "error" | ToolErrorCode; ms: number }) => void;
  onCache?: (lookup: { server: string; tool: string; outcome: CacheUsed }) => void;
};

/** `bypass`: the tool's results are not kept, or the caller wants none that is. */
export type CacheUsed = CacheOutcome | "bypass";

export type ToolCall = {
  caller: ActingCaller;
  /** `<server>.<tool>`. */
  name: string;
  args: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
  /** Milliseconds that a kept result may be old; 0: none that is kept; absent: as old as the tool allows. */
  maxAgeMs?: number | undefined;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
  runId?: string | undefined;
  step?: string | undefined;
  /** Where the call belongs. */
  trace?: TraceContext | undefined;
  /** Whoever calls has made sure that the tool may act. Absent: only tools that read are called. */
  mayAct?: boolean | undefined;
  /** Under which the server may know a call that is made again. */
  idempotencyKey?: string | undefined;
};

export type CalledTool = { result: ToolResult; tool: McpTool; cache: CacheUsed; ageMs: number };

/** A tool as it is listed to a caller. */
export type OfferedTool = {
  name: string;
  server: string;
  description: string;
  parameters: object;
  reads: boolean;
  available: boolean;
  flags: readonly ToolFlag[];
};

export type OfferedServer = {
  name: string;
  description: string;
  url: string;
  status: ServerStatus;
  tools: string[];
  /** Those whose definition nobody has accepted. */
  quarantined: string[];
};

/** The key of the signed context in `_meta`. */
const CALLER_META = "interlock/caller";
const KEY_META = "interlock/idempotency-key";

/** The tools of MCP servers, for a caller: what is listed can be called, and nothing else can. */
export class Tools {
  readonly #deps: ToolsDeps;
  readonly #cache: ResultCache<ToolResult>;

  constructor(deps: ToolsDeps) {
    this.#deps = deps;
    this.#cache = new ResultCache({
      maxBytes: deps.cacheBytes,
      keeps: isComplete,
      read: (text) => JSON.parse(text),
    });
  }

  /** @param server those of one alone */
  list(caller: ActingCaller, server?: string): OfferedTool[] {
    return [...this.#deps.servers.all].flatMap((tool) => {
      if (!this.#offers(caller, tool) || (server !== undefined && tool.server.spec.name !== server))
        return [];
      const { name, definition, reads, flags } = tool;
      const { description, inputSchema: parameters } = definition;
      const { spec, status } = tool.server;
      return {
        name,
        server: spec.name,
        description,
        parameters,
        reads,
        available: status === "ready",
        flags,
      };
    });
  }

  /** The servers of which the caller may use something. */
  listServers(caller: ActingCaller): OfferedServer[] {
    const { servers, may } = this.#deps;
    const all = [...servers.all].filter(({ name }) => may(caller, name));
    return servers.servers.flatMap(({ spec, status }) => {
      const own = all.filter(({ server }) => server.spec === spec);
      if (own.length === 0 && !may(caller, `${spec.name}.*`)) return [];
      const names = (isAside: boolean) =>
        own.flatMap(({ name, quarantined }) => (quarantined === isAside ? name : []));
      const { name, description = "", url } = spec;
      return { name, description, url, status, tools: names(false), quarantined: names(true) };
    });
  }

  /** The tool, where it is listed to the caller. */
  find(caller: ActingCaller, name: string): McpTool | undefined {
    const tool = this.#deps.servers.find(name);
    return tool && this.#offers(caller, tool) ? tool : undefined;
  }

  /** The schema of a tool's arguments, for whoever decides about a call of it. */
  schemaOf(name: string): object | undefined {
    const tool = this.#deps.servers.find(name);
    return tool && !tool.quarantined ? tool.definition.inputSchema : undefined;
  }

  /** @returns what is wrong with the arguments, in the words of the tool's schema */
  async judge({ definition }: McpTool, args: unknown, signal: AbortSignal): Promise<string | undefined> {
    return await this.#deps.judge(definition.inputSchema, args, signal);
  }

  /**
   * @returns what the tool came to; a failure that the tool itself reports is a result, too
   * @throws ToolError; the reason of the signal
   */
  async call(call: ToolCall): Promise<CalledTool> {
    const { caller, name, signal } = call;
    const { observer } = this.#deps;
    const tool = this.find(caller, name);
    if (!tool) throw new ToolError("unknown_tool");
    if (!tool.reads && call.mayAct !== true) throw new ToolError("acts");
    const wrong = await this.judge(tool, call.args, signal);
    if (wrong !== undefined) throw new ToolError("invalid_arguments", wrong);
    const done = (cache: CacheUsed, result: ToolResult, ageMs = 0): CalledTool => {
      observer?.onCache?.({ server: tool.server.spec.name, tool: tool.definition.name, outcome: cache });
      return { result, tool, cache, ageMs };
    };
    if (tool.cacheMs === 0) return done("bypass", await this.#ask(tool, call, signal));
    const { maxAgeMs } = call;
    const { value, outcome, ageMs } = await this.#cache.get(
      this.#keyOf(tool, call),
      { ttlMs: tool.cacheMs, maxAgeMs, signal },
      (flight) => this.#ask(tool, call, flight),
    );
    return done(outcome, value, ageMs);
  }

  /** The one predicate of lists and calls. */
  #offers(caller: ActingCaller, { name, quarantined }: McpTool): boolean {
    return !quarantined && this.#deps.may(caller, name);
  }

  async #ask(
    tool: McpTool,
    { caller, args, onProgress, runId, step, idempotencyKey, trace }: ToolCall,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const { judge, take, sign, observer } = this.#deps;
    const { definition, hash, server } = tool;
    const { name, signed, timeoutMs } = server.spec;
    const since = performance.now();
    const observe = (outcome: "ok" | "error" | ToolErrorCode) =>
      observer?.onCall?.({ server: name, outcome, ms: performance.now() - since });
    try {
      const retryMs = await take?.(caller, tool.name);
      if (retryMs !== undefined) throw new ToolError("overloaded", undefined, { retryMs });
      const token = signed ? sign({ agent: `mcp:${name}`, caller, timeoutMs, runId, step }) : undefined;
      const about = {
        ...(token === undefined ? {} : { [CALLER_META]: token }),
        // The names that the protocol reserves for them.
        ...(trace?.traceparent === undefined ? {} : { traceparent: trace.traceparent }),
        ...(trace?.tracestate === undefined ? {} : { tracestate: trace.tracestate }),
      };
      const meta = { ...about, ...(idempotencyKey === undefined ? {} : { [KEY_META]: idempotencyKey }) };
      const call = { tool: definition.name, hash, args, signal, onProgress, ...metaOf(meta) };
      const result = await server.call(call);
      const { outputSchema } = definition;
      if (outputSchema && !result.isError) {
        const wrong = await judge(outputSchema, result.structured ?? null, signal);
        if (wrong !== undefined) throw new ToolError("invalid_result", wrong);
      }
      observe(result.isError ? "error" : "ok");
      return await server.withLinked(result, { signal, ...metaOf(about) });
    } catch (error) {
      if (error instanceof ToolError) observe(error.code);
      throw error;
    }
  }

  /** Everything that the answer may depend on. A server that is told who asks may answer each differently. */
  #keyOf({ name, hash, server }: McpTool, { caller, args }: ToolCall): string {
    const { roles, rows } = this.#deps.rightsOf(caller);
    const who = server.spec.signed ? [principalOf(caller), caller.roles.toSorted()] : [];
    return sha256(canonicalJson([caller.tenant, roles.toSorted(), rows, who, name, hash, args]));
  }
}

/** Whether the same call would come to no more: neither a failure nor a link that could not be read just now. */
function isComplete({ content, isError }: ToolResult): boolean {
  return !isError && content.every((one) => one.type !== "link" || !PASSING.has(one.unread));
}

const PASSING: ReadonlySet<ToolErrorCode | undefined> = new Set(["unavailable", "timeout"]);

function metaOf(known: Readonly<Record<string, unknown>>) {
  return Object.keys(known).length > 0 ? { meta: known } : {};
}
