import type { ChatEnd, ChatItem, RunItem } from "./events.ts";

export type JsonObject = { readonly [field: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTextOrAbsent = (value: unknown): boolean => value === undefined || isText(value);

/**
 * A chat event of the wire, with the `type` that tells it apart. What decides how an event is treated is checked; other fields are
 * taken as the gateway sends them.
 */
export function chatEvent(data: JsonObject): ChatItem | undefined {
  if (typeof data.done !== "boolean") return undefined;
  if (!isTextOrAbsent(data.thread_id) || !isTextOrAbsent(data.node)) return undefined;
  if (data.done) return chatEnd(data);
  const { thread_id, token, tool_call, progress } = data;
  if (token !== undefined) return isText(token) ? as({ ...data, type: "token" }) : undefined;
  if (tool_call !== undefined) {
    const whole = isJsonObject(tool_call) && isText(tool_call.name) && isText(tool_call.status);
    return whole ? as({ ...data, type: "tool_call" }) : undefined;
  }
  if (data.seq === 1 && thread_id !== undefined) return as({ ...data, type: "started" });
  if (progress !== undefined) return isJsonObject(progress) ? as({ ...data, type: "progress" }) : undefined;
  return as({ ...data, type: "other" });
}

function chatEnd(data: JsonObject): ChatEnd | undefined {
  const { status, approval, error, code, retryable, message } = data;
  if (!isTextOrAbsent(message)) return undefined;
  if (status === "paused") {
    const names = isJsonObject(approval) && isText(approval.id);
    return names ? as({ ...data, type: "end", status }) : undefined;
  }
  if (error === undefined && code === undefined) {
    return status === undefined || status === "ok" ? as({ ...data, type: "end", status: "ok" }) : undefined;
  }
  if (!isText(error) || !isText(code)) return undefined;
  const outcome = code === "cancelled" ? "cancelled" : "error";
  return as({ ...data, type: "end", status: outcome, retryable: retryable === true });
}

/** Ends, whose fields the client itself reads. */
const END_STATUS: Readonly<Record<string, string>> = {
  run_finished: "ok",
  run_failed: "error",
  run_cancelled: "cancelled",
};

/** An event of a run's log. Types that are not known are passed on. */
export function runEvent(event: JsonObject): RunItem | undefined {
  const { run_id, type, at, data } = event;
  if (!isText(run_id) || !isText(type) || type === "reset" || !isText(at) || !isJsonObject(data))
    return undefined;
  const status = END_STATUS[type];
  if (status !== undefined) {
    if (data.status !== status || !isText(data.message)) return undefined;
    if (type === "run_failed" && !(isText(data.code) && isText(data.error))) return undefined;
  }
  if (type === "run_paused" && !(isJsonObject(data.approval) && isText(data.approval.id))) return undefined;
  return as(event);
}

/** The one place where checked JSON becomes typed: the checks above are what the type rests on. */
function as<T>(event: object): T {
  return event as T;
}
