import { GatewayError, isErrorCode } from "../errors.ts";
import type { RunEvent } from "../events/index.ts";

type Of<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>["data"];

/** What a run came to, for clients of any protocol. */
export type Outcome =
  | { kind: "answered"; text: string; data: Of<"run_finished"> }
  | {
      kind: "paused";
      text: string;
      approval: Of<"run_paused">["approval"];
      link: string;
      data: Of<"run_paused">;
    }
  | { kind: "failed"; error: GatewayError; cancelled: boolean };

/**
 * @param event with which the run rests
 * @param origin where callers find the gateway
 * @returns undefined for an event after which the run goes on
 */
export function outcomeOf(event: RunEvent, origin: string): Outcome | undefined {
  switch (event.type) {
    case "run_finished":
      return { kind: "answered", text: event.data.message, data: event.data };
    case "run_paused": {
      const { message, approval } = event.data;
      const link = `${origin}/api/v1/approvals/${approval.id}`;
      const text = `${message}\n\nApproval ${approval.id}: ${link}`;
      return { kind: "paused", text, approval, link, data: event.data };
    }
    case "run_failed": {
      const { code, message, retryable, retry_after_s: after } = event.data;
      const headers: Record<string, string> = after === undefined ? {} : { "retry-after": `${after}` };
      return failed(event, { code, message, retryable, headers });
    }
    case "run_parked":
      return failed(event, { ...event.data, retryable: false });
    case "run_cancelled":
      return failed(event, { code: "cancelled", message: event.data.message, retryable: false });
    default:
      return undefined;
  }
}

function failed(
  { type, run_id }: RunEvent,
  said: { code: string; message: string; retryable: boolean; headers?: Record<string, string> },
): Outcome {
  const { code, message, ...more } = said;
  const known = isErrorCode(code) ? code : "interrupted";
  const error = new GatewayError(known, message, {
    retryable: more.retryable,
    headers: { ...more.headers },
    extra: { run_id },
  });
  return { kind: "failed", error, cancelled: type === "run_cancelled" };
}

/** What the reader of a stream is told that is cut off before its run rests. */
export const CUT = new GatewayError("interrupted", "The stream was cut off before the answer was complete.");
