import {
  type Call,
  event,
  sendJson,
  startAgent,
  started,
  type TestAgent,
  terminal,
} from "../../src/agents/test/agent.ts";

export { type Call, event, sendJson, started };

export type StandIn = TestAgent & { stop(): Promise<void> };

type Handler = (call: Call) => unknown;

/** A stand-in for all agents of a test's mesh: one server, one handler a task type, or a path such as `/agents/card`. */
export async function standIn(
  handlers: Record<string, Handler>,
  port?: number,
  host?: string,
): Promise<StandIn> {
  const agent = await startAgent(
    (call) => {
      if (call.path.startsWith("/health")) return sendJson(call, { status: "ok" });
      const handler = handlers[call.path] ?? handlers[call.body.task_type];
      return handler ? handler(call) : sendJson(call, {}, 404);
    },
    port,
    host,
  );
  return { ...agent, stop: agent.close };
}

/** The run requests that a stand-in got for a task. */
export function callsOf(agent: StandIn, task: string): Call[] {
  return agent.calls.filter((call) => call.path.startsWith("/agents/run/") && call.body.task_type === task);
}

const isSync = (call: Call): boolean => call.path.endsWith("/sync");

/** Begins to answer. A stream gets its headers, `started`, and whatever else is to be sent at once; a sync call only its end. */
export function begin(call: Call, more = ""): void {
  if (isSync(call)) return;
  call.res.writeHead(200, { "content-type": "text/event-stream" });
  call.res.write(started(call) + more);
}

/** Ends an answer that was begun, with outputs. */
export function finish(call: Call, outputs: object = {}, more: object = {}): void {
  const end = terminal(call, { status: "ok", outputs, ...more });
  if (isSync(call)) sendJson(call, end);
  else call.res.end(event("final", end));
}

/** A handler that answers at once. */
export function answering(outputs: object | ((call: Call) => object), more: object = {}): Handler {
  return (call) => {
    begin(call);
    finish(call, typeof outputs === "function" ? outputs(call) : outputs, more);
  };
}

/** A handler that fails honestly. */
export function failing(code: string, message: string): Handler {
  return answering({}, { status: "error", ok: false, error: { code, message } });
}

/** A handler that begins a stream and leaves it to the test to go on, with the calls in the order in which they came. */
export function holding(): { handler: Handler; next(): Promise<Call> } {
  const held: Call[] = [];
  const waiting: ((call: Call) => void)[] = [];
  return {
    handler(call) {
      begin(call);
      const waiter = waiting.shift();
      if (waiter) waiter(call);
      else held.push(call);
    },
    async next() {
      // A call whose caller has left meanwhile is nobody's any more.
      for (let call = held.shift(); call; call = held.shift()) if (!call.res.destroyed) return call;
      return await new Promise((resolve) => waiting.push(resolve));
    },
  };
}

/** Settles when the caller has closed the connection of a call. */
export function gone(call: Call): Promise<void> {
  return new Promise((resolve) => {
    if (call.res.destroyed) resolve();
    else call.res.once("close", () => resolve());
  });
}
