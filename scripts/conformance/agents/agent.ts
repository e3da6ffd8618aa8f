/**
 * A small agent for testing the check. Each of its parts can be replaced: a broken agent replaces one by a defect, a
 * good agent by something unusual that the contract allows.
 */
export type Json = { readonly [name: string]: unknown };
export type Event = readonly [name: string, data: unknown];
/** A piece of a body, sent as a separate write, or a pause. */
export type Part = string | Uint8Array | { readonly waitMs: number };
export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Iterable<Part> | AsyncIterable<Part>;
  /** What happens after the last part, if the response is not ended: it stays open, or the connection is cut. */
  readonly ending?: "open" | "cut";
  /** HTTP framing of the body, by default chunked. */
  readonly framing?: "until close" | "after hints" | "no answer";
};

export type Request = {
  readonly endpoint: "sync" | "stream";
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};
export type Run = {
  readonly endpoint: "sync" | "stream";
  readonly requestId: string;
  readonly taskType: string;
  readonly inputs: Json;
  readonly body: Json;
  readonly headers: Request["headers"];
};
export type Refused = {
  readonly request: Request;
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
};

export type Agent = {
  /** Accepts or refuses a request. */
  readonly accept: (request: Request) => Run | Refused;
  /** The body of a sync answer. */
  readonly result: (run: Run) => Json;
  readonly events: (run: Run) => readonly Event[];
  readonly encode: (event: Event) => string;
  readonly refusal: (refused: Refused) => Json;
  readonly sync: (run: Run) => Reply;
  readonly stream: (run: Run) => Reply;
  readonly refuse: (refused: Refused) => Reply;
  readonly health: () => Reply;
  readonly ready: () => Reply;
  readonly card: () => Reply;
};
export type Change = (base: Agent) => Partial<Agent>;

export const TASK = "ECHO";

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    parts: [JSON.stringify(body)],
  };
}

export const EVENT_STREAM = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
};

export function streamOf(parts: Reply["parts"], ending?: Reply["ending"]): Reply {
  return {
    status: 200,
    headers: EVENT_STREAM,
    parts,
    ...(ending === undefined ? {} : { ending }),
  };
}

export function textOf(reply: Reply): string {
  return [...(reply.parts as Iterable<string>)].join("");
}

/** The plain agent with some parts replaced. The other parts use the replacements. */
export function agentWith(change: Change = () => ({})): Agent {
  const base: Agent = {
    accept,
    result: ({ requestId, inputs }) => ({
      request_id: requestId,
      status: "ok",
      ok: true,
      outputs: { echo: inputs },
      warnings: Object.keys(inputs).length === 0 ? ["ran on the sample"] : [],
    }),
    events: (run) => [
      ["started", { request_id: run.requestId, task_type: run.taskType }],
      ["progress", { done: 0.5, note: "halfway – ½" }],
      ["final", { ...agent.result(run), task_type: run.taskType }],
    ],
    encode: ([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
    refusal: ({ requestId, code }) => ({
      request_id: requestId,
      ok: false,
      status: "error",
      outputs: {},
      warnings: [],
      error: { code, message: "The request was refused." },
    }),
    sync: (run) => json(200, agent.result(run)),
    stream: (run) => streamOf(agent.events(run).map(agent.encode)),
    refuse: (refused) => json(refused.status, agent.refusal(refused)),
    health: () => json(200, { status: "ok" }),
    ready: () => json(200, { status: "ready" }),
    card: () => json(200, { name: "echo", version: "1", contract: "agent/v1", task_types: [ECHO_TASK] }),
  };
  const agent: Agent = { ...base, ...change(base) };
  return agent;
}

export const ECHO_TASK = { task_type: TASK, inputs: { type: "object" }, outputs: { type: "object" } };

function accept(request: Request): Run | Refused {
  const refused = (status: number, code: string, requestId = ""): Refused => ({
    request,
    status,
    code,
    requestId,
  });
  if (request.headers["content-type"] !== "application/json") {
    const sent = parse(request.text)?.request_id;
    return refused(415, "UNSUPPORTED_MEDIA_TYPE", typeof sent === "string" ? sent : "");
  }
  const body = parse(request.text);
  if (body === undefined) return refused(400, "INVALID_REQUEST");
  const { request_id, task_type, inputs = {} } = body;
  const requestId = typeof request_id === "string" ? request_id : "";
  if (!isId(request_id) || !isId(task_type) || !isObject(inputs))
    return refused(400, "INVALID_REQUEST", requestId);
  if (task_type !== TASK) return refused(422, "UNSUPPORTED_TASK", requestId);
  return {
    endpoint: request.endpoint,
    requestId,
    taskType: task_type,
    inputs,
    body,
    headers: request.headers,
  };
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isRefused(accepted: Run | Refused): accepted is Refused {
  return "code" in accepted;
}

/** A failed run, in the contract's form. */
export function failure(run: Run, code: string, message = "The run failed."): Json {
  return {
    request_id: run.requestId,
    status: "error",
    ok: false,
    outputs: {},
    error: { code, message },
  };
}

/** A run of several steps of `stepMs` each. It stops at its deadline, and when the client disconnects. */
export function slowStream(agent: Pick<Agent, "encode">, run: Run, steps: number, stepMs: number): Part[] {
  const { budgets } = run.body;
  const timeoutMs =
    isObject(budgets) && typeof budgets.timeout_ms === "number"
      ? budgets.timeout_ms
      : Number.POSITIVE_INFINITY;
  const started = agent.encode(["started", { request_id: run.requestId, task_type: run.taskType }]);
  const final = (data: Json): string => agent.encode(["final", { ...data, task_type: run.taskType }]);
  if (timeoutMs < steps * stepMs)
    return [started, { waitMs: timeoutMs }, final(failure(run, "DEADLINE_EXCEEDED"))];
  const work = Array.from({ length: steps }, (_, step): Part[] => [
    { waitMs: stepMs },
    agent.encode(["progress", { step }]),
  ]);
  return [started, ...work.flat(), final({ request_id: run.requestId, status: "ok", outputs: {} })];
}
