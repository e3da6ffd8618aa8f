import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, isRefused, json, type Part, type Reply, type Request } from "./agent.ts";

export type Served = { readonly url: string; readonly close: () => Promise<void> };

export type ServeOptions = {
  /** Keeps working after the client has disconnected. */
  readonly ignoresLeaving?: boolean;
};

const ENDPOINTS: Readonly<Record<string, Request["endpoint"]>> = {
  "/agents/run/sync": "sync",
  "/agents/run/stream": "stream",
};

/** Serves an agent on a free port. */
export async function serveAgent(
  agent: Agent,
  { ignoresLeaving = false }: ServeOptions = {},
): Promise<Served> {
  const server = createServer((request, response) => {
    response.on("error", () => {});
    void answer(agent, request, response, ignoresLeaving).catch(() => response.destroy());
  });
  // By default Node closes the connection when the client does. This agent keeps it half open.
  if (ignoresLeaving) Object.assign(server, { httpAllowHalfOpen: true });
  return listening(server);
}

/** Serves raw TCP connections. */
export function serveSocket(handle: (socket: Socket) => void): Promise<Served> {
  return listening(
    createTcpServer((socket) => {
      socket.on("error", () => {});
      handle(socket);
    }),
  );
}

async function listening(server: Server | TcpServer): Promise<Served> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

async function answer(
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
  ignoresLeaving: boolean,
): Promise<void> {
  const gone = new AbortController();
  if (!ignoresLeaving) response.once("close", () => gone.abort());
  const text = await textFrom(request);
  await write(replyTo(agent, request, text), response, gone.signal);
}

function replyTo(agent: Agent, { method, url = "", headers }: IncomingMessage, text: string): Reply {
  const endpoint = ENDPOINTS[url];
  if (endpoint !== undefined && method === "POST") {
    const accepted = agent.accept({ endpoint, text, headers });
    return isRefused(accepted) ? agent.refuse(accepted) : agent[endpoint](accepted);
  }
  if (method === "GET" && url === "/health") return agent.health();
  if (method === "GET" && url === "/health/ready") return agent.ready();
  if (method === "GET" && url === "/agents/card") return agent.card();
  return json(404, { error: "not found" });
}

async function textFrom(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

/** Sends each part as a separate write, as far as the network allows. */
async function write(reply: Reply, response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (reply.framing === "no answer") {
    response.destroy();
    return;
  }
  if (reply.framing === "after hints") response.writeEarlyHints({ link: "</style.css>; rel=preload" });
  if (reply.framing === "until close") Object.assign(response, { useChunkedEncodingByDefault: false });
  response.writeHead(reply.status, reply.headers);
  response.flushHeaders();
  for await (const part of reply.parts) {
    if (gone.aborted || response.destroyed) return;
    if (isWait(part)) await sleep(part.waitMs, undefined, { signal: gone }).catch(() => {});
    else if (!response.write(part)) await drained(response);
    else await sleep(0);
  }
  if (gone.aborted || reply.ending === "open") return;
  if (reply.ending === "cut") response.destroy();
  else response.end();
}

async function drained(response: ServerResponse): Promise<void> {
  const either = new AbortController();
  const events = ["drain", "close"].map((event) => once(response, event, { signal: either.signal }));
  await Promise.race(events);
  either.abort();
  await Promise.allSettled(events);
}

function isWait(part: Part): part is { waitMs: number } {
  return typeof part === "object" && "waitMs" in part;
}
