import type { ChatEvent } from "@interlock/contracts";
import { decodeEvent, type RunEvent, type StoredEvent, splitEvent, toolName } from "../events/index.ts";
import { JsonText, writeJson } from "../json-text.ts";
import type { Dialect, Encoder } from "./dialect.ts";
import { largeStep, outputsOf } from "./outputs.ts";

/**
 * What a chat client sees of an event. `message` and `done: true` come once, last. A run that rests (paused, or left for a person) ends
 * its stream likewise, with its `status`; when the run has gone on, the same event is an ordinary one, `done: false`.
 */
export function toChatEvent(event: RunEvent): ChatEvent {
  const { seq } = event;
  switch (event.type) {
    case "run_started":
      return {
        seq,
        done: false,
        thread_id: event.run_id,
        model: event.data.model,
        progress: { stage: "started", intent: event.data.intent },
      };
    case "plan":
      return { seq, done: false, progress: { stage: "plan", ...event.data } };
    case "step_started": {
      const { task_type, agent, attempt } = event.data;
      const call = { name: toolName(task_type), agent, status: "started" as const, attempt };
      return { seq, done: false, node: event.node, tool_call: call };
    }
    case "progress":
      return { seq, done: false, node: event.node, progress: event.data };
    case "token":
      return { seq, done: false, node: event.node, token: event.data.text };
    case "step_finished": {
      const { task_type, ...rest } = event.data;
      return { seq, done: false, node: event.node, tool_call: { name: toolName(task_type), ...rest } };
    }
    case "step_failed": {
      const { task_type, agent, status, code, error } = event.data;
      return {
        seq,
        done: false,
        node: event.node,
        tool_call: { name: toolName(task_type), agent, status, code, error },
      };
    }
    case "step_repair":
      return { seq, done: false, node: event.node, progress: { stage: "repair", ...event.data } };
    case "warning":
      return { seq, done: false, progress: { stage: "warning", ...event.data } };
    case "approval_decided":
    case "approval_edited":
    case "approval_expiring":
    case "approval_escalated":
      return { seq, done: false, node: event.node, progress: { stage: event.type, ...event.data } };
    case "run_paused": {
      const { run_id: thread_id, node, data } = event;
      const { message, status, approval, model, sample, warnings, ui_hint } = data;
      const more = {
        ...(sample ? { sample } : {}),
        ...(warnings ? { warnings } : {}),
        ...(ui_hint ? { ui_hint } : {}),
      };
      return { seq, thread_id, model, node, message, approval, status, ...more, done: true };
    }
    case "run_parked": {
      const { message, status, code } = event.data;
      return {
        seq,
        thread_id: event.run_id,
        message,
        status,
        error: message,
        code,
        retryable: false,
        done: true,
      };
    }
    case "run_finished":
    case "run_cancelled":
    case "run_failed":
      return toChatEnd(event);
    default:
      return event satisfies never;
  }
}

function toChatEnd(
  event: Extract<RunEvent, { type: "run_finished" | "run_failed" | "run_cancelled" }>,
): ChatEvent {
  const base = {
    seq: event.seq,
    thread_id: event.run_id,
    model: event.data.model,
    tools_used: event.data.tools_used,
    message: event.data.message,
    status: event.data.status,
    done: true,
  };
  switch (event.type) {
    case "run_finished":
      return {
        ...base,
        ...(event.data.warnings.length > 0 ? { warnings: event.data.warnings } : {}),
        ...(event.data.sample ? { sample: event.data.sample } : {}),
        ...(event.data.refused ? { refused: event.data.refused } : {}),
        ...(event.data.ui_hint ? { ui_hint: event.data.ui_hint } : {}),
        ...outputsOf(event.data),
        ...callsOf(event.data),
      };
    case "run_cancelled":
      return { ...base, error: event.data.message, code: "cancelled", retryable: false };
    case "run_failed": {
      const { error, code, retryable, node, agent_code, retry_after_s, tool_lineage } = event.data;
      return {
        ...base,
        error,
        code,
        retryable,
        ...(node === undefined ? {} : { node }),
        ...(agent_code === undefined ? {} : { agent_code }),
        ...(retry_after_s === undefined ? {} : { retry_after_s }),
        ...(tool_lineage ? { tool_lineage: [...tool_lineage] } : {}),
      };
    }
    default:
      return event satisfies never;
  }
}

const encoder: Encoder = {
  frame: (event: StoredEvent, last: boolean) => `id: ${event.seq}\ndata: ${chatJson(event, last)}\n\n`,
};

/** The default of the chat endpoint. Its events are unnamed, so that an EventSource delivers them as `message` events. */
export const chatDialect: Dialect = { open: () => encoder };

/** Gives what {@link toChatEvent} gives; for the frequent types it copies the log's text instead of parsing it. */
function chatJson(event: StoredEvent, last: boolean): string {
  switch (event.type) {
    case "progress": {
      const { node, data } = splitEvent(event.json);
      return `{"seq":${event.seq},"done":false,"node":${node},"progress":${data}}`;
    }
    case "token": {
      const { node, data } = splitEvent(event.json);
      return `{"seq":${event.seq},"done":false,"node":${node},"token":${data.slice(TEXT.length, -1)}}`;
    }
    default: {
      const large = largeStep(event);
      if (large) return largeCall(toChatEvent(large));
      const chat = toChatEvent(decodeEvent(event.json));
      if (chat.done && !last) chat.done = false;
      return JSON.stringify(chat);
    }
  }
}

/** The outputs of the call are text. */
function largeCall({ tool_call, ...chat }: ChatEvent): string {
  return writeJson({ ...chat, tool_call: new JsonText(writeJson({ ...tool_call })) });
}

/** The beginning of a token's data, which has only this member. */
const TEXT = '{"text":';

/** What a tool-calling agent did. */
function callsOf({
  rounds,
  rounds_exceeded,
  mcps_used,
  tool_lineage,
}: Extract<RunEvent, { type: "run_finished" }>["data"]) {
  return {
    ...(rounds === undefined ? {} : { rounds }),
    ...(rounds_exceeded ? { rounds_exceeded } : {}),
    ...(mcps_used ? { mcps_used: [...mcps_used] } : {}),
    ...(tool_lineage ? { tool_lineage: [...tool_lineage] } : {}),
  };
}
