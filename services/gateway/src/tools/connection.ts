import { setTimeout as sleep } from "node:timers/promises";
import {
  type AuthProvider,
  Client,
  ClientCredentialsProvider,
  type FetchLike,
  type OAuthClientProvider,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpAuth, McpServerSpec } from "../mesh/index.ts";
import type { ListedDefinition, ToolDefinition } from "./definition.ts";
import type { RawResource } from "./result.ts";
import { SessionGone, ToolError } from "./tool-error.ts";

/** How far a call is, as its server says. The message is the server's own. */
export type ToolProgress = { progress: number; total?: number | undefined; message?: string | undefined };

export type ConnectOptions = {
  spec: McpServerSpec;
  fetch: FetchLike;
  secret: (variable: string) => string | undefined;
  /** Milliseconds that the handshake, a ping or one list may take. */
  checkMs: number;
  signal: AbortSignal;
  /** The server says that its tools have changed. */
  onChanged: () => void;
  /** Changes would not be heard of any more. */
  onLost: () => void;
};

export type CallOptions = {
  timeoutMs: number;
  signal: AbortSignal;
  meta?: Readonly<Record<string, unknown>>;
  onProgress?: ((progress: ToolProgress) => void) | undefined;
};

/** What the end of a session may take. */
const FAREWELL_MS = 1_000;
/** A batch of changes is one change. */
const DEBOUNCE_MS = 100;
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 4,
};

/** What the gateway says of itself to servers. It offers nothing that they could ask for: no sampling, no elicitation, no roots. */
const GATEWAY = { name: "interlock-gateway", version: "1" };

/** One connection to an MCP server, in whichever version of the protocol both speak. */
export class Connection {
  readonly #client: Client;
  readonly #transport: Transport;
  readonly #options: ConnectOptions;

  private constructor(client: Client, transport: Transport, options: ConnectOptions) {
    this.#client = client;
    this.#transport = transport;
    this.#options = options;
  }

  /** @throws ToolError, or what the protocol's library throws */
  static async open(options: ConnectOptions): Promise<Connection> {
    const { spec, checkMs, signal, onChanged, onLost } = options;
    const client = new Client(GATEWAY, {
      versionNegotiation: { mode: "auto", probe: { timeoutMs: checkMs } },
      // Servers that ask for input in the middle of a call get none.
      inputRequired: { autoFulfill: false },
      listChanged: { tools: { autoRefresh: false, debounceMs: DEBOUNCE_MS, onChanged } },
    });
    // Whoever waits for an answer learns of it.
    client.onerror = () => undefined;
    const transport = transportOf(options);
    try {
      await client.connect(transport, { timeout: checkMs, signal });
    } catch (error) {
      await client.close();
      throw error;
    }
    // A program that has ended; other connections are opened for each request.
    if (spec.command) client.onclose = onLost;
    void client.autoOpenedSubscription?.closed.then((why) => why === "remote" && onLost());
    return new Connection(client, transport, options);
  }

  get protocolVersion(): string | undefined {
    return this.#client.getNegotiatedProtocolVersion();
  }

  /** @throws ToolError */
  async ping(): Promise<void> {
    const { checkMs: timeout, signal } = this.#options;
    const isModern = this.#client.getProtocolEra() === "modern";
    await told(
      isModern ? this.#client.discover({ timeout, signal }) : this.#client.ping({ timeout, signal }),
    );
  }

