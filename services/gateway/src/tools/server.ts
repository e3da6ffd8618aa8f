import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { McpServerSpec } from "../mesh/index.ts";
import { boundedFetch, inScope } from "./bounded-fetch.ts";
import type { CallOptions, Connection, ConnectOptions } from "./connection.ts";
import { readDefinition, suspicionsIn, type ToolDefinition, type ToolFlag } from "./definition.ts";
import { type LinkReading, withLinked } from "./links.ts";
import { readResource, readResult, type ToolResult } from "./result.ts";
import { Slots } from "./slots.ts";
import { SessionGone, ToolError } from "./tool-error.ts";

export type ServerTiming = {
  /** Mean interval between two checks of a server that is well. */
  intervalMs?: number;
  /** First pause after a check that failed; it doubles up to the interval. */
  retryMs?: number;
  /** What the handshake, a ping, or one list may take. */
  checkMs?: number;
  /** Age from which definitions are read again. */
  definitionsMs?: number;
};

export type ServerDeps = ServerTiming & {
  dispatcher: Dispatcher;
  secret: ConnectOptions["secret"];
  /** What else of the gateway recognises attempts to change what a model may do. */
  isInjection: (text: string) => boolean;
  /** Its tools are other ones. */
  onTools: () => void;
  /** @param cause why it is not available */
  onStatus: (server: string, status: ServerStatus, cause?: unknown) => void;
};

export type ServerStatus = "unknown" | "ready" | "unavailable";

/** A definition as it was read. */
export type Defined = {
  readonly definition: ToolDefinition;
  readonly hash: string;
  readonly flags: readonly ToolFlag[];
};

/** One call of a tool whose definition has the hash. */
export type ServerCall = Pick<CallOptions, "signal" | "meta" | "onProgress"> & {
  tool: string;
  hash: string;
  args: Readonly<Record<string, unknown>>;
};

export type LinkOptions = Pick<CallOptions, "signal" | "meta">;

/** More tools than that are no list that anybody chooses from. */
const MOST_TOOLS = 500;
const JITTER = 0.2;

