import { type AgentError, agentErrorKind, type Usage } from "@interlock/contracts";
import type { Defect } from "./defect.ts";
import type { AgentAnswer } from "./types.ts";
import { type UpstreamCode, UpstreamError } from "./upstream-error.ts";

/**
 * Whether the request may be sent again. `keyed`: only with an idempotency key, because the agent may have started
 * the run.
 */
export type Retry = "never" | "keyed" | "always";

export type Failure = { ok: false; error: UpstreamError; retry: Retry };

/** The result of one attempt. */
export type Outcome = { ok: true; answer: AgentAnswer } | Failure;

export function failure(agent: string, code: UpstreamCode, reason: string, retry: Retry = "never"): Failure {
  return {
    ok: false,
    error: new UpstreamError({ code, reason, agent }),
    retry,
  };
}

export function defective(agent: string, { reason, place }: Defect): Failure {
  return {
    ok: false,
    error: new UpstreamError({
      code: "upstream_invalid",
      reason,
      place,
      agent,
      message:
        place === undefined
          ? `The agent's answer breaks its contract: ${reason}.`
          : `The agent's answer breaks its contract: ${reason} at ${place === "" ? "/" : place}.`,
    }),
    retry: "never",
  };
}

/** The agent reported that the run failed. `said` is its error, if that has the contract's form. */
export function agentFailure(agent: string, said: AgentError | undefined, usage?: Usage): Failure {
  // The agent's timeout and ours may fire in either order; report the same error either way.
  const late = said?.code === "DEADLINE_EXCEEDED";
  const kind = said && agentErrorKind(said.code);
  const error = new UpstreamError({
    code: late ? "upstream_timeout" : "upstream_failed",
    reason: late ? "deadline" : "agent_error",
    retryable: kind?.retryable,
    agent,
    agentCode: said?.code,
    message: said?.message,
    callerStatus: kind?.caller ? kind.status : undefined,
    usage,
  });
  return { ok: false, error, retry: "never" };
}

export type ExchangeProgress = {
  /** The request was sent, at least in part. */
  sent: boolean;
  /** At least one event has arrived. */
  sawEvent: boolean;
};

/** Maps an error of the HTTP client to a failure. Codes that are not in the table mean a lost connection. */
export function transportFailure(agent: string, cause: unknown, progress: ExchangeProgress): Failure {
  const code = errorCode(cause);
  const meaning = MEANINGS.get(code) ?? (isProtocolError(cause) ? badHttp : lost(progress));
  const retry = !progress.sent ? "always" : progress.sawEvent ? "never" : "keyed";
  return {
    ok: false,
    error: new UpstreamError({
      code: meaning.code,
      reason: meaning.reason,
      retryable: meaning.retryable,
      agent,
      cause: code,
    }),
    retry: meaning.retry ?? retry,
  };
}

type Meaning = { code: UpstreamCode; reason: string; retry?: Retry; retryable?: boolean };

function unreachable(reason: string): Meaning {
  return { code: "upstream_unavailable", reason };
}
function lost({ sent }: ExchangeProgress): Meaning {
  return unreachable(sent ? "connection_lost" : "connect_failed");
}

/** The client's parser errors have no code. An answer that merely ends early ("EOF") is a lost connection. */
function isProtocolError(cause: unknown): boolean {
  return Error.isError(cause) && cause.name === "HTTPParserError" && !cause.message.includes("EOF");
}

const badHttp: Meaning = { code: "upstream_invalid", reason: "bad_http", retry: "never" };

const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["ECONNREFUSED", unreachable("connection_refused")],
  ["ENOTFOUND", unreachable("unknown_host")],
  ["EAI_AGAIN", unreachable("unknown_host")],
  ["EGRESS_PROXY", unreachable("proxy_failed")],
  ["EGRESS_REFUSED", { code: "upstream_unavailable", reason: "egress_refused", retry: "never" }],
  ["UND_ERR_CONNECT_TIMEOUT", unreachable("connect_timeout")],
  ["UND_ERR_CLOSED", { code: "upstream_unavailable", reason: "client_closed", retry: "never" }],
  ["UND_ERR_DESTROYED", { code: "upstream_unavailable", reason: "client_closed", retry: "never" }],
  ["UND_ERR_INVALID_ARG", { code: "upstream_unavailable", reason: "invalid_request", retry: "never" }],
  ["UND_ERR_HEADERS_TIMEOUT", { code: "upstream_timeout", reason: "headers_timeout", retry: "never" }],
  // Agents send comments while silent, so silence breaks the contract. A dead connection looks the same: retrying may help.
  ["UND_ERR_BODY_TIMEOUT", { code: "upstream_invalid", reason: "stalled", retry: "never", retryable: true }],
  ["UND_ERR_HEADERS_OVERFLOW", badHttp],
]);

/** Keeps only the code: error objects of the client hold raw bytes of the answer. */
function errorCode(cause: unknown): string {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : "unknown";
}
