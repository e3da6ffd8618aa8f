import {
  type Call,
  event,
  sendJson,
  startAgent,
  started,
  type TestAgent,
  terminal,
} from "../../src/agents/test/agent.ts";

export { type Call, event, started };

export type StandIn = TestAgent & { stop(): Promise<void> };

type Handler = (call: Call) => unknown;

/** A stand-in for all agents of a test's mesh: one server, one handler a task type. */
export async function standIn(handlers: Record<string, Handler>): Promise<StandIn> {
  const agent = await startAgent((call) => {
    if (call.path.startsWith("/health")) return sendJson(call, { status: "ok" });
    const handler = handlers[call.body.task_type];
    return handler ? handler(call) : sendJson(call, {}, 404);
  });
  return { ...agent, stop: agent.close };
}

/** The run requests that a stand-in got for a task. */
export function callsOf(agent: StandIn, task: string): Call[] {
  return agent.calls.filter((call) => call.path.startsWith("/agents/run/") && call.body.task_type === task);
}

/** Begins a stream: headers, `started`, and whatever else is to be sent at once. */
export function begin(call: Call, more = ""): void {
  call.res.writeHead(200, { "content-type": "text/event-stream" });
  call.res.write(started(call) + more);
}

/** Ends a stream that was begun, with outputs. */
export function finish(call: Call, outputs: object = {}, more: object = {}): void {
  call.res.end(event("final", terminal(call, { status: "ok", outputs, ...more })));
}

/** A handler that answers at once, on either endpoint. */
export function answering(outputs: object | ((call: Call) => object), more: object = {}): Handler {
  return (call) => {
    const value = typeof outputs === "function" ? outputs(call) : outputs;
    if (call.path.endsWith("/sync"))
      return sendJson(call, terminal(call, { status: "ok", outputs: value, ...more }));
    begin(call);
    return finish(call, value, more);
  };
}

/** A handler that fails honestly. */
export function failing(code: string, message: string): Handler {
  return (call) => {
    const failure = { status: "error", ok: false, outputs: {}, error: { code, message } };
    if (call.path.endsWith("/sync")) return sendJson(call, terminal(call, failure));
    begin(call);
    return call.res.end(event("final", terminal(call, failure)));
  };
}

/** A handler that begins a stream and leaves it to the test to go on. */
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
      return held.shift() ?? (await new Promise((resolve) => waiting.push(resolve)));
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
