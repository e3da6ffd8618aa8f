import {
  agentContract,
  compileSchema,
  type FinalEvent,
  type Refusal,
  type RunResult,
  type Validator,
} from "@interlock/contracts";
import { startServer } from "./http/server.ts";
import { silentLog } from "./log.ts";
import { createContext, emptyNotes } from "./runs/context.ts";
import type { Agent, AgentSettings, Progress, TaskContext, Token } from "./types.ts";

export { type HeldDialogue, holdDialogue, type Said } from "./dialogue/hold-dialogue.ts";

/** One event of a stream. Its data has been checked against the contract. */
export type StreamedEvent = { readonly event: string; readonly data: Readonly<Record<string, unknown>> };

export type SyncAnswer =
  | { readonly status: 200; readonly headers: Headers; readonly body: RunResult }
  | { readonly status: number; readonly headers: Headers; readonly body: Refusal };

export type StreamAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly StreamedEvent[];
  readonly final: FinalEvent;
};

export type Extra = { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal };

export type TestAgent = {
  readonly url: string;
  /** Sends a run request. Adds a `request_id` if there is none. */
  sync(request: object, extra?: Extra): Promise<SyncAnswer>;
  stream(request: object, extra?: Extra): Promise<StreamAnswer>;
  close(): Promise<void>;
};

function accept<T>(validate: Validator<T>, value: unknown, what: string): T {
  const checked = validate(value);
  if (checked.ok) return checked.value;
  throw new Error(`${what} breaks the contract: ${checked.problem.message}`);
}

function post(url: string, request: object, extra: Extra = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...extra.headers },
    body: JSON.stringify({ request_id: "test-run", ...request }),
    ...(extra.signal === undefined ? {} : { signal: extra.signal }),
  });
}

/** POST /agents/run/sync at the agent's base URL. Throws if the answer breaks the contract. */
export async function runSync(url: string, request: object, extra?: Extra): Promise<SyncAnswer> {
  const response = await post(`${url}/agents/run/sync`, request, extra);
  const { status, headers } = response;
  const body: unknown = await response.json();
  if (status === 200) return { status, headers, body: accept(agentContract.runResult, body, "the answer") };
  return { status, headers, body: accept(agentContract.refusal, body, "the refusal") };
}

const LINE = /^(?:event: (?<event>.*)|data: (?<data>.*))$/s;

/** Parses exactly what the kit writes. Anything else in a stream is an error. */
function parseBlock(block: string): StreamedEvent | undefined {
  if (block.startsWith(":")) return undefined;
  const fields = block.split("\n").map((line) => LINE.exec(line)?.groups);
  const event = fields[0]?.event;
  const data = fields[1]?.data;
  if (fields.length !== 2 || event === undefined || data === undefined)
    throw new Error("not an event of the kit");
  return { event, data: JSON.parse(data) };
}

const EVENT_CHECKS: Readonly<Record<string, Validator<unknown>>> = {
  started: agentContract.started,
  progress: compileSchema({ type: "object" }),
  token: agentContract.token,
  final: agentContract.final,
};

/** Yields events as they arrive, until the stream ends. Throws on anything that breaks the contract. */
export async function* readEvents(response: Response): AsyncGenerator<StreamedEvent, void, void> {
  if (response.body === null) throw new Error("the answer has no body");
  let held = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))) {
    const blocks = (held + text).split("\n\n");
    held = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event === undefined) continue;
      const check = EVENT_CHECKS[event.event];
      if (check === undefined) throw new Error("the stream has an event of an unknown name");
      accept(check, event.data, `a ${event.event} event`);
      yield event;
    }
  }
  if (held !== "") throw new Error("the stream ended within an event");
}

/** POST /agents/run/stream, read to its end. Throws unless `started` is first and the only `final` last. */
export async function runStream(url: string, request: object, extra?: Extra): Promise<StreamAnswer> {
  const response = await post(`${url}/agents/run/stream`, request, extra);
  const { status, headers } = response;
  if (status !== 200) throw new Error(`the stream was refused: ${status} ${await response.text()}`);
  const events: StreamedEvent[] = [];
  for await (const event of readEvents(response)) events.push(event);
  if (events[0]?.event !== "started") throw new Error("the stream does not begin with started");
  const finals = events.filter(({ event }) => event === "final");
  const last = events.at(-1);
  if (finals.length !== 1 || last?.event !== "final")
    throw new Error("the stream does not end with its one final");
  return { status, headers, events, final: accept(agentContract.final, last.data, "the final event") };
}

/** Serves an agent on a free port of 127.0.0.1, by default without logs. */
export async function startAgent(agent: Agent, settings: Partial<AgentSettings> = {}): Promise<TestAgent> {
  agent.configure({ log: silentLog, ...settings });
  const server = await startServer(agent, 0, "127.0.0.1");
  return {
    url: server.url,
    sync: (request, extra) => runSync(server.url, request, extra),
    stream: (request, extra) => runStream(server.url, request, extra),
    close: async () => {
      await server.stop(0);
      await agent.close();
    },
  };
}

/** A context for calling a task without an agent. `notes` collects what the task reports through it. */
export function testContext(
  parts: Partial<
    Pick<TaskContext, "signal" | "requestId" | "deadline" | "trace" | "idempotencyKey" | "caller">
  > = {},
): { readonly context: TaskContext; readonly notes: ReturnType<typeof emptyNotes> } {
  const notes = emptyNotes();
  const context = createContext(
    {
      signal: new AbortController().signal,
      requestId: "test-run",
      trace: {},
      ...parts,
      log: silentLog.forTask({}),
    },
    notes,
  );
  return { context, notes };
}

/** Runs a task's generator to its end. Returns what it yielded and what it returned. */
export async function collect<Outputs>(
  generator: AsyncGenerator<Progress | Token, Outputs, void>,
): Promise<{ readonly events: readonly (Progress | Token)[]; readonly outputs: Outputs }> {
  const events: (Progress | Token)[] = [];
  for (;;) {
    const next = await generator.next();
    if (next.done) return { events, outputs: next.value };
    events.push(next.value);
  }
}
