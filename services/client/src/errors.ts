/** Codes of errors that the client raises itself. Errors of the gateway carry the gateway's codes. */
export type ClientErrorCode =
  | "aborted"
  | "timeout"
  | "connection_failed"
  | "http_error"
  | "response_invalid"
  | "invalid_argument"
  | "stream_consumed"
  | "stream_truncated"
  | "stream_gap"
  | "stream_invalid";

/** Any code. The client's codes are listed for completion; the gateway may add codes at any time. */
export type ErrorCode = ClientErrorCode | (string & {});

export type ErrorFacts = {
  retryable?: boolean;
  status?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
};

/** Base class of all errors of this package. `code` is stable; the message is for people and may change. */
export class InterlockError extends Error {
  override readonly name: string = "InterlockError";
  readonly code: ErrorCode;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** The HTTP status, if an answer was received. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.retryable = facts.retryable ?? false;
    this.status = facts.status;
    this.requestId = facts.requestId;
  }
}

/** The gateway, or a proxy in front of it, answered with an error status. */
export class ApiError extends InterlockError {
  override readonly name: string = "ApiError";
  /**
   * Fields of the error body besides `error`, `code`,
   * `retryable` and `request_id`, e.g. the winner of a conflict.
   */
  readonly details: Readonly<Record<string, unknown>>;
  /** `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    facts: ErrorFacts & {
      status: number;
      details?: Readonly<Record<string, unknown>>;
      retryAfterMs?: number | undefined;
    },
  ) {
    super(code, message, facts);
    this.details = facts.details ?? {};
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The connection failed or timed out before an answer came. The request may or may not have taken effect. */
export class ConnectionError extends InterlockError {
  override readonly name: string = "ConnectionError";

  constructor(code: "connection_failed" | "timeout", message: string, cause?: unknown) {
    super(code, message, { retryable: true, cause });
  }
}

/** The caller aborted the operation. `cause` is the signal's reason. */
export class AbortedError extends InterlockError {
  // Code that handles aborts checks for this name, as fetch uses it.
  override readonly name: string = "AbortError";

  constructor(cause?: unknown) {
    super("aborted", "The operation was aborted.", { cause });
  }
}

/** A run's events could not be read to the end of its log. */
export class StreamError extends InterlockError {
  override readonly name: string = "StreamError";
  readonly runId: string | undefined;
  /** Seq of the last event that was read: `runs.events(runId, { after: lastSeq })` continues from there. */
  readonly lastSeq: number;

  constructor(code: ErrorCode, message: string, place: StreamPlace, facts: ErrorFacts = {}) {
    super(code, message, facts);
    this.runId = place.runId;
    this.lastSeq = place.seq;
  }
}

/** How far a stream has been read: the run, once known, and the seq of the last event. */
export type StreamPlace = { readonly runId: string | undefined; readonly seq: number };

/** The stream ended without its last event, and reconnecting failed. */
export class StreamTruncatedError extends StreamError {
  override readonly name: string = "StreamTruncatedError";

  constructor(message: string, place: StreamPlace, cause?: unknown) {
    const retryable = cause instanceof InterlockError ? cause.retryable : true;
    const { status, requestId } = cause instanceof InterlockError ? cause : {};
    super("stream_truncated", message, place, { retryable, status, requestId, cause });
  }
}

/** An event is missing, and reconnecting did not deliver it. */
export class StreamGapError extends StreamError {
  override readonly name: string = "StreamGapError";

  constructor(place: StreamPlace) {
    super("stream_gap", `Event ${place.seq + 1} is missing.`, place, { retryable: true });
  }
}

export type StreamDefect =
  | "not_an_event_stream"
  | "not_utf8"
  | "not_json"
  | "bad_event"
  | "event_too_large"
  | "foreign_run"
  | "event_after_end";

/** The stream violated the protocol in a way that reconnecting cannot repair. */
export class StreamInvalidError extends StreamError {
  override readonly name: string = "StreamInvalidError";
  readonly reason: StreamDefect;

  constructor(reason: StreamDefect, place: StreamPlace, cause?: unknown) {
    super("stream_invalid", DEFECTS[reason], place, { cause });
    this.reason = reason;
  }
}

const DEFECTS: Readonly<Record<StreamDefect, string>> = {
  not_an_event_stream: "The answer is not an event stream.",
  not_utf8: "The stream is not UTF-8.",
  not_json: "An event does not hold a JSON object.",
  bad_event: "An event does not have the form of its dialect.",
  event_too_large: "An event is larger than is allowed.",
  foreign_run: "An event belongs to another run.",
  event_after_end: "An event came after the last one.",
};

/** The run failed, was cancelled or needs review. The stream itself was read to its end. */
export class RunFailedError extends InterlockError {
  override readonly name: string = "RunFailedError";
  readonly outcome: "error" | "cancelled" | "needs_review";
  readonly runId: string | undefined;
  /** The step that failed. */
  readonly node: string | undefined;

  constructor(
    code: string,
    message: string,
    facts: {
      outcome: "error" | "cancelled" | "needs_review";
      retryable: boolean;
      runId: string | undefined;
      node?: string | undefined;
    },
  ) {
    super(code, message, facts);
    this.outcome = facts.outcome;
    this.runId = facts.runId;
    this.node = facts.node;
  }
}
