import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Behaviour, readBehaviours } from "./behaviour.ts";
import { framesOf, readChatRequest, wholeAnswer } from "./completion.ts";
import type { Script } from "./script.ts";

/** A request as it came. */
export type Received = {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** A fixed answer of any format, for requests to a path and query under the URL. */
export type Recorded = {
  path: string;
  status?: number;
  contentType: string;
  body: string;
  /** Destroys the connection after so many bytes, or ends the answer there as if it were complete. */
  cutAt?: number;
  endAt?: number;
};

export type ModelServer = {
  /** What a provider's paths are appended to. */
  url: string;
  requests: readonly Received[];
  /** Requests whose client has gone away before the end. */
  readonly aborted: number;
  /** Answers requests to some paths with this from now on. */
  record(answer: Recorded): void;
  /** Has the model of this name answer so from now on. @param behaviours as a model's name says them */
  script(model: string, behaviours: string): void;
  stop(): Promise<void>;
};

/**
 * An OpenAI-compatible server whose models are behaviours: `POST /v1/chat/completions`, sync and streamed. The behaviour is the model's
 * name, or the header `x-behaviour` where there is one.
 */
export async function startModelServer({
  port = 0,
  host = "127.0.0.1",
  script: scripted,
}: {
  port?: number;
  host?: string;
  /** Answers by what is said. What it has no answer to is refused. */
  script?: Script;
} = {}): Promise<ModelServer> {
  const requests: Received[] = [];
  const recorded = new Map<string, Recorded>();
  const scripts = new Map<string, string>();
  const counts = new Map<string, number>();
  let aborted = 0;
  const server = createServer((req, res) => {
    res.on("close", () => {
      if (!res.writableFinished && req.socket.destroyed) aborted++;
    });
    answer(req, res).catch(() => res.destroy());
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await textOf(req);
    const path = req.url ?? "/";
    const headers = Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
    );
    requests.push({ method: req.method ?? "GET", path, headers, body });
    const fixed = recorded.get(path.replace(BASE, ""));
    if (fixed) return await sendRecorded(res, fixed);
    if (req.method === "GET" && path === "/health") return sendJson(res, 200, { status: "ok" });
    if (req.method !== "POST" || !path.endsWith("/chat/completions"))
      return sendError(res, 404, "there is nothing under this address");
    const request = readChatRequest(parsed(body));
    if (!request) return sendError(res, 400, "the request has no model or no messages");
    const byWord = scripted?.(request);
    if (scripted && byWord === undefined) return sendError(res, 404, "the script has no line for this");
    const script = byWord ?? headers["x-behaviour"] ?? scripts.get(request.model) ?? request.model;
    const behaviours = readBehaviours(script);
    const count = counts.get(script) ?? 0;
    counts.set(script, count + 1);
    const behaviour = behaviours[Math.min(count, behaviours.length - 1)] ?? {};
    if (behaviour.stall === "headers") return;
    if (behaviour.status !== undefined) {
      if (behaviour.retryAfter !== undefined) res.setHeader("retry-after", String(behaviour.retryAfter));
      return sendError(res, behaviour.status, "as the script says");
    }
    if (request.stream) await stream(res, framesOf(request, behaviour), behaviour);
    else {
      if (behaviour.slowMs !== undefined) await sleep(behaviour.slowMs);
      await send(res, "application/json", wholeAnswer(request, behaviour), behaviour);
    }
  }

  server.listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get aborted() {
      return aborted;
    },
    record: (one) => void recorded.set(one.path, one),
    script: (model, behaviours) => void scripts.set(model, behaviours),
    stop: () => stopServer(server),
  };
}

async function stream(
  res: ServerResponse,
  frames: readonly { text: string; token?: boolean }[],
  behaviour: Behaviour,
): Promise<void> {
  const { slowMs, stall, cutAfter, cutAt, endAt } = behaviour;
  if (cutAt !== undefined || endAt !== undefined)
    return await send(res, EVENT_STREAM, frames.map(({ text }) => text).join(""), behaviour);
  res.writeHead(200, { "content-type": EVENT_STREAM, "cache-control": "no-cache" });
  res.flushHeaders();
  let tokens = 0;
  for (const { text, token } of frames) {
    // The role comes first, which is no content.
    if (tokens === cutAfter && (token || tokens > 0)) {
      // A reader that is told of the cut at once may drop what it has not read.
      if (slowMs !== undefined) await sleep(slowMs);
      return void res.destroy();
    }
    if (tokens === stall && (token || tokens > 0)) return;
    if (slowMs !== undefined && token) await sleep(slowMs);
    if (res.destroyed) return;
    await new Promise<void>((sent) => res.write(text, () => sent()));
    if (token) tokens++;
  }
  res.end();
}

const EVENT_STREAM = "text/event-stream";

/** What recorded paths are under. */
const BASE = /^\/v1(?=\/)/;

async function sendRecorded(
  res: ServerResponse,
  { status = 200, contentType, body, ...cuts }: Recorded,
): Promise<void> {
  await send(res, contentType, body, cuts, status);
}

/** Without a length, so that a body that ends early is complete as far as HTTP knows. */
async function send(
  res: ServerResponse,
  contentType: string,
  body: string,
  { cutAt, endAt }: Pick<Behaviour, "cutAt" | "endAt">,
  status = 200,
): Promise<void> {
  res.writeHead(status, { "content-type": contentType });
  const bytes = Buffer.from(body).subarray(0, cutAt ?? endAt);
  if (cutAt === undefined) return void res.end(bytes);
  res.flushHeaders();
  await new Promise<void>((sent) => res.write(bytes, () => sent()));
  res.destroy();
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendError(res: ServerResponse, status: number, message: string): void {
  sendJson(res, status, { error: { message, type: "scripted", code: null, param: null } });
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function stopServer(server: Server): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
