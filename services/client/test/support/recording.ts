/** A recorded turn: its events on the wire in both dialects, and the events that the client makes of them. */

export const RUN_ID = "run-1";

type Wire = Record<string, unknown> & { seq: number };

export function chatWire(runId = RUN_ID): Wire[] {
  return [
    { seq: 1, done: false, thread_id: runId, model: "rules", progress: { stage: "started", intent: "plan" } },
    {
      seq: 2,
      done: false,
      node: "a",
      tool_call: { name: "echo", agent: "e", status: "started", attempt: 1 },
    },
    { seq: 3, done: false, node: "a", progress: { done: 1, of: 2 } },
    { seq: 4, done: false, node: "a", token: "grüße 🙂\n\n" },
    { seq: 5, done: false, node: "a", tool_call: { name: "echo", agent: "e", status: "ok", duration_ms: 3 } },
    { seq: 6, thread_id: runId, model: "rules", tools_used: ["echo"], message: "Fertig – ✓", done: true },
  ];
}

/** The events that the client yields for `chatWire`. */
export function chatEvents(runId = RUN_ID): Wire[] {
  const types = ["started", "tool_call", "progress", "token", "tool_call", "end"];
  return chatWire(runId).map((event, index) => ({
    ...event,
    type: types[index],
    ...(event.done === true ? { status: "ok" } : {}),
  }));
}

export function runWire(runId = RUN_ID): Wire[] {
  const at = "2026-01-02T03:04:05.000Z";
  const event = (seq: number, type: string, data: object, node?: string): Wire => ({
    run_id: runId,
    seq,
    type,
    ...(node === undefined ? {} : { node }),
    at,
    data,
  });
  return [
    event(1, "run_started", { session_id: "s", intent: "plan", model: "rules" }),
    event(2, "step_started", { agent: "e", task_type: "ECHO", attempt: 1 }, "a"),
    event(3, "token", { text: "grüße 🙂" }, "a"),
    event(4, "run_finished", {
      status: "ok",
      message: "Fertig – ✓",
      tools_used: ["echo"],
      model: "rules",
      warnings: [],
    }),
  ];
}

export function frame(event: Wire, name?: string): string {
  const named = name === undefined ? "" : `event: ${name}\n`;
  return `id: ${event.seq}\n${named}data: ${JSON.stringify(event)}\n\n`;
}

export function chatFrames(runId = RUN_ID): string[] {
  return chatWire(runId).map((event) => frame(event));
}

export function runFrames(runId = RUN_ID): string[] {
  return runWire(runId).map((event) => frame(event, String(event.type)));
}
