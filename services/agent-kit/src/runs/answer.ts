import type { AgentError, Grounding, RunFailure, RunSuccess, Usage } from "@interlock/contracts";
import { AGENT_ERRORS, agentErrorKind } from "@interlock/contracts";
import { TaskError, toAgentError } from "../errors.ts";

/**
 * The serialised result of a run: the body of a sync answer, and the data of the terminal event. `rest` is that JSON
 * without `request_id`, which differs between a request and its repeat.
 */
export type Outcome = { readonly ok: boolean; readonly code: string; readonly rest: string };

/** What a task adds to its outputs. */
export type Notes = {
  readonly warnings: string[];
  readonly artifacts: string[];
  readonly provenance: Record<string, unknown>;
  usage: Usage | undefined;
  grounding: Grounding | undefined;
};

/** Upper bound for `request_id`, with every character escaped. */
const REQUEST_ID_BYTES = 1600;

export function answerText(requestId: string, outcome: Outcome): string {
  return `{"request_id":${JSON.stringify(requestId)},${outcome.rest}`;
}

export function outcomeOf(stored: string): Outcome {
  return JSON.parse(stored);
}

/** Whether a repeated request gets this outcome again. A failure that is worth retrying is not stored. */
export function isLasting(outcome: Outcome): boolean {
  return outcome.ok || !agentErrorKind(outcome.code).retryable;
}

function withoutBrace(payload: object): string {
  return JSON.stringify(payload).slice(1);
}

/** A UTF-16 unit takes at most three bytes of UTF-8, so most texts need not be measured. */
export function isLongerThan(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && Buffer.byteLength(text) > bytes);
}

function notesOf(
  notes: Notes,
): Pick<RunSuccess, "warnings" | "provenance" | "artifacts" | "usage" | "grounding"> {
  return {
    warnings: notes.warnings,
    provenance: notes.provenance,
    ...(notes.artifacts.length > 0 ? { artifacts: notes.artifacts } : {}),
    ...(notes.usage === undefined ? {} : { usage: notes.usage }),
    ...(notes.grounding === undefined ? {} : { grounding: notes.grounding }),
  };
}

export type Frame = {
  readonly taskType: string;
  readonly maxBytes: number;
};

function failurePayload(taskType: string, error: AgentError, notes?: Notes): Omit<RunFailure, "request_id"> {
  return {
    task_type: taskType,
    status: "error",
    ok: false,
    outputs: {},
    ...(notes === undefined ? { warnings: [] } : notesOf(notes)),
    error,
  };
}

/** A failure that is too large loses its notes and details. */
export function failure(frame: Frame, error: TaskError, notes?: Notes): Outcome {
  const rest = textOrNothing(failurePayload(frame.taskType, toAgentError(error), notes));
  if (rest !== undefined && !isLongerThan(rest, frame.maxBytes - REQUEST_ID_BYTES)) {
    return { ok: false, code: error.code, rest };
  }
  const message = AGENT_ERRORS.OUTPUT_TOO_LARGE.message;
  const short = failurePayload(frame.taskType, { code: error.code, message });
  return { ok: false, code: error.code, rest: withoutBrace(short) };
}

/** Undefined for a value that JSON cannot represent, such as a cycle or a bigint. */
function textOrNothing(payload: object): string | undefined {
  try {
    return withoutBrace(payload);
  } catch {
    return undefined;
  }
}

export function success(frame: Frame, outputs: object, notes: Notes): Outcome {
  const rest = textOrNothing({
    task_type: frame.taskType,
    status: "ok",
    ok: true,
    outputs,
    ...notesOf(notes),
  });
  if (rest === undefined) return failure(frame, plainError("INVALID_OUTPUTS"));
  if (isLongerThan(rest, frame.maxBytes - REQUEST_ID_BYTES)) {
    return failure(frame, plainError("OUTPUT_TOO_LARGE"));
  }
  return { ok: true, code: "OK", rest };
}

/** The shared error of that code, with its default message. */
export function plainError(code: keyof typeof AGENT_ERRORS): TaskError {
  return new TaskError(code, AGENT_ERRORS[code].message);
}
