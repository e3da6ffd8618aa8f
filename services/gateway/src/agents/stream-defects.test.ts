import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { AgentClient } from "./client.ts";
import {
  type Call,
  clientFor,
  dispatch,
  event,
  failureOf,
  final,
  goodStream,
  openStream,
  sendJson,
  sendStream,
  startAgent,
  started,
  type TestAgent,
  terminal,
} from "./test/agent.ts";
import type { UpstreamCode } from "./types.ts";

type Answer = (call: Call) => void;
type Case = [what: string, code: UpstreamCode, reason: string, answer: Answer];

function streaming(make: (call: Call) => string | Buffer): Answer {
  return (call) => sendStream(call, make(call));
}

function ending(fields: object): Answer {
  return streaming((call) => started(call) + final(call, fields));
}

function typed(type: string): Answer {
  return (call) => {
    call.res.writeHead(200, { "content-type": type }).end(goodStream(call));
  };
}

const ERROR = { code: "INFEASIBLE", message: "The bounds leave no room." };

const STREAM_CASES: Case[] = [
  ["a JSON answer", "upstream_invalid", "not_event_stream", (call) => sendJson(call, { ok: true })],
  ["another type", "upstream_invalid", "not_event_stream", typed("text/event-streams")],
  [
    "no type",
    "upstream_invalid",
    "not_event_stream",
    ({ res }) => void res.writeHead(200).end("data: {}\n\n"),
  ],
  [
    "compressed",
    "upstream_invalid",
    "content_encoding",
    ({ res }) => {
      res.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" }).end("x");
    },
  ],
  [
    "a redirect",
    "upstream_invalid",
    "redirect",
    ({ res }) => void res.writeHead(307, { location: "/" }).end(),
  ],
  ["204", "upstream_invalid", "unexpected_status", ({ res }) => void res.writeHead(204).end()],
  ["206", "upstream_invalid", "unexpected_status", ({ res }) => void res.writeHead(206).end("x")],
  ["not HTTP", "upstream_invalid", "bad_http", ({ res }) => void res.socket?.end("HELLO\r\n\r\n")],
  [
    "a chunk size that is no number",
    "upstream_invalid",
    "bad_http",
    (call) => {
      openStream(call);
      call.res.write(started(call));
      call.res.socket?.write("zzz\r\n");
    },
  ],
  ["an empty stream", "upstream_invalid", "no_terminal", streaming(() => "")],
  ["no terminal", "upstream_invalid", "no_terminal", streaming(started)],
  [
    "an unterminated terminal",
    "upstream_invalid",
    "no_terminal",
    streaming((call) => goodStream(call).slice(0, -1)),
  ],
  [
    "a connection cut before the terminal",
    "upstream_unavailable",
    "connection_lost",
    (call) => {
      openStream(call);
      call.res.write(started(call), () => call.res.socket?.destroy());
    },
  ],
  [
    "a connection cut after the terminal",
    "upstream_unavailable",
    "connection_lost",
    (call) => {
      openStream(call);
      call.res.write(goodStream(call), () => call.res.socket?.destroy());
    },
  ],
  [
    "a connection reset",
    "upstream_unavailable",
    "connection_lost",
    (call) => {
      openStream(call);
      call.res.write(started(call), () => call.res.socket?.resetAndDestroy());
    },
  ],
  [
    "a shorter body than announced",
    "upstream_unavailable",
    "connection_lost",
    (call) => {
      const bytes = Buffer.from(goodStream(call));
      call.res.writeHead(200, { "content-type": "text/event-stream", "content-length": bytes.length + 9 });
      call.res.write(bytes, () => call.res.socket?.destroy());
    },
  ],
  ["two terminals", "upstream_invalid", "two_terminals", streaming((call) => final(call) + final(call))],
  [
    "two terminals of two names",
    "upstream_invalid",
    "two_terminals",
    streaming((call) => final(call) + event("done", {})),
  ],
  [
    "an event after the terminal",
    "upstream_invalid",
    "after_terminal",
    streaming((call) => final(call) + event("progress", {})),
  ],
  [
    "a stream left open",
    "upstream_invalid",
    "stream_not_closed",
    (call) => {
      openStream(call);
      call.res.write(goodStream(call));
    },
  ],
  [
    "silence",
    "upstream_invalid",
    "stalled",
    (call) => {
      openStream(call);
      call.res.write(started(call));
    },
  ],
  ["no headers", "upstream_timeout", "headers_timeout", () => undefined],
  ["text for data", "upstream_invalid", "bad_json", streaming(() => "event: progress\ndata: hello\n\n")],
  ["cut JSON", "upstream_invalid", "bad_json", streaming(() => 'event: progress\ndata: {"a":\n\n')],
  ["a list at the end", "upstream_invalid", "not_an_object", streaming(() => "event: final\ndata: []\n\n")],
  ["null at the end", "upstream_invalid", "not_an_object", streaming(() => "event: done\ndata: null\n\n")],
  ["empty data", "upstream_invalid", "bad_json", streaming(() => "event: progress\ndata:\n\n")],
  [
    "deep JSON",
    "upstream_invalid",
    "too_deep",
    streaming(() => `data: {"a":${"[".repeat(9_000)}${"]".repeat(9_000)}}\n\n`),
  ],
  [
    "bytes that are not UTF-8",
    "upstream_invalid",
    "invalid_utf8",
    streaming(() => Buffer.from('data: {"a":"\xff"}\n\n', "latin1")),
  ],
  [
    "an event over the limit",
    "upstream_invalid",
    "event_too_large",
    streaming(() => event("progress", { a: "x".repeat(70_000) })),
  ],
  [
    "a long event name",
    "upstream_invalid",
    "event_name_too_long",
    streaming(() => event("p".repeat(200), {})),
  ],
  [
    "a started event of another run",
    "upstream_invalid",
    "wrong_request_id",
    streaming(() => event("started", { request_id: "other" })),
  ],
  [
    "a started event of another task",
    "upstream_invalid",
    "wrong_task_type",
    streaming(() => event("started", { task_type: "OTHER" })),
  ],
  [
    "a terminal of another run",
    "upstream_invalid",
    "wrong_request_id",
    ending({ request_id: "x", status: "ok", outputs: {} }),
  ],
  [
    "a terminal without its run",
    "upstream_invalid",
    "wrong_request_id",
    ending({ request_id: undefined, status: "ok", outputs: {} }),
  ],
  [
    "a terminal of another task",
    "upstream_invalid",
    "wrong_task_type",
    ending({ task_type: "OTHER", status: "ok", outputs: {} }),
  ],
  [
    "a terminal without its task",
    "upstream_invalid",
    "wrong_task_type",
    ending({ task_type: undefined, status: "ok", outputs: {} }),
  ],
  ["no status", "upstream_invalid", "missing_status", ending({ ok: true, outputs: {} })],
  ["a status that is a number", "upstream_invalid", "missing_status", ending({ status: 200, outputs: {} })],
  [
    "ok beside false",
    "upstream_invalid",
    "contradictory_status",
    ending({ status: "ok", ok: false, outputs: {} }),
  ],
  [
    "error beside true",
    "upstream_invalid",
    "contradictory_status",
    ending({ status: "error", ok: true, outputs: {} }),
  ],
  [
    "ok beside no success",
    "upstream_invalid",
    "contradictory_status",
    ending({ status: "ok", success: false, outputs: {} }),
  ],
  [
    "true beside no success",
    "upstream_invalid",
    "contradictory_status",
    ending({ status: "completed", ok: true, success: false, outputs: {} }),
  ],
  [
    "error beside success",
    "upstream_invalid",
    "contradictory_status",
    ending({ status: "error", ok: false, success: true, outputs: {}, error: ERROR }),
  ],
  [
    "a word of its own beside no success",
    "upstream_failed",
    "agent_error",
    ending({ status: "stopped", success: false, outputs: {} }),
  ],
  ["no outputs", "upstream_invalid", "no_outputs", ending({ status: "ok" })],
  ["outputs that are a list", "upstream_invalid", "no_outputs", ending({ status: "ok", outputs: [] })],
  ["outputs that are null", "upstream_invalid", "no_outputs", ending({ status: "ok", outputs: null })],
  [
    "a word of its own alone",
    "upstream_invalid",
    "unclear_status",
    ending({ status: "completed", outputs: {} }),
  ],
  [
    "ok that is a text",
    "upstream_invalid",
    "not_contract",
    ending({ status: "ok", ok: "true", outputs: {} }),
  ],
  [
    "warnings that are a text",
    "upstream_invalid",
    "not_contract",
    ending({ status: "ok", outputs: {}, warnings: "w" }),
  ],
  [
    "a failure that does not say why",
    "upstream_failed",
    "agent_error",
    ending({ status: "error", ok: false, outputs: {} }),
  ],
  [
    "a failure that keeps outputs",
    "upstream_failed",
    "agent_error",
    ending({ status: "error", ok: false, outputs: { a: 1 }, error: ERROR }),
  ],
  [
    "an honest failure",
    "upstream_failed",
    "agent_error",
    ending({ status: "error", ok: false, outputs: {}, error: ERROR }),
  ],
  [
    "its own deadline",
    "upstream_timeout",
    "deadline",
    ending({ status: "error", ok: false, outputs: {}, error: { ...ERROR, code: "DEADLINE_EXCEEDED" } }),
  ],
  [
    "only the prototype has outputs",
    "upstream_invalid",
    "no_outputs",
    streaming((call) =>
      final(call, { status: "ok" }).replace('"status"', '"__proto__":{"outputs":{}},"status"'),
    ),
  ],
  ["400", "upstream_refused", "http_400", (call) => sendJson(call, {}, 400)],
  ["404 without JSON", "upstream_refused", "http_404", ({ res }) => void res.writeHead(404).end("<html>")],
  ["429", "upstream_overloaded", "http_429", (call) => sendJson(call, {}, 429)],
  ["500", "upstream_unavailable", "http_500", (call) => sendJson(call, {}, 500)],
  ["503", "upstream_overloaded", "http_503", (call) => sendJson(call, {}, 503)],
  [
    "an endless refusal",
    "upstream_refused",
    "http_400",
    ({ res }) => {
      res.writeHead(400);
      res.write("x".repeat(200_000));
    },
  ],
];