  /** All pages of what the server lists. @throws ToolError */
  async list(): Promise<readonly ListedDefinition[]> {
    if (!this.#client.getServerCapabilities()?.tools) return [];
    const { checkMs: timeout, signal } = this.#options;
    const listing = this.#client.listTools(undefined, { timeout, signal, cacheMode: "refresh" });
    return (await told(listing)).tools;
  }

  /** @throws ToolError */
  async call(
    { name, inputSchema }: ToolDefinition,
    args: Readonly<Record<string, unknown>>,
    { timeoutMs: timeout, signal, meta, onProgress }: CallOptions,
  ) {
    const call = { name, arguments: { ...args }, ...(meta ? { _meta: { ...meta } } : {}) };
    const progress = onProgress ? { onprogress: onProgress } : {};
    // Without an output schema, the library judges no result: it would do so in the event loop.
    const toolDefinition = { name, inputSchema: { ...inputSchema, type: "object" as const } };
    return await told(this.#client.callTool(call, { timeout, signal, toolDefinition, ...progress }));
  }

  /** @throws ToolError refused where the server has no resources, …; what the server sends is nobody else's */
  async read(
    uri: string,
    { timeoutMs: timeout, signal, meta }: CallOptions,
  ): Promise<readonly RawResource[]> {
    if (!this.#client.getServerCapabilities()?.resources) throw new ToolError("refused");
    const resource = { uri, ...(meta ? { _meta: { ...meta } } : {}) };
    // The library would keep it by its name alone, whoever has asked.
    const reading = this.#client.readResource(resource, { timeout, signal, cacheMode: "bypass" });
    return (await told(reading)).contents;
  }

  /** Ends the session at the server too, if that does not take long. */
  async close(): Promise<void> {
    this.#client.onclose = () => undefined;
    const transport = this.#transport;
    const ended =
      transport instanceof StreamableHTTPClientTransport &&
      transport.terminateSession().catch(() => undefined);
    await Promise.race([ended, sleep(FAREWELL_MS, undefined, { ref: false })]);
    await this.#client.close().catch(() => undefined);
  }
}

/** @throws ToolError refused, where a secret is missing */
function transportOf({ spec, fetch, secret }: ConnectOptions): Transport {
  const [command, ...args] = spec.command ?? [];
  // It gets a path and a home, and none of the gateway's secrets; what it writes to its error output is nobody's log.
  if (command !== undefined)
    return new StdioClientTransport({ command, args, stderr: "ignore", maxBufferSize: spec.maxResultBytes });
  const authProvider = authOf(spec.auth, secret);
  return new StreamableHTTPClientTransport(new URL(spec.url), {
    fetch,
    ...(authProvider ? { authProvider } : {}),
    reconnectionOptions: RECONNECTION,
    onInsufficientScope: "throw",
  });
}

/** What came is no answer. */
const UNREADABLE: ReadonlySet<SdkErrorCode> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.ClientHttpUnexpectedContent,
  SdkErrorCode.ListPaginationExceeded,
]);

/** Says in words of this room what the protocol's library throws: its errors quote what servers say. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw toolErrorOf(cause);
  }
}

function toolErrorOf(cause: unknown): ToolError {
  if (cause instanceof ToolError) return cause;
  if (cause instanceof SdkHttpError) {
    // The session is not known any more.
    if (cause.status === 404) return new SessionGone(cause);
    return new ToolError(cause.status < 500 ? "refused" : "unavailable", undefined, { cause });
  }
  if (cause instanceof SdkError && UNREADABLE.has(cause.code))
    return new ToolError("invalid_result", undefined, { cause });
  if (cause instanceof SdkError && cause.code === SdkErrorCode.UnsupportedResultType)
    return new ToolError("refused", "it asks for more than the arguments", { cause });
  if (cause instanceof ProtocolError) return new ToolError("refused", undefined, { cause });
  if (cause instanceof SdkError && cause.code === SdkErrorCode.RequestTimeout)
    return new ToolError("timeout", undefined, { cause });
  return new ToolError("unavailable", undefined, { cause });
}

/** @throws ToolError refused, where the secret is missing */
function authOf(
  auth: McpAuth | undefined,
  secret: ConnectOptions["secret"],
): AuthProvider | OAuthClientProvider | undefined {
  if (!auth) return undefined;
  const read = (): string => {
    const value = secret(auth.variable);
    if (value === undefined) throw new ToolError("refused", `${auth.variable} is not set`);
    return value;
  };
  // Read anew for each request: files are how secrets are rotated.
  if (auth.kind === "bearer") return { token: async () => read() };
  return new ClientCredentialsProvider({
    clientId: auth.clientId,
    clientSecret: read(),
    // A server that names another issuer must not get the secret sent there.
    expectedIssuer: auth.issuer,
    ...(auth.scope === undefined ? {} : { scope: auth.scope }),
  });
}
