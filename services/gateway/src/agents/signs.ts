import type { Permit } from "../breaker.ts";
import type { LoadSign } from "./admission.ts";
import type { Failure, Outcome } from "./outcome.ts";
import type { UpstreamError } from "./upstream-error.ts";

/** Failed runs and refusals prove that the agent works. Cancellations and the caller's own timeouts prove nothing. */
export function healthSign(outcome: Outcome, shortened: boolean): Parameters<Permit["end"]>[0] {
  if (outcome.ok || provesHealth(outcome.error)) return "ok";
  return provesFault(outcome, shortened) ? "failed" : "unknown";
}

/** What the end of a request says about the agent's load. Only a successful one took as long as the task takes. */
export function loadSign(outcome: Outcome, shortened: boolean): LoadSign {
  if (outcome.ok) return "answered";
  const { code, reason } = outcome.error;
  const late = code === "upstream_timeout" && !shortened;
  return late || reason === "http_429" ? "overloaded" : "none";
}

function provesHealth({ code, agentCode }: UpstreamError): boolean {
  if (code === "upstream_failed" || code === "upstream_refused") return true;
  return code === "upstream_timeout" && agentCode !== undefined;
}

function provesFault({ error, retry }: Failure, shortened: boolean): boolean {
  const { code, reason, agentCode, stalled } = error;
  // The process was stalled: only an invalid answer counts against the agent.
  if (stalled) return code === "upstream_invalid" && reason !== "stalled";
  switch (code) {
    case "upstream_timeout":
      return !(shortened && reason === "deadline");
    case "upstream_overloaded":
      // One draining replica says nothing about the others.
      return reason !== "http_429" && agentCode !== "UNAVAILABLE";
    case "upstream_unavailable":
      // One lost replica breaks many streams at once: count it once, by whether the next request gets through.
      if (reason === "connection_lost" && retry === "never") return false;
      return reason !== "client_closed";
    default:
      return code === "upstream_invalid";
  }
}
