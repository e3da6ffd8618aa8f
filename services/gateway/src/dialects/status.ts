import type { StatusEvent } from "@interlock/contracts";
import { decodeEvent, type RunEvent, type StoredEvent, toolName } from "../events/index.ts";
import { JsonText, writeJson } from "../json-text.ts";
import type { Dialect, StreamOf } from "./dialect.ts";
import { largeStep, outputsOf } from "./outputs.ts";
import { progressText, WORKING } from "./progress-text.ts";

/** The events that stand for one of the run's; the last one carries its id. */
type Encoded = readonly [...StatusEvent[], StatusEvent];

/** For clients that show what is going on in words: `status`, `message`, `token` and `tool_call` events with a `type`. */
export const statusDialect: Dialect = {
  open: (stream) => ({ frame: (event, last) => framesOf(event, last, stream) }),
};

function framesOf(event: StoredEvent, last: boolean, { runId, conversationId }: StreamOf): string {
  const encoded =
    event.type === "progress" ? [working("executing", progressText(event.json))] : encode(event, last, runId);
  const more = conversationId === undefined ? {} : { conversation_id: conversationId };
  return encoded
    .map((data, index) => {
      // A reader that has the id has all of the event: one that was cut off before gets all of it again.
      const id = index === encoded.length - 1 ? `id: ${event.seq}\n` : "";
      return `${id}event: ${NAMES[data.type]}\ndata: ${write({ ...data, ...more })}\n\n`;
    })
    .join("");
}

/** The outputs of a tool may be text. */
function write(data: StatusEvent): string {
  return data.type === "tool" && data.result instanceof JsonText
    ? writeJson({ ...data })
    : JSON.stringify(data);
}

/** The line `event` of each type. */
const NAMES = {
  thinking: "status",
  executing: "status",
  warning: "status",
  complete: "status",
  error: "status",
  text: "message",
  token: "token",
  tool: "tool_call",
} as const satisfies Record<StatusEvent["type"], string>;

function encode(stored: StoredEvent, last: boolean, runId: string): Encoded {
  const event = largeStep(stored) ?? decodeEvent(stored.json);
  switch (event.type) {
    case "run_started":
      return [{ type: "thinking", content: "The request is being looked at.", thread_id: runId }];
    case "plan":
      return [working("thinking", `The plan: ${event.data.steps.map(({ id }) => id).join(", ")}.`)];
    case "step_started":
      return [working("executing", `${toolName(event.data.task_type)}: asked ${event.data.agent}.`)];
    case "progress":
      return [working("executing", WORKING)];
    case "token":
      return [{ type: "token", content: event.data.text }];
    case "step_finished": {
      const { task_type, outputs = {} } = event.data;
      return [{ type: "tool", name: toolName(task_type), result: outputs }];
    }
    case "step_failed": {
      const { task_type, code, error } = event.data;
      return [{ type: "tool", name: toolName(task_type), result: null, error: { code, message: error } }];
    }
    case "step_repair": {
      const { round, max_rounds } = event.data;
      return [working("executing", `${event.node}: asked again, round ${round} of ${max_rounds}.`)];
    }
    case "warning":
      return [working("warning", event.data.message)];
    case "approval_decided":
      return [working("executing", `The approval of ${event.node}: ${event.data.decision}.`)];
    case "approval_edited":
      return [working("executing", `The proposal of ${event.node} was changed.`)];
    case "approval_expiring":
      return [working("warning", `The approval of ${event.node} expires soon.`)];
    case "approval_escalated":
      return [working("warning", `The approval of ${event.node} was escalated.`)];
    default:
      return encodeRest(event, last, runId);
  }
}

type Rest = Extract<
  RunEvent,
  { type: "run_paused" | "run_parked" | "run_finished" | "run_failed" | "run_cancelled" }
>;

/** Where the run rests, its stream ends. Where the run has gone on since, the same event is an ordinary one. */
function encodeRest(event: Rest, last: boolean, runId: string): Encoded {
  switch (event.type) {
    case "run_paused": {
      const { message, approval, sample, warnings, ui_hint } = event.data;
      if (!last) return [working("executing", WAITING)];
      const end = {
        type: "complete",
        content: WAITING,
        outcome: "paused",
        approval,
        thread_id: runId,
        ...(sample ? { sample } : {}),
        ...(warnings ? { warnings } : {}),
        ...(ui_hint ? { ui_hint } : {}),
      } as const;
      return [text(message), end];
    }
    case "run_parked": {
      const { message, code } = event.data;
      if (!last) return [working("warning", message)];
      return [failure(message, { code, retryable: false, outcome: "needs_review", thread_id: runId })];
    }
    case "run_finished": {
      const { message, status, warnings, sample, refused, ui_hint } = event.data;
      const end = {
        type: "complete",
        content: contentOf(status, refused),
        outcome: status,
        thread_id: runId,
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(sample ? { sample } : {}),
        ...(refused ? { refused } : {}),
        ...(ui_hint ? { ui_hint } : {}),
        ...outputsOf(event.data),
      } as const;
      return [text(message), end];
    }
    case "run_cancelled": {
      const { message } = event.data;
      return [
        failure(message, { code: "cancelled", retryable: false, outcome: "cancelled", thread_id: runId }),
      ];
    }
    case "run_failed": {
      const { message, code, retryable, agent_code } = event.data;
      const more = agent_code === undefined ? {} : { agent_code };
      return [failure(message, { code, retryable, outcome: "error", thread_id: runId, ...more })];
    }
    default:
      return event satisfies never;
  }
}

const WAITING = "Waiting for approval.";

function working(type: "thinking" | "executing" | "warning", content: string): StatusEvent {
  return { type, content };
}

function text(content: string): StatusEvent {
  return { type: "text", content };
}

type Failure = Extract<StatusEvent, { type: "error" }>;

function failure(content: string, more: Omit<Failure, "type" | "content">): StatusEvent {
  return { type: "error", content, ...more };
}

function contentOf(
  status: "ok" | "rejected",
  refused: Extract<RunEvent, { type: "run_finished" }>["data"]["refused"],
): string {
  if (status === "ok") return "Done.";
  const why = refused ? "it is not what was asked for" : "its approval was not given";
  return `Done; a step was left out, since ${why}.`;
}
