import {
  agentWith,
  ECHO_TASK,
  EVENT_STREAM,
  failure,
  isObject,
  type Json,
  json,
  type Reply,
  slowStream,
  TASK,
  textOf,
} from "../agent.ts";
import { type Peer, peer } from "../peer.ts";
import { serveAgent } from "../serve.ts";

/** Ends its stream with these fields beside the required ones. The sync answer is unchanged. */
function streamEnds(name: string, fields: Json): Peer {
  return peer(name, (base) => ({
    events: (run) => [
      ...base.events(run).slice(0, -1),
      ["final", { request_id: run.requestId, task_type: run.taskType, outputs: {}, ...fields }],
    ],
  }));
}

function progressIs(name: string, data: unknown): Peer {
  return peer(name, (base) => ({
    events: (run) => [
      ...base.events(run).slice(0, 1),
      ["progress", data],
      ["thought", data],
      ...base.events(run).slice(-1),
    ],
  }));
}

/** Unusual content and behaviour that the contract allows. */
export const oddShapes: readonly Peer[] = [
  peer("the plain agent"),
  peer("ends with complete", (base) => ({
    encode: ([name, data]) => base.encode([name === "final" ? "complete" : name, data]),
  })),
  peer("ends with done", (base) => ({
    encode: ([name, data]) => base.encode([name === "final" ? "done" : name, data]),
  })),
  peer("only the terminal event", (base) => ({
    events: (run) => [["final", { ...base.result(run), task_type: run.taskType }]],
  })),
  peer("status success and no ok", () => ({
    result: ({ requestId }) => ({ request_id: requestId, status: "success", outputs: {} }),
  })),
  peer("a status of its own beside ok:true", () => ({
    result: ({ requestId }) => ({ request_id: requestId, status: "completed", ok: true, outputs: {} }),
  })),
  streamEnds("a status of its own beside success:true at the end", { status: "completed", success: true }),
  streamEnds("status ok, ok:true and success:true at the end", { status: "ok", ok: true, success: true }),
  streamEnds("a field of its own named success", { status: "ok", success: "3 of 3" }),
  progressIs("progress that is a list", [0.5, { step: 1 }]),
  progressIs("progress that is a text", "halfway"),
  progressIs("progress that is a number", 0.5),
  progressIs("progress that is null", null),
  peer("sync with ok alone", (base) => ({
    sync: ({ requestId }) => json(200, { request_id: requestId, ok: true, outputs: {} }),
    events: base.events,
  })),
  peer("data in place of outputs in the stream", (base) => ({
    events: (run) => [
      ["final", { request_id: run.requestId, task_type: run.taskType, status: "ok", data: base.result(run) }],
    ],
  })),
  peer("events with names of its own, and one without", (base) => ({
    events: (run) => [
      ...base.events(run).slice(0, 1),
      ["thought", { a: 1 }],
      ["token", { text: "é" }],
      ...base.events(run).slice(2),
    ],
    encode: (event) => base.encode(event).replace("event: thought\n", ""),
  })),
  peer("fields of its own everywhere", (base) => ({
    result: (run) => ({
      ...base.result(run),
      __proto__: null,
      cost: { eur: 0.1 },
      "error.code": 1,
      list: [[[{ ok: false }]]],
    }),
  })),
  peer("an event of almost 1 MiB", (base) => ({
    result: (run) => ({ ...base.result(run), outputs: { text: "x".repeat(1024 * 1024 - 400) } }),
  })),
  peer("larger events, as its card declares", (base) => ({
    result: (run) => ({ ...base.result(run), outputs: { text: "x".repeat(1_500_000) } }),
    card: () => json(200, { ...cardOf(base.card()), limits: { max_event_bytes: 2_000_000 } }),
  })),
  peer("takes any task type", (base) => ({
    accept: (request) => {
      const accepted = base.accept({ ...request, text: request.text.replace("NO_SUCH_TASK_", TASK) });
      return "code" in accepted ? accepted : { ...accepted, taskType: TASK };
    },
  })),
  peer("refuses everything with 422", (base) => ({
    refuse: (refused) => ({ ...base.refuse(refused), status: refused.status === 415 ? 415 : 422 }),
  })),
  peer("fails runs on inputs that it does not know", (base) => ({
    result: (run) => (Object.keys(run.inputs).length > 0 ? failure(run, "INVALID_INPUTS") : base.result(run)),
  })),
  peer("refuses inputs that it does not know", (base) => ({
    accept: (request) => {
      const run = base.accept(request);
      const odd = !("code" in run) && Object.keys(run.inputs).length > 0;
      return odd ? { request, status: 400, code: "INVALID_INPUTS", requestId: run.requestId } : run;
    },
  })),
  peer("needs inputs, and shows an example in its card", (base) => ({
    result: (run) => (isObject(run.inputs.order) ? base.result(run) : failure(run, "INVALID_INPUTS")),
    card: () =>
      json(200, {
        ...cardOf(base.card()),
        task_types: [{ ...ECHO_TASK, examples: [{ order: { id: "a", qty: 2 } }] }],
      }),
  })),
  {
    name: "busy at first, then as it should be",
    serve: () => {
      let asked = 0;
      const busy = (now: () => Reply): Reply =>
        ++asked % 3 === 1
          ? json(asked % 2 === 0 ? 503 : 429, { error: "busy" }, { "retry-after": "0" })
          : now();
      return serveAgent(
        agentWith((base) => ({
          sync: (run) => busy(() => base.sync(run)),
          stream: (run) => busy(() => base.stream(run)),
        })),
      );
    },
  },
  peer("slow, and stops at the deadline and when the client goes", (base) => ({
    stream: (run) => ({ status: 200, headers: EVENT_STREAM, parts: slowStream(base, run, 12, 110) }),
  })),
  peer("slow and silent, but for comments", (base) => ({
    stream: (run) => {
      const [started = "", ...rest] = slowStream(base, run, 4, 350);
      return {
        status: 200,
        headers: EVENT_STREAM,
        parts: [started, ...rest.flatMap((part) => [": still here\n\n", part])],
      };
    },
  })),
];

function cardOf(reply: Reply): Record<string, unknown> {
  return JSON.parse(textOf(reply));
}
