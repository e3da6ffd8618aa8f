import {
  EVENT_STREAM,
  type Event,
  json,
  type Part,
  type Run,
  slowStream,
  streamOf,
  textOf,
} from "../agent.ts";
import { type BrokenPeer, broken } from "../peer.ts";

type Body = Record<string, unknown>;
function without(body: object, name: string): Body {
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
}

/** Edits the terminal event only; sync stays correct. */
function finalSays(rule: string, name: string, edit: (body: Body) => unknown): BrokenPeer {
  return eventsAre(rule, name, (events) =>
    events.map(([name, data]) => [name, name === "final" ? edit({ ...(data as Body) }) : data]),
  );
}

function eventsAre(
  rule: string,
  name: string,
  edit: (events: readonly Event[], run: Run) => readonly Event[],
): BrokenPeer {
  return broken(rule, name, (base) => ({ events: (run) => edit(base.events(run), run) }));
}

/** Rewrites the text of the stream. */
function streamWrites(
  rule: string,
  name: string,
  rewrite: (text: string) => readonly Part[],
  ending?: "open" | "cut",
): BrokenPeer {
  return broken(rule, name, (base) => ({
    stream: (run) => streamOf(rewrite(textOf(base.stream(run))), ending),
  }));
}

function streamHeaders(rule: string, name: string, headers: Record<string, string>): BrokenPeer {
  return broken(rule, name, (base) => ({ stream: (run) => ({ ...base.stream(run), headers }) }));
}

const MIB = 1024 * 1024;