function result(fields: object): Answer {
  return (call) => sendJson(call, terminal(call, fields));
}

const SYNC_CASES: Case[] = [
  ["a stream", "upstream_invalid", "not_json", streaming(goodStream)],
  [
    "HTML",
    "upstream_invalid",
    "not_json",
    ({ res }) => void res.writeHead(200, { "content-type": "text/html" }).end("<p>"),
  ],
  ["cut JSON", "upstream_invalid", "bad_json", (call) => sendJson(call, '{"a":')],
  ["nothing", "upstream_invalid", "bad_json", (call) => sendJson(call, "")],
  ["a list", "upstream_invalid", "not_an_object", (call) => sendJson(call, "[]")],
  [
    "bytes that are not UTF-8",
    "upstream_invalid",
    "invalid_utf8",
    ({ res }) => void res.writeHead(200, { "content-type": "application/json" }).end(Buffer.of(0x7b, 0xff)),
  ],
  [
    "an announced size over the limit",
    "upstream_invalid",
    "response_too_large",
    ({ res }) =>
      void res.writeHead(200, { "content-type": "application/json", "content-length": 1e6 }).write("{"),
  ],
  [
    "a size over the limit",
    "upstream_invalid",
    "response_too_large",
    ({ res }) => void res.writeHead(200, { "content-type": "application/json" }).write("x".repeat(70_000)),
  ],
  [
    "another run",
    "upstream_invalid",
    "wrong_request_id",
    result({ request_id: "x", status: "ok", outputs: {} }),
  ],
  [
    "another task",
    "upstream_invalid",
    "wrong_task_type",
    result({ task_type: "X", status: "ok", outputs: {} }),
  ],
  ["no status", "upstream_invalid", "missing_status", result({ outputs: {} })],
  [
    "a contradiction",
    "upstream_invalid",
    "contradictory_status",
    result({ status: "failed", ok: true, outputs: {} }),
  ],
  [
    "success, which only a stream may say",
    "upstream_invalid",
    "unclear_status",
    result({ status: "completed", success: true, outputs: {} }),
  ],
  ["a failure in few words", "upstream_failed", "agent_error", result({ ok: false })],
  ["no outputs", "upstream_invalid", "no_outputs", result({ status: "ok" })],
  ["data for outputs", "upstream_invalid", "no_outputs", result({ status: "ok", data: {} })],
  [
    "a failure that does not say why",
    "upstream_failed",
    "agent_error",
    result({ status: "error", ok: false, outputs: {} }),
  ],
  [
    "an honest failure",
    "upstream_failed",
    "agent_error",
    result({ status: "error", ok: false, outputs: {}, error: ERROR }),
  ],
  ["a connection cut", "upstream_unavailable", "connection_lost", ({ res }) => void res.socket?.destroy()],
  ["no answer", "upstream_timeout", "deadline", () => undefined],
];

