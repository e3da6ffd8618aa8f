import { RunFailedError } from "./errors.ts";
import type { ChatItem, ChatResult, RunCancelled, RunFailed, RunItem, RunResult } from "./events.ts";
import { chatEvent, type JsonObject, runEvent } from "./wire.ts";

/** Where a stream stands after an event. A paused run may go on, in this stream or in one of later. */
export type Phase = "open" | "paused" | "over";

/** How a run's events are read from one encoding. */
export type Dialect<E, R> = {
  readonly name: "chat" | "run";
  /** The event, or undefined where the object is none. */
  readonly read: (data: JsonObject) => E | undefined;
  readonly phase: (event: E) => Phase;
  /** The run that the event says it belongs to, where it says so. */
  readonly runId: (event: E) => string | undefined;
  /** What an event that ends the stream makes of it; undefined for any other. Throws RunFailedError. */
  readonly result: (event: E) => R | undefined;
};

export const chatDialect: Dialect<ChatItem, ChatResult> = {
  name: "chat",
  read: chatEvent,
  phase: (event) => {
    if (event.type !== "end") return "open";
    return event.status === "paused" ? "paused" : "over";
  },
  runId: (event) => event.thread_id,
  result: (event) => {
    if (event.type !== "end") return undefined;
    if (event.status === "ok" || event.status === "paused") return event;
    const { status: outcome, code, error, retryable, node, thread_id: runId } = event;
    throw new RunFailedError(code, error, { outcome, retryable, runId, node });
  },
};

export const runDialect: Dialect<RunItem, RunResult> = {
  name: "run",
  read: runEvent,
  phase: (event) => {
    switch (event.type) {
      case "run_finished":
      case "run_failed":
      case "run_cancelled":
        return "over";
      case "run_paused":
        return "paused";
      default:
        return "open";
    }
  },
  runId: (event) => event.run_id,
  result: (event) => {
    switch (event.type) {
      case "run_finished":
      case "run_paused":
        return event;
      case "run_failed":
      case "run_cancelled":
        throw runFailure(event);
      default:
        return undefined;
    }
  },
};

function runFailure(event: RunFailed | RunCancelled): RunFailedError {
  const { run_id: runId, data } = event;
  if (data.status === "cancelled")
    return new RunFailedError("cancelled", data.message, { outcome: "cancelled", retryable: false, runId });
  const { code, error, retryable, node } = data;
  return new RunFailedError(code, error, { outcome: "error", retryable: retryable === true, runId, node });
}