export const brokenStreams: readonly BrokenPeer[] = [
  broken("AC1-STREAM-001", "streams with status 202", (base) => ({
    stream: (run) => ({ ...base.stream(run), status: 202 }),
  })),
  broken("AC1-STREAM-001", "has no stream endpoint", () => ({ stream: () => json(404, {}) })),
  streamHeaders("AC1-STREAM-002", "streams as JSON lines, says the header", {
    ...EVENT_STREAM,
    "content-type": "application/x-ndjson",
  }),
  streamHeaders("AC1-STREAM-002", "streams without a media type", { "cache-control": "no-transform" }),
  streamHeaders("AC1-STREAM-002", "says that the stream is compressed", {
    ...EVENT_STREAM,
    "content-encoding": "br",
  }),
  streamWrites("AC1-STREAM-003", "streams JSON lines", (text) => [
    text.replaceAll(/event: .*\ndata: /g, "").replaceAll("\n\n", "\n"),
  ]),
  streamWrites("AC1-STREAM-003", "streams nothing", () => []),
  streamWrites("AC1-STREAM-004", "streams Latin-1", (text) => [
    Buffer.from(text.replaceAll(/[–½]/g, "é"), "latin1"),
  ]),
  streamWrites("AC1-STREAM-004", "leaves half a character in a comment", (text) => [
    text,
    Buffer.from(": ½").subarray(0, 3),
    "\n\n",
  ]),
  streamWrites("AC1-STREAM-004", "writes a surrogate as UTF-8", (text) => [
    ": ",
    Uint8Array.of(0xed, 0xa0, 0x80),
    "\n",
    text,
  ]),
  streamWrites("AC1-STREAM-004", "sends a byte that is no character", (text) => [
    ": ",
    Uint8Array.of(0xff),
    "\n",
    text,
  ]),
  streamWrites("AC1-STREAM-005", "sends [DONE]", (text) => [
    text.replace("event: final", "data: [DONE]\n\nevent: final"),
  ]),
  streamWrites("AC1-STREAM-005", "sends bare text", (text) => [
    text.replace("event: final", "data: hello\n\nevent: final"),
  ]),
  streamWrites("AC1-STREAM-005", "sends an empty data line", (text) => [
    text.replace("event: final", "data\n\nevent: final"),
  ]),
  finalSays("AC1-STREAM-005", "ends with a list", (body) => [body]),
  eventsAre("AC1-STREAM-006", "has no terminal event", (events) => events.slice(0, 2)),
  eventsAre("AC1-STREAM-006", "ends with an event named end", (events) =>
    events.map(([name, data]) => [name === "final" ? "end" : name, data]),
  ),
  eventsAre("AC1-STREAM-006", "ends with Final", (events) =>
    events.map(([name, data]) => [name === "final" ? "Final" : name, data]),
  ),
  streamWrites("AC1-STREAM-006", "does not end its last event", (text) => [text.slice(0, -1)]),
  streamWrites(
    "AC1-STREAM-006",
    "is cut in the middle of the last event",
    (text) => [text.slice(0, -30)],
    "cut",
  ),
  streamWrites("AC1-STREAM-006", "writes the final name as a comment", (text) => [
    text.replace("event: final", ":event: final"),
  ]),
  eventsAre("AC1-STREAM-007", "ends twice", (events) => [...events, ...events.slice(-1)]),
  eventsAre("AC1-STREAM-007", "ends with final and done", (events, run) => [
    ...events,
    ["done", { request_id: run.requestId }],
  ]),
  streamWrites("AC1-STREAM-007", "ends twice in one write, long after", (text) => [
    text,
    { waitMs: 100 },
    text.slice(text.indexOf("event: final")),
  ]),
  eventsAre("AC1-STREAM-008", "reports progress after its end", (events) => [
    ...events,
    ["progress", { done: 1 }],
  ]),
  streamWrites("AC1-STREAM-008", "sends an event without a name after its end", (text) => [
    `${text}data: {}\n\n`,
  ]),
  finalSays("AC1-STREAM-009", "forgets request_id at the end", (body) => without(body, "request_id")),
  finalSays("AC1-STREAM-009", "ends another request", (body) => ({
    ...body,
    request_id: `${body.request_id} `,
  })),
  finalSays("AC1-STREAM-010", "forgets task_type at the end", (body) => without(body, "task_type")),
  finalSays("AC1-STREAM-010", "ends another task", (body) => ({ ...body, task_type: "echo" })),
  finalSays("AC1-STREAM-011", "has no status at the end", (body) => without(body, "status")),
  finalSays("AC1-STREAM-011", "has a number as status", (body) => ({ ...body, status: 200 })),
  finalSays("AC1-STREAM-012", "has a status of its own alone", (body) => ({
    ...without(body, "ok"),
    status: "completed",
  })),
  finalSays("AC1-STREAM-013", "says status ok and ok false at the end", (body) => ({ ...body, ok: false })),
  finalSays("AC1-STREAM-013", "says status error and ok true at the end", (body) => ({
    ...body,
    status: "error",
  })),
  finalSays("AC1-STREAM-012", "has a text for success beside a status of its own", (body) => ({
    ...without(body, "ok"),
    status: "completed",
    success: "true",
  })),
  finalSays("AC1-STREAM-013", "says status ok and success false at the end", (body) => ({
    ...without(body, "ok"),
    success: false,
  })),
  finalSays("AC1-STREAM-013", "says ok true and success false at the end", (body) => ({
    ...body,
    status: "completed",
    success: false,
  })),
  finalSays("AC1-STREAM-013", "says status failed and success true at the end", (body) => ({
    ...without(body, "ok"),
    status: "failed",
    success: true,
  })),
  finalSays("AC1-STREAM-014", "has no outputs at the end", (body) => without(body, "outputs")),
  finalSays("AC1-STREAM-014", "has outputs that are a text", (body) => ({ ...body, outputs: "done" })),
  finalSays("AC1-STREAM-015", "ends with an event of more than 1 MiB", (body) => ({
    ...body,
    outputs: { text: "x".repeat(MIB) },
  })),
  streamWrites("AC1-STREAM-015", "has a comment of more than 1 MiB", (text) => [
    `: ${"x".repeat(MIB)}\n`,
    text,
  ]),
  streamWrites(
    "AC1-STREAM-016",
    "stops in the middle, and stays open",
    (text) => [text.slice(0, 100)],
    "open",
  ),
  eventsAre("AC1-STREAM-017", "forgets request_id at the start", ([, ...rest], run) => [
    ["started", { task_type: run.taskType }],
    ...rest,
  ]),
  eventsAre("AC1-STREAM-017", "starts with a text", ([, ...rest]) => [["started", "now"], ...rest]),
  eventsAre(
    "AC1-STREAM-017",
    "starts in the middle",
    ([started, progress, final]) => [progress, started, final] as Event[],
  ),
  streamHeaders("AC1-STREAM-019", "lets proxies transform the stream", {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
  }),
  streamWrites("AC1-STREAM-020", "stays open after its end", (text) => [text], "open"),
];

/** Long enough to show deadlines and disconnects. */
function slow(base: Parameters<typeof slowStream>[0], run: Run) {
  return slowStream(base, run, 12, 110);
}
function unhurried(run: Run): Run {
  return { ...run, body: {} };
}

export const brokenLongRuns: readonly BrokenPeer[] = [
  broken("AC1-STREAM-018", "is silent for long", (base) => ({
    stream: (run) => streamOf(slowStream(base, run, 1, 2000)),
  })),
  broken(
    "AC1-RUN-004",
    "works on when the client has gone",
    (base) => ({ stream: (run) => streamOf(slow(base, run)) }),
    { ignoresLeaving: true },
  ),
  broken("AC1-RUN-005", "knows no deadline", (base) => ({
    stream: (run) => streamOf(slow(base, unhurried(run))),
  })),
  broken("AC1-RUN-005", "has its own word for a deadline", (base) => ({
    stream: (run) =>
      streamOf(
        slow(base, run).map((part) =>
          typeof part === "string" ? part.replace("DEADLINE_EXCEEDED", "TIMEOUT") : part,
        ),
      ),
  })),
];