function byName(cases: Case[]): ReadonlyMap<string, Answer> {
  return new Map(cases.map(([what, , , answer]) => [what, answer]));
}

describe("a defect of an agent's answer has a code and a reason", () => {
  const answers = { stream: byName(STREAM_CASES), sync: byName(SYNC_CASES) };
  let agent: TestAgent;
  let client: AgentClient;
  beforeAll(async () => {
    agent = await startAgent((call) => {
      const mode = call.path.endsWith("/sync") ? "sync" : "stream";
      answers[mode].get(String(call.body.case))?.(call);
    });
    client = clientFor(agent.url, {
      headersMs: 300,
      silenceMs: 300,
      closeMs: 100,
      breaker: { failures: 1_000, restMs: 1 },
    });
  });
  afterAll(async () => {
    await client.close();
    await agent.close();
  });

  const request = (what: string, timeoutMs = 3_000) =>
    dispatch({ timeoutMs, body: { request_id: "run:step", task_type: "TASK", case: what } });

  test.each(STREAM_CASES)("stream: %s → %s %s", async (what, code, reason) => {
    expect(await failureOf(client.stream(request(what)))).toMatchObject({ code, reason, agent: "worker" });
  });

  test.each(SYNC_CASES)("sync: %s → %s %s", async (what, code, reason) => {
    const error = await failureOf(client.sync(request(what, 500)));
    expect(error).toMatchObject({ code, reason, agent: "worker" });
  });
});
