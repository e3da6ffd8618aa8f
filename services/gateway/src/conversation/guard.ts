import { GatewayError } from "../errors.ts";
import type { Verdict } from "../language/index.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";

/** Control characters but for tab and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** What the guard reads of a turn and uses of the gateway. */
type Heard = { request: Pick<Turn["request"], "message" | "caller" | "sessionId" | "requestId"> };
type GuardDeps = Pick<TurnDeps, "detectInjection" | "onInjection" | "maxMessageChars"> & {
  runs: Pick<TurnDeps["runs"], "draining">;
  sessions: Pick<TurnDeps["sessions"], "said">;
};

/** What the user said before, and how much of it can matter to an attack that is split over messages. */
const EARLIER_TURNS = 4;

/**
 * Refuses a turn before any work is spent on it. It judges what the user says, and nothing else: inputs, documents and answers are data.
 * @throws GatewayError draining; invalid_request for a message that is too long or has control characters; AGT_004
 */
export function guard(turn: Heard, deps: GuardDeps): "next" | Promise<"next"> {
  if (deps.runs.draining) throw new GatewayError("draining");
  const { message } = turn.request;
  if (message === undefined) return "next";
  refuseMalformed(message, deps.maxMessageChars);
  const verdict = deps.detectInjection(message);
  if (verdict.openEnded) return guardEnd(message, turn, deps);
  refuseInjection(verdict, turn, deps);
  return "next";
}

/** The message could be the end of what earlier ones began: only then does the guard read the session. */
async function guardEnd(message: string, turn: Heard, deps: GuardDeps): Promise<"next"> {
  const { caller, sessionId } = turn.request;
  const said = await deps.sessions.said(caller, sessionId, EARLIER_TURNS);
  if (said.length > 0) refuseInjection(deps.detectInjection(message, { earlier: said }), turn, deps);
  return "next";
}

/** @throws GatewayError AGT_004 */
function refuseInjection({ flagged, detector = "scorer" }: Verdict, turn: Heard, deps: GuardDeps): void {
  if (!flagged) return;
  deps.onInjection({ detector, requestId: turn.request.requestId });
  throw new GatewayError("AGT_004");
}

/** @throws GatewayError invalid_request */
function refuseMalformed(message: string, maxChars: number): void {
  // A message has at least as many UTF-16 units as code points, so most need no counting.
  if (message.length > maxChars && lengthOf(message) > maxChars)
    throw new GatewayError("invalid_request", `The message is longer than ${maxChars} characters.`);
  if (CONTROL.test(message))
    throw new GatewayError("invalid_request", "The message contains control characters.");
}

/** In code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