/** One MCP server: connects to it, looks after it, and knows its tools also while it is away. */
export class McpServer {
  readonly spec: McpServerSpec;
  readonly #deps: ServerDeps;
  readonly #fetch: ReturnType<typeof boundedFetch>;
  readonly #slots: Slots;
  readonly #stopping = new AbortController();
  readonly #checked = Promise.withResolvers<void>();
  #watching: Promise<void> | undefined;
  #nap = new AbortController();
  #connection: Promise<Connection> | undefined;
  #status: ServerStatus = "unknown";
  #protocolVersion: string | undefined;
  #defined: ReadonlyMap<string, Defined> = new Map();
  /** As of performance.now(); what has changed since is not known any more. */
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(spec: McpServerSpec, deps: ServerDeps) {
    this.spec = spec;
    this.#deps = deps;
    this.#fetch = boundedFetch({
      dispatcher: deps.dispatcher,
      maxBytes: spec.maxResultBytes,
      signal: this.#stopping.signal,
    });
    this.#slots = new Slots(spec.maxConcurrency);
  }

  /** The version of the protocol that was spoken last. */
  get protocolVersion(): string | undefined {
    return this.#protocolVersion;
  }

  get status(): ServerStatus {
    return this.#status;
  }

  /** The tools as the server listed them last. */
  get defined(): Iterable<Defined> {
    return this.#defined.values();
  }

  /** Resolves once the server was looked at; what that came to is its status. */
  start(): Promise<void> {
    this.#watching ??= this.#watch();
    return this.#checked.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#watching;
    await this.#drop();
  }

  /** @throws ToolError unavailable, timeout, refused, invalid_result, result_too_large; the reason of the signal */
  async call({ tool, hash, args, ...options }: ServerCall): Promise<ToolResult> {
    const { timeoutMs, contentTypes } = this.spec;
    const raw = await this.#bounded(options.signal, (connection, signal) => {
      // What has come back may be another server.
      const known = this.#defined.get(tool);
      if (known?.hash !== hash) throw new ToolError("unknown_tool", "its definition has changed");
      return connection.call(known.definition, args, { ...options, timeoutMs, signal });
    });
    return readResult(raw, contentTypes);
  }

  /** Puts behind the links of a result what they lead to at this server. @throws the reason of the signal */
  async withLinked(result: ToolResult, { signal, meta }: LinkOptions): Promise<ToolResult> {
    if (!result.content.some(({ type }) => type === "link")) return result;
    const { timeoutMs, maxResultBytes: maxBytes, contentTypes } = this.spec;
    const about = { timeoutMs, ...(meta ? { meta } : {}) };
    const read: LinkReading["read"] = async (uri, within) => {
      const resources = await this.#bounded(within, (connection, signal) =>
        connection.read(uri, { ...about, signal }),
      );
      return resources.map((resource) => readResource(resource, contentTypes));
    };
    const content = await withLinked(result.content, { read, maxBytes, timeoutMs, signal });
    return { ...result, content };
  }

  /** One request within the limits of the server. @throws ToolError; the reason of the signal */
  async #bounded<T>(
    ending: AbortSignal,
    work: (connection: Connection, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#status !== "ready") throw new ToolError("unavailable");
    const timeout = AbortSignal.timeout(this.spec.timeoutMs);
    const broken = new AbortController();
    const signal = AbortSignal.any([ending, timeout, broken.signal, this.#stopping.signal]);
    const scope = { signal, fail: (error: ToolError) => broken.abort(error) };
    try {
      const release = await this.#slots.take(signal);
      try {
        return await this.#ask((connection) => inScope(scope, () => work(connection, signal)));
      } finally {
        release();
      }
    } catch (error) {
      ending.throwIfAborted();
      if (timeout.aborted) throw new ToolError("timeout");
      const why: unknown = broken.signal.aborted ? broken.signal.reason : error;
      // The server may be gone: whoever calls next should know.
      if (why instanceof ToolError && why.code === "unavailable") this.#nap.abort();
      throw this.#stopping.signal.aborted ? new ToolError("unavailable") : why;
    }
  }

  async #watch(): Promise<void> {
    const { intervalMs = 30_000, retryMs = 1_000 } = this.#deps;
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      this.#nap = new AbortController();
      await this.#check();
      this.#checked.resolve();
      failures = this.#status === "ready" ? 0 : failures + 1;
      const pause = failures === 0 ? intervalMs : Math.min(intervalMs, retryMs * 2 ** (failures - 1));
      const jittered = pause * (1 + JITTER * (2 * Math.random() - 1));
      const woken = AbortSignal.any([signal, this.#nap.signal]);
      await sleep(jittered, undefined, { signal: woken, ref: false }).catch(() => undefined);
    }
  }

  async #check(): Promise<void> {
    const { definitionsMs = 3_600_000 } = this.#deps;
    const isKnown = this.#connection !== undefined;
    try {
      await this.#ask((connection) => connection.ping());
      if (performance.now() - this.#listedAt > definitionsMs)
        await this.#ask((connection) => this.#list(connection));
      this.#become("ready");
    } catch (error) {
      await this.#drop();
      if (this.#stopping.signal.aborted) return;
      // A server that was started anew knows nothing of the connection.
      if (isKnown) await this.#check();
      else this.#become("unavailable", error);
    }
  }

  /** What happens on a connection; once more on a new one, where the server has forgotten the session and done nothing. */
  async #ask<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#connected();
    try {
      return await work(connection);
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
      await this.#drop(connection);
      return await work(await this.#connected());
    }
  }

  #connected(): Promise<Connection> {
    if (this.#connection) return this.#connection;
    const connecting = this.#connect();
    this.#connection = connecting;
    connecting.catch(() => {
      if (this.#connection === connecting) this.#connection = undefined;
    });
    return connecting;
  }

  /** The definitions are read before anything is called: what comes back may be another server. */
  async #connect(): Promise<Connection> {
    const { checkMs = 5_000, retryMs = 1_000, secret } = this.#deps;
    const { signal } = this.#stopping;
    const { Connection } = await import("./connection.ts");
    const connection = await Connection.open({
      ...{ spec: this.spec, fetch: this.#fetch, secret, checkMs, signal },
      onChanged: () => void this.#ask((one) => this.#list(one)).catch(() => this.#nap.abort()),
      onLost: () =>
        void sleep(retryMs, undefined, { signal, ref: false })
          .then(() => this.#drop(connection))
          .then(() => this.#nap.abort())
          .catch(() => undefined),
    });
    try {
      await this.#list(connection);
      this.#protocolVersion = connection.protocolVersion;
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async #list(connection: Connection): Promise<void> {
    const listed = await connection.list();
    const defined = new Map<string, Defined>();
    for (const one of listed.slice(0, MOST_TOOLS)) {
      // A definition takes a millisecond to read, and there may be hundreds.
      await nextTurn();
      const read = readDefinition(one);
      if (!read) continue;
      const before = this.#defined.get(one.name);
      const flags =
        before?.hash === read.hash ? before.flags : suspicionsIn(read.definition, this.#deps.isInjection);
      defined.set(one.name, { ...read, flags });
    }
    this.#defined = defined;
    this.#listedAt = performance.now();
    this.#deps.onTools();
  }

  /** @param only not one that was made since */
  async #drop(only?: Connection): Promise<void> {
    const connecting = this.#connection;
    const connection = await connecting?.catch(() => undefined);
    if (only && connection !== only) return;
    if (this.#connection === connecting) this.#connection = undefined;
    await connection?.close();
  }

  #become(status: ServerStatus, cause?: unknown): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#deps.onStatus(this.spec.name, status, cause);
  }
}
