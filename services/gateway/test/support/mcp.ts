import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

type Json = Record<string, unknown>;

/** A call as it came. */
export type SeenCall = { tool: string; args: Json; meta: Json; headers: IncomingHttpHeaders };

export type WildTool = Json & {
  name: string;
  /** What the tool answers. Absent: the arguments as text. What answers the request itself returns undefined. */
  answer?: (call: SeenCall & Wire) => unknown;
};

/** What `resources/read` answers, by URI. */
export type Resources = Readonly<Record<string, readonly Json[] | "silence">>;

type Wire = {
  id: unknown;
  res: ServerResponse;
  /** Ends when whoever called has gone. */
  gone: AbortSignal;
  progress: (done: number, total: number) => void;
};

export type WildServer = Awaited<ReturnType<typeof wildServer>>;

/**
 * An MCP server of 2025-11-25 with sessions, written from the specification alone: it does what a test wants, also what no library would.
 * @param tools may be changed at any time
 */
export async function wildServer(
  tools: WildTool[],
  { port = 0, pageSize = 100, resources }: { port?: number; pageSize?: number; resources?: Resources } = {},
) {
  const seen: SeenCall[] = [];
  const reads: { uri: string; meta: Json }[] = [];
  const authorizations: (string | undefined)[] = [];
  const sessions = new Set<string>();
  const streams = new Set<ServerResponse>();
  let made = 0;
  const wild = {
    /** Where all requests are redirected to. */
    redirect: undefined as string | undefined,
    /** Answers a request instead of the server. */
    instead: undefined as ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined,
  };
  const server: Server = createServer((req, res) => void answer(req, res));

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    authorizations.push(req.headers.authorization);
    if (wild.redirect !== undefined) {
      res.writeHead(307, { location: wild.redirect }).end();
      return;
    }
    if (wild.instead?.(req, res)) return;
    const session = String(req.headers["mcp-session-id"] ?? "");
    if (req.method === "DELETE") {
      sessions.delete(session);
      res.writeHead(204).end();
      return;
    }
    if (req.method === "GET") {
      if (!sessions.has(session)) {
        res.writeHead(404).end();
        return;
      }
      res.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      streams.add(res);
      res.once("close", () => streams.delete(res));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString());
    if (method !== "initialize" && method !== "server/discover" && !sessions.has(session)) {
      res.writeHead(404).end();
      return;
    }
    if (id === undefined) {
      res.writeHead(202).end();
      return;
    }
    const reply = (body: Json, headers: Record<string, string> = {}): void => {
      res.writeHead(200, { "content-type": "application/json", ...headers });
      res.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
    };
    switch (method) {
      case "initialize": {
        made += 1;
        const name = `session-${made}-${process.hrtime.bigint()}`;
        sessions.add(name);
        const capabilities = { tools: { listChanged: true }, ...(resources ? { resources: {} } : {}) };
        const serverInfo = { name: "wild", version: "1" };
        reply(
          { result: { protocolVersion: params.protocolVersion, capabilities, serverInfo } },
          { "mcp-session-id": name },
        );
        return;
      }
      case "ping":
        reply({ result: {} });
        return;
      case "tools/list": {
        const from = Number(params.cursor ?? 0);
        const page = tools.slice(from, from + pageSize).map(({ answer: _, ...definition }) => ({
          inputSchema: { type: "object" },
          ...definition,
        }));
        const next = from + pageSize < tools.length ? { nextCursor: String(from + pageSize) } : {};
        reply({ result: { tools: page, ...next } });
        return;
      }
      case "tools/call": {
        const { name, arguments: args = {}, _meta: meta = {} } = params;
        const call = { tool: name, args, meta, headers: req.headers };
        seen.push(call);
        const tool = tools.find((one) => one.name === name);
        if (!tool) {
          reply({ error: { code: -32602, message: `Unknown tool: ${name}` } });
          return;
        }
        const gone = new AbortController();
        res.once("close", () => gone.abort());
        const progress = (done: number, total: number): void => {
          if (!res.headersSent) res.writeHead(200, { "content-type": "text/event-stream" });
          const params = { progressToken: meta.progressToken, progress: done, total };
          res.write(frame({ jsonrpc: "2.0", method: "notifications/progress", params }));
        };
        const echo = { content: [{ type: "text", text: JSON.stringify(args) }] };
        const result = tool.answer
          ? await tool.answer({ ...call, id, res, gone: gone.signal, progress })
          : echo;
        if (result === undefined) return;
        if (res.headersSent) res.end(frame({ jsonrpc: "2.0", id, result }));
        else reply({ result });
        return;
      }
      case "resources/read": {
        const { uri, _meta: meta = {} } = params;
        reads.push({ uri, meta });
        const contents = resources?.[uri];
        if (contents === "silence") return;
        if (contents) reply({ result: { contents } });
        else reply({ error: { code: -32002, message: `Not found: ${uri}` } });
        return;
      }
      default:
        reply({ error: { code: -32601, message: "Method not found" } });
    }
  }

  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const at = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${at}/mcp`,
    port: at,
    seen,
    reads,
    authorizations,
    wild,
    /** How many sessions there were. */
    sessions: () => made,
    streams: () => streams.size,
    /** Tells those who listen that the tools have changed. */
    changed(): void {
      for (const stream of streams)
        stream.write(frame({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }));
    },
    forgetSessions(): void {
      sessions.clear();
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const text = (content: string): Json => ({ content: [{ type: "text", text: content }] });

function frame(message: Json): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}
