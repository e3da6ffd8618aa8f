import {
  ECHO_TASK,
  EVENT_STREAM,
  failure,
  isObject,
  type Json,
  json,
  type Refused,
  type Run,
  textOf,
} from "../agent.ts";
import { type BrokenPeer, broken } from "../peer.ts";
import { serveSocket } from "../serve.ts";

/** Repeats parts of the request in the message of a refusal. */
function leaksInRefusal(name: string, write: (text: string) => string): BrokenPeer {
  return broken("AC1-LEAK-001", name, (base) => ({
    refusal: (refused) => ({
      ...base.refusal(refused),
      error: { code: "INVALID_REQUEST", message: write(refused.request.text.slice(0, 4000)) },
    }),
  }));
}

function hex(code: number, length: number): string {
  return code.toString(16).padStart(length, "0");
}
function each(text: string, write: (code: number) => string): string {
  return [...text].map((char) => write(char.charCodeAt(0))).join("");
}
function parserMessage(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return String(error);
  }
}
function isOdd(run: Run): boolean {
  return Object.keys(run.inputs).length > 0;
}

const leaks: readonly BrokenPeer[] = [
  leaksInRefusal("repeats the request in its refusal", (text) => text),
  leaksInRefusal("passes on what the parser says", parserMessage),
  leaksInRefusal("repeats the request in base64", (text) => Buffer.from(text).toString("base64")),
  leaksInRefusal("repeats the request in hexadecimal", (text) => Buffer.from(text).toString("hex")),
  leaksInRefusal("repeats the request URL-encoded", (text) =>
    each(text, (code) => `%${hex(code & 0xff, 2)}`),
  ),
  leaksInRefusal("repeats the request in escapes of escapes", (text) =>
    each(text, (code) => `\\u${hex(code, 4)}`),
  ),
  broken("AC1-LEAK-001", "names the inputs that a failed run did not know", (base) => ({
    result: (run) =>
      isOdd(run)
        ? failure(run, "INVALID_INPUTS", `unknown: ${Object.keys(run.inputs).join()}`)
        : base.result(run),
  })),
  broken("AC1-LEAK-001", "repeats inputs in a failed stream only", (base) => ({
    events: (run) =>
      isOdd(run)
        ? [
            [
              "final",
              {
                ...failure(run, "INVALID_INPUTS", `bad: ${JSON.stringify(run.inputs)}`),
                task_type: run.taskType,
              },
            ],
          ]
        : base.events(run),
  })),
  broken("AC1-LEAK-002", "repeats inputs in a header of its refusal", (base) => ({
    refuse: (refused) => ({
      ...base.refuse(refused),
      headers: {
        "content-type": "application/json",
        "x-input": encodeURIComponent(refused.request.text.slice(0, 4000)),
      },
    }),
  })),
  broken("AC1-LEAK-002", "repeats inputs in a header of its stream", (base) => ({
    stream: (run) => ({
      ...base.stream(run),
      headers: { ...EVENT_STREAM, "x-input": Object.keys(run.inputs).join() },
    }),
  })),
];

const reaching: readonly BrokenPeer[] = [
  {
    rule: "AC1-HTTP-001",
    name: "is not there",
    serve: async () => ({ url: "http://127.0.0.1:1", close: async () => {} }),
  },
  {
    rule: "AC1-HTTP-001",
    name: "speaks no HTTP",
    serve: () => serveSocket((socket) => socket.end("hello\r\n\r\n")),
  },
  { rule: "AC1-HTTP-001", name: "hangs up at once", serve: () => serveSocket((socket) => socket.destroy()) },
  broken("AC1-HTTP-002", "redirects sync", () => ({
    sync: () => ({ ...json(307, {}), headers: { location: "/agents/run/sync/" } }),
  })),
  broken("AC1-HTTP-002", "redirects the stream", () => ({
    stream: () => ({ ...json(308, {}), headers: { location: "https://example.com/" } }),
  })),
];

const runs: readonly BrokenPeer[] = [
  broken("AC1-RUN-001", "fails without inputs, honestly", (base) => ({
    result: (run) => (isObject(run.inputs.order) ? base.result(run) : failure(run, "INVALID_INPUTS")),
  })),
  broken("AC1-RUN-001", "refuses to run without inputs", (base) => ({
    accept: (request) => {
      const run = base.accept(request);
      if ("code" in run || isObject(run.inputs.order)) return run;
      return { request, status: 422, code: "INVALID_INPUTS", requestId: run.requestId } satisfies Refused;
    },
  })),
  broken("AC1-RUN-002", "takes no unknown fields", (base) => ({
    accept: (request) => {
      const run = base.accept(request);
      if ("code" in run || !("x_unknown" in run.body)) return run;
      return { request, status: 400, code: "INVALID_REQUEST", requestId: run.requestId } satisfies Refused;
    },
  })),
  broken("AC1-RUN-003", "stumbles over traceparent", (base) => ({
    sync: (run) => ("traceparent" in run.headers ? json(500, {}) : base.sync(run)),
  })),
  counting("AC1-RUN-006", "gives another answer each time"),
  broken("AC1-RUN-007", "fails without a code", (base) => ({
    result: (run) =>
      isOdd(run) ? { ...failure(run, ""), error: { message: "it failed" } } : base.result(run),
  })),
  broken("AC1-RUN-007", "fails with a status of its own", (base) => ({
    result: (run) =>
      isOdd(run) ? { ...failure(run, "INVALID_INPUTS"), status: "failed" } : base.result(run),
  })),
];

function counting(rule: string, name: string): BrokenPeer {
  let count = 0;
  return broken(rule, name, (base) => ({
    result: (run): Json => ({ ...base.result(run), outputs: { count: ++count } }),
  }));
}

function cardSays(rule: string, name: string, edit: (card: Json) => unknown): BrokenPeer {
  return broken(rule, name, (base) => ({ card: () => json(200, edit(JSON.parse(textOf(base.card())))) }));
}

const descriptions: readonly BrokenPeer[] = [
  broken("AC1-HEALTH-001", "has no health", () => ({ health: () => json(404, {}) })),
  broken("AC1-HEALTH-001", "says that it is healthy, but not how", () => ({
    health: () => json(200, { healthy: true }),
  })),
  broken("AC1-HEALTH-002", "is never ready", () => ({
    ready: () => json(503, { status: "starting" }, { "retry-after": "0" }),
  })),
  broken("AC1-CARD-001", "has no card", () => ({ card: () => json(404, {}) })),
  cardSays("AC1-CARD-001", "has a card without a version", ({ version: _, ...card }) => card),
  cardSays("AC1-CARD-001", "has a card of another contract", (card) => ({ ...card, contract: "agent/v9" })),
  cardSays("AC1-CARD-002", "has a card for another task", (card) => ({
    ...card,
    task_types: [{ ...ECHO_TASK, task_type: "OTHER" }],
  })),
];

export const brokenOthers: readonly BrokenPeer[] = [...reaching, ...runs, ...leaks, ...descriptions];
