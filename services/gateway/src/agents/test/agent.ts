import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Egress, EgressRules } from "../../egress/index.ts";
import { AgentClient, type AgentClientOptions } from "../client.ts";
import type { AgentLimits, DispatchRequest } from "../types.ts";
import { UpstreamError } from "../upstream-error.ts";

export type Call = {
  /** Counts all calls of this server, from 1. */
  number: number;
  path: string;
  headers: IncomingMessage["headers"];
  text: string;
  body: { request_id: string; task_type: string; budgets: { timeout_ms: number }; [field: string]: unknown };
  res: ServerResponse;
};

export type TestAgent = {
  url: string;
  port: number;
  calls: Call[];
  sockets: Set<Socket>;
  close(): Promise<void>;
};

/** A real HTTP server that answers each run request as the test says. */
export async function startAgent(
  answer: (call: Call) => unknown,
  port = 0,
  host = "127.0.0.1",
): Promise<TestAgent> {
  const calls: Call[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (req, res) => {
    res.on("error", () => undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body = text === "" ? {} : JSON.parse(text);
    const call = { number: calls.length + 1, path: req.url ?? "", headers: req.headers, text, body, res };
    calls.push(call);
    await answer(call);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    calls,
    sockets,
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      if (server.listening) await once(server, "close");
    },
  };
}

export function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function started({ body }: Pick<Call, "body">): string {
  return event("started", { request_id: body.request_id, task_type: body.task_type });
}

export function terminal(
  { body }: Pick<Call, "body">,
  fields: object = { status: "ok", outputs: { done: true } },
): object {
  return {
    request_id: body.request_id,
    task_type: body.task_type,
    ...fields,
  };
}

export function final(call: Pick<Call, "body">, fields?: object): string {
  return event("final", terminal(call, fields));
}

/** A valid stream, for tests that are about something else. */
export function goodStream(call: Pick<Call, "body">): string {
  return (
    started(call) + event("progress", { step: 1 }) + event("token", { text: "grüße €uro 🙂" }) + final(call)
  );
}

export function openStream({ res }: Call): void {
  res.writeHead(200, { "content-type": "text/event-stream" });
}

export function sendStream(call: Call, bytes: string | Buffer): void {
  openStream(call);
  call.res.end(bytes);
}

export function sendJson(
  { res }: Call,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { "content-type": "application/json", ...headers });
  res.end(typeof value === "string" ? value : JSON.stringify(value));
}

export const LIMITS: AgentLimits = {
  timeoutMs: 5_000,
  retries: 0,
  backoffMs: 1,
  maxEventBytes: 64 * 1024,
  maxResponseBytes: 64 * 1024,
};

/** Connects to this machine alone. */
export const HERE = new Egress({ rules: new EgressRules({ loopback: true }) });

export type TestClientOptions = Partial<Omit<AgentClientOptions, "agents">> & {
  limits?: Partial<AgentLimits>;
  protocol?: "a2a";
};

export function clientFor(
  url: string,
  { limits, protocol, ...options }: TestClientOptions = {},
): AgentClient {
  const spoken = protocol ? { protocol } : {};
  return new AgentClient({
    agents: [{ name: "worker", url, tasks: ["TASK"], limits: { ...LIMITS, ...limits }, ...spoken }],
    egress: HERE,
    ...options,
  });
}

export function dispatch(fields: Partial<DispatchRequest> = {}): DispatchRequest {
  return {
    agent: "worker",
    task: "TASK",
    body: { request_id: "run:step", task_type: "TASK", inputs: {} },
    signal: new AbortController().signal,
    caller: { tenant: "t", issuer: "local", subject: "ann", roles: [] },
    ...fields,
  };
}

/** The error of a dispatch that must fail. */
export async function failureOf(result: Promise<unknown>): Promise<UpstreamError> {
  const error = await result.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (error instanceof UpstreamError) return error;
  throw error;
}

/** Waits for a condition, at most until the test times out. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}
