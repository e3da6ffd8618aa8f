import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A request that the server received. */
export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
};

export type Handler = (seen: Seen, res: ServerResponse, socket: Socket) => unknown;

export type TestServer = {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Number of open connections. */
  readonly open: () => number;
  close(): Promise<void>;
};

/** A real HTTP server; the test's handler writes each answer, down to the bytes on the socket if it wants. */
export async function startServer(handler: Handler): Promise<TestServer> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (req, res) => {
    const request = await readRequest(req);
    seen.push(request);
    await handler(request, res, req.socket);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    // Many tests have the client close the connection, which is an error of the socket.
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    open: () => sockets.size,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function readRequest(req: IncomingMessage): Promise<Seen> {
  let text = "";
  for await (const chunk of req.setEncoding("utf8")) text += chunk;
  const { pathname, searchParams } = new URL(req.url ?? "/", "http://test.invalid");
  return {
    method: req.method ?? "",
    path: pathname,
    query: searchParams,
    headers: req.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

/** Sends the head of an event stream. The caller writes the body and ends it, or leaves it open. */
export function openStream(res: ServerResponse, headers: Record<string, string> = {}): ServerResponse {
  res.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...headers });
  res.flushHeaders();
  return res;
}

export function sendError(
  res: ServerResponse,
  status: number,
  code: string,
  options: { headers?: Record<string, string>; extra?: object; retryable?: boolean } = {},
): void {
  const { headers = {}, extra = {}, retryable = false } = options;
  const body = { error: `It is ${code}.`, code, retryable, request_id: "request-1", ...extra };
  res.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function sendJson(res: ServerResponse, body: unknown, status = 200): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Resolves once the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error("the condition never came to hold");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
