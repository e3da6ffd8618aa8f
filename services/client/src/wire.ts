import type { ChatEnd, ChatItem, RunItem, StatusItem } from "./events.ts";

export type JsonObject = { readonly [field: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isApproval(value: unknown): boolean {
  return isJsonObject(value) && isText(value.id);
}

/**
 * Adds `type`, the discriminator, to a chat event of the wire. Checks the fields that the client relies on
 * and keeps all others as the gateway sent them. Returns undefined for an invalid event.
 */
export function chatEvent(data: JsonObject): ChatItem | undefined {
  const { done, seq, thread_id, node, token, tool_call, progress, status } = data;
  if (typeof done !== "boolean" || !isTextOrAbsent(thread_id) || !isTextOrAbsent(node)) return undefined;
  if (done) return chatEnd(data);
  if (token !== undefined) return isText(token) ? as({ ...data, type: "token" }) : undefined;
  if (tool_call !== undefined) {
    const whole = isJsonObject(tool_call) && isText(tool_call.name) && isText(tool_call.status);
    return whole ? as({ ...data, type: "tool_call" }) : undefined;
  }
  if (seq === 1 && thread_id !== undefined) return as({ ...data, type: "started" });
  if (progress !== undefined) return as({ ...data, type: "progress" });
  if (status === "paused" || status === "needs_review") return as({ ...data, type: "rest" });
  return as({ ...data, type: "other" });
}

/** Rejects a last event with an unknown outcome, because callers would take it for a success. */
function chatEnd(data: JsonObject): ChatEnd | undefined {
  const { status = "ok", approval, error, code, retryable, message } = data;
  if (!isTextOrAbsent(message)) return undefined;
  if (error === undefined && code === undefined) {
    if (status === "paused") return isApproval(approval) ? as({ ...data, type: "end" }) : undefined;
    return status === "ok" || status === "rejected" ? as({ ...data, type: "end", status }) : undefined;
  }
  if (!isText(error) || !isText(code)) return undefined;
  const outcome = code === "cancelled" ? "cancelled" : status === "needs_review" ? status : "error";
  return as({ ...data, type: "end", status: outcome, retryable: retryable === true });
}

const END_STATUS: Readonly<Record<string, readonly string[]>> = {
  run_finished: ["ok", "rejected"],
  run_failed: ["error"],
  run_cancelled: ["cancelled"],
  run_paused: ["paused"],
  run_parked: ["needs_review"],
};

/** An event of a run's log, or undefined if it is invalid. Events of unknown types are passed on. */
export function runEvent(event: JsonObject): RunItem | undefined {
  const { run_id, type, at, data } = event;
  if (!isText(run_id) || !isText(type) || !isText(at)) return undefined;
  if (type === "progress" && data !== undefined) return as(event);
  if (!isJsonObject(data)) return undefined;
  if (type === "reset") return undefined;
  const allowed = Object.hasOwn(END_STATUS, type) ? END_STATUS[type] : undefined;
  if (allowed) {
    if (!isText(data.status) || !allowed.includes(data.status) || !isText(data.message)) return undefined;
    if (type === "run_failed" && !(isText(data.code) && isText(data.error))) return undefined;
    if (type === "run_paused" && !isApproval(data.approval)) return undefined;
    if (type === "run_parked" && !isText(data.code)) return undefined;
  }
  return as(event);
}

/** An event of the status dialect, or undefined if it is invalid. Events of unknown types are passed on. */
export function statusEvent(event: JsonObject): StatusItem | undefined {
  const { type, content, name, thread_id, outcome, code, approval } = event;
  if (!isText(type) || !isTextOrAbsent(thread_id) || type === "reset") return undefined;
  switch (type) {
    case "tool":
      return isText(name) ? as(event) : undefined;
    case "complete": {
      const known =
        outcome === "ok" || outcome === "rejected" || (outcome === "paused" && isApproval(approval));
      return known && isText(content) ? as(event) : undefined;
    }
    case "error": {
      const known = outcome === "error" || outcome === "cancelled" || outcome === "needs_review";
      return known && isText(content) && isText(code)
        ? as({ ...event, retryable: event.retryable === true })
        : undefined;
    }
    case "thinking":
    case "executing":
    case "warning":
    case "text":
    case "token":
      return isText(content) ? as(event) : undefined;
    default:
      return as(event);
  }
}

/** The only cast from checked JSON to a type. The checks above make it safe. */
function as<T>(event: object): T {
  return event as T;
}
