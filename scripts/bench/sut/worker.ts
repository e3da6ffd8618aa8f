/**
 * The reference agent, which the load calls directly or through the gateway: the agent contract on bare `node:http`, as cheap as possible,
 * so that "direct" is the most that one core can give. GET /arrivals streams when each marked run arrives. It is a model, too, in OpenAI's
 * format.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

type Inputs = { events?: number; every_ms?: number; mark?: string };
type Run = { request_id: string; task_type: string; inputs?: Inputs };

const STREAM = { "content-type": "text/event-stream", "cache-control": "no-cache" };
const TOKEN = "x".repeat(24);
/** The agent contract asks for a keepalive after this much silence. */
const KEEPALIVE_MS = 15_000;

const open = new Set<ServerResponse>();
const watchers = new Set<ServerResponse>();

/** The load generator reads the same clock. */
const now = () => performance.timeOrigin + performance.now();

function answer(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  res.end(body);
}

function noteArrival({ inputs }: Run): void {
  if (inputs?.mark === undefined) return;
  const line = `${inputs.mark} ${now().toFixed(3)}\n`;
  for (const watcher of watchers) watcher.write(line);
}

function runSync(run: Run, res: ServerResponse): void {
  const { request_id, task_type } = run;
  answer(
    res,
    200,
    `{"request_id":"${request_id}","task_type":"${task_type}","ok":true,"status":"ok","outputs":{"text":"done"},"warnings":[]}`,
  );
}

function runStream({ request_id, task_type, inputs = {} }: Run, res: ServerResponse): void {
  const { events = 0, every_ms = 0 } = inputs;
  const ids = `"request_id":"${request_id}","task_type":"${task_type}"`;
  let sent = 0;
  const next = () => {
    res.write(`event: progress\ndata: {"i":${sent++},"t":${now().toFixed(2)},"token":"${TOKEN}"}\n\n`);
  };
  const end = () => {
    res.end(
      `event: final\ndata: {${ids},"ok":true,"status":"ok","outputs":{"text":"done"},"warnings":[]}\n\n`,
    );
  };
  res.writeHead(200, STREAM);
  res.write(`event: started\ndata: {${ids}}\n\n`);
  open.add(res);
  res.once("close", () => open.delete(res));
  if (every_ms > 0) {
    const timer = setInterval(() => {
      if (sent < events) next();
      if (sent < events) return;
      clearInterval(timer);
      end();
    }, every_ms);
    res.once("close", () => clearInterval(timer));
    return;
  }
  const step = () => {
    if (res.destroyed) return;
    if (sent >= events) return end();
    next();
    if (res.writableNeedDrain) res.once("drain", step);
    else setImmediate(step);
  };
  setImmediate(step);
}

type Completion = { model: string; stream?: boolean; stream_options?: { include_usage?: boolean } };

/** As long as a short paragraph. */
const TOKENS = 64;
const SAID = " token".repeat(TOKENS).trim();
const USAGE = `"usage":{"prompt_tokens":90,"completion_tokens":${TOKENS},"total_tokens":${90 + TOKENS}}`;

function complete({ model, stream, stream_options }: Completion, res: ServerResponse): void {
  const same = `{"id":"chatcmpl-1","created":1760000000,"model":${JSON.stringify(model)}`;
  if (!stream) {
    const message = `{"index":0,"message":{"role":"assistant","content":"${SAID}"},"finish_reason":"stop"}`;
    answer(res, 200, `${same},"object":"chat.completion","choices":[${message}],${USAGE}}`);
    return;
  }
  const head = `data: ${same},"object":"chat.completion.chunk","choices":[`;
  const chunk = (delta: string, finish = "null") =>
    res.write(`${head}{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`);
  res.writeHead(200, STREAM);
  chunk('{"role":"assistant","content":""}');
  let sent = 0;
  // Each token is written by itself, as a model that makes them one after the other does.
  const step = () => {
    if (res.destroyed) return;
    if (sent++ < TOKENS) {
      chunk('{"content":" token"}');
      if (res.writableNeedDrain) res.once("drain", step);
      else setImmediate(step);
      return;
    }
    chunk("{}", '"stop"');
    if (stream_options?.include_usage) res.write(`${head}],${USAGE}}\n\n`);
    res.end("data: [DONE]\n\n");
  };
  setImmediate(step);
}

function handle(req: IncomingMessage, res: ServerResponse): void {
  if (req.url === "/arrivals") {
    res.writeHead(200, { "content-type": "text/plain" });
    res.write("watching\n");
    watchers.add(res);
    res.once("close", () => watchers.delete(res));
    return;
  }
  if (req.method !== "POST") {
    answer(res, 200, '{"status":"ok"}');
    return;
  }
  let body = "";
  req.setEncoding("utf8");
  req.on("data", (chunk: string) => {
    body += chunk;
  });
  req.once("end", () => {
    if (req.url === "/v1/chat/completions") return complete(JSON.parse(body) as Completion, res);
    const run = JSON.parse(body) as Run;
    noteArrival(run);
    if (req.url === "/agents/run/stream") runStream(run, res);
    else runSync(run, res);
  });
}

setInterval(() => {
  for (const res of open) res.write(": keepalive\n\n");
}, KEEPALIVE_MS).unref();

const server = createServer(
  { keepAliveTimeout: 120_000, requestTimeout: 0, headersTimeout: 0, noDelay: true },
  handle,
);
server.listen({ port: Number(process.env.PORT), host: process.env.HOST, backlog: 4096 });
process.once("SIGTERM", () => process.exit(0));
