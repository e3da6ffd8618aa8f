import type { Exchange } from "./evidence.ts";
import type { JsonSeen } from "./wire/json-seen.ts";
import { flagOf, type Outcome, safeCodeOf, syncOutcome, terminalOutcome } from "./wire/outcome.ts";
import { isSuccess } from "./wire/read-answer.ts";

export type RunOutcome =
  | { readonly kind: "ok" }
  /** The agent reported the failure as the contract describes. The inputs may be at fault. */
  | { readonly kind: "failed"; readonly how: string; readonly code: string | undefined }
  | { readonly kind: "unknown" };

const UNKNOWN: RunOutcome = { kind: "unknown" };
/** Refusals with other statuses (401, 404, …) are not about the inputs. */
const ABOUT_THE_REQUEST = new Set([400, 422]);

/** How a run ended, on either endpoint. */
export function runOutcome({ reply }: Exchange): RunOutcome {
  if (reply.kind === "none") return UNKNOWN;
  if (isSuccess(reply.status)) {
    if (reply.stream === undefined) return saidOutcome(reply.json, syncOutcome);
    const terminal = reply.stream.terminal?.json;
    return terminal === undefined ? UNKNOWN : saidOutcome(terminal, terminalOutcome);
  }
  const refused = ABOUT_THE_REQUEST.has(reply.status) && flagOf(reply.json, "ok") === false;
  return refused ? failed(`was refused with ${reply.status}`, reply.json) : UNKNOWN;
}

function saidOutcome(said: JsonSeen, outcomeOf: (json: JsonSeen) => Outcome): RunOutcome {
  if (said.root !== "object") return UNKNOWN;
  const outcome = outcomeOf(said);
  if (outcome === "ok") return { kind: "ok" };
  return outcome === "failed" ? failed("failed", said) : UNKNOWN;
}

function failed(how: string, said: JsonSeen): RunOutcome {
  const code = safeCodeOf(said);
  return { kind: "failed", how: code === undefined ? how : `${how} (code ${code})`, code };
}
