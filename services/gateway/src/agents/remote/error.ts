import { ERRORS, type ErrorCode, GatewayError } from "../../errors.ts";
import type { Defect } from "../defect.ts";
import { transportFailure } from "../outcome.ts";

export type RemoteErrorFields = {
  /** Stable, for programs and logs. Never a value from the wire. */
  reason: string;
  /** Whether the same request may succeed in a while. */
  passing: boolean;
  /** Whether the remote gateway may have taken the request. */
  sent: boolean;
  message?: string | undefined;
  retryAfterS?: number | undefined;
  headers?: Record<string, string>;
  extra?: Record<string, unknown>;
  cause?: unknown;
};

/** Why another gateway did not do what it was asked. */
export class RemoteError extends GatewayError {
  readonly reason: string;
  readonly passing: boolean;
  readonly sent: boolean;
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, fields: RemoteErrorFields) {
    const { reason, passing, sent, message = MESSAGES[code], retryAfterS, headers = {}, extra } = fields;
    const retry: Record<string, string> =
      retryAfterS === undefined ? {} : { "retry-after": `${retryAfterS}` };
    super(code, message, {
      headers: { ...retry, ...headers },
      ...(extra ? { extra } : {}),
      cause: fields.cause,
    });
    this.name = "RemoteError";
    this.reason = reason;
    this.passing = passing;
    this.sent = sent;
    this.retryAfterS = retryAfterS;
  }
}

/** The messages in the table of errors name agents, so remote failures need their own. */
const MESSAGES: Partial<Record<ErrorCode, string>> = {
  upstream_unavailable: "The remote gateway is not available.",
  upstream_timeout: "The remote gateway did not answer in time.",
  upstream_failed: "The remote gateway failed.",
  upstream_refused: "The remote gateway refused the request.",
};

/** Reasons for which a later attempt fails as well. */
const LASTING = new Set(["egress_refused", "client_closed", "invalid_request", "bad_http"]);

/** Reasons for which a request was never sent. */
const UNSENT = new Set([
  "connection_refused",
  "unknown_host",
  "connect_timeout",
  "proxy_failed",
  "egress_refused",
  "client_closed",
  "invalid_request",
]);

/** The connection could not be made, or was lost. */
export function lostRemote(remote: string, cause: unknown): RemoteError {
  const { error } = transportFailure(remote, cause, { sent: true, sawEvent: false });
  const { code, reason } = error;
  const fields = { reason, passing: !LASTING.has(reason), sent: !UNSENT.has(reason), cause: error };
  // A late answer may still arrive, so the same request may succeed.
  if (reason === "stalled") return new RemoteError("upstream_timeout", fields);
  return code === "upstream_invalid" ? brokenRemote(reason) : new RemoteError(code, fields);
}

export function defectOfRemote({ reason, place }: Defect): RemoteError {
  return brokenRemote(place ? `${reason} at ${place}` : reason);
}

/** What it sent breaks the contract. */
export function brokenRemote(reason: string): RemoteError {
  const message = `What the remote gateway sent breaks the contract: ${reason}.`;
  return new RemoteError("upstream_invalid", { reason, message, passing: false, sent: true });
}

/** The stream ended before the run came to rest. */
export function truncatedRemote(): RemoteError {
  return new RemoteError("upstream_unavailable", { reason: "stream_truncated", passing: true, sent: true });
}

/** Codes of the other gateway that are passed on unchanged. */
const KEPT: readonly ErrorCode[] = [
  "AGT_001",
  "AGT_004",
  "invalid_request",
  "forbidden",
  "not_found",
  "session_busy",
  "conflict",
  "payload_too_large",
  "idempotency_mismatch",
  "rate_limited",
  "quota_exceeded",
  "overloaded",
  "draining",
  "store_unavailable",
  "outcome_unknown",
  "loop_detected",
];

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "rate_limited",
  503: "upstream_unavailable",
  504: "upstream_timeout",
  508: "loop_detected",
};

/** Members of an error that a caller can do something with. */
const EXTRA = ["winner", "proposal_hash", "allowed_roles", "state"] as const;

const MOST_CHARACTERS = 1_000;
const MOST_WAIT_S = 86_400;

/** @param said the body of the answer, parsed; undefined where it was none */
export function refusedByRemote(
  status: number,
  headers: { retryAfter?: string | undefined; challenge?: string | undefined },
  said: Readonly<Record<string, unknown>> | undefined,
): RemoteError {
  const code = codeOf(status, headers.challenge, said?.code);
  const { error } = said ?? {};
  const honest = typeof error === "string" && said?.code === code;
  const seconds = /^\d{1,9}$/.test(headers.retryAfter ?? "") ? Number(headers.retryAfter) : undefined;
  const limited = status === 429;
  return new RemoteError(code, {
    reason: `http_${status}`,
    message: honest ? error.slice(0, MOST_CHARACTERS).replace(/\p{Cc}+/gu, " ") : undefined,
    // Over a rate limit: fail at once instead of retrying.
    passing:
      !limited && (status >= 500 ? status !== 508 && code !== "upstream_failed" : ERRORS[code].retryable),
    sent: [500, 502, 504].includes(status) || code === "outcome_unknown",
    retryAfterS: seconds === undefined ? undefined : Math.min(seconds, MOST_WAIT_S),
    ...(code === "unauthorized" && headers.challenge
      ? { headers: { "www-authenticate": headers.challenge } }
      : {}),
    extra: Object.fromEntries(EXTRA.flatMap((name) => (said && name in said ? [[name, said[name]]] : []))),
  });
}

function codeOf(status: number, challenge: string | undefined, code: unknown): ErrorCode {
  // The caller can prove again who they are. Any other 401 is between the gateways.
  if (status === 401)
    return challenge?.includes('"insufficient_user_authentication"') ? "unauthorized" : "upstream_refused";
  const kept = KEPT.find((one) => one === code && ERRORS[one].status === status);
  if (kept) return kept;
  return (
    BY_STATUS[status] ??
    (status < 500 ? "upstream_refused" : status === 502 ? "upstream_unavailable" : "upstream_failed")
  );
}
