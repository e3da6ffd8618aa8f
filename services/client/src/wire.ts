import type { ChatEnd, ChatItem, RunItem } from "./events.ts";

export type JsonObject = { readonly [field: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value);
const isApproval = (value: unknown): boolean => isJsonObject(value) && isText(value.id);

/**
 * A chat event of the wire, with the `type` that tells it apart. What decides how an event is treated is checked; other fields are
 * taken as the gateway sends them.
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

/** An end whose outcome this version does not know is refused: it must not pass for a success. */
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

/** An event of a run's log. Types that are not known are passed on. */
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

/** The one place where checked JSON becomes typed: the checks above are what the type rests on. */
function as<T>(event: object): T {
  return event as T;
}
