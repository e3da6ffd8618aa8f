import { GatewayError } from "../errors.ts";
import type { Verdict } from "../language/index.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { namesApproval, takingBackIn } from "./withdraw.ts";

/** Control characters other than tabs and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** The guard's inputs from a turn, and its dependencies. */
type Heard = { request: Pick<Turn["request"], "message" | "caller" | "sessionId" | "requestId"> };
type GuardDeps = Pick<TurnDeps, "detectInjection" | "onInjection" | "maxMessageChars" | "route" | "state"> & {
  decisions: Pick<TurnDeps["decisions"], "requests">;
  runs: Pick<TurnDeps["runs"], "draining">;
  sessions: Pick<TurnDeps["sessions"], "said">;
};

/** How many of the user's earlier messages can be part of an attack that is split over messages. */
const EARLIER_TURNS = 4;

/**
 * Refuses a turn before any work is spent on it. It judges what the user says, and nothing else: inputs, documents and answers are data.
 * @throws GatewayError draining; invalid_request for a message that is too long, has control characters or takes too long to read; AGT_004
 */
export function guard(turn: Heard, deps: GuardDeps): "next" | Promise<"next"> {
  if (deps.runs.draining) throw new GatewayError("draining");
  const { message } = turn.request;
  if (message === undefined) return "next";
  refuseMalformed(message, deps.maxMessageChars);
  const verdict = deps.detectInjection(message);
  // A question of the state is whole, and its answer comes from the store alone: nothing that was said before is continued by it.
  if (verdict.openEnded && !deps.state?.isAll(message)) return guardEnd(message, turn, deps);
  return verdict.flagged ? refuseInjection(message, verdict, turn, deps) : "next";
}

/** The message could be the end of what earlier ones began: only then does the guard read the session. */
async function guardEnd(message: string, turn: Heard, deps: GuardDeps): Promise<"next"> {
  const { caller, sessionId } = turn.request;
  const said = await deps.sessions.said(caller, sessionId, EARLIER_TURNS);
  const verdict = said.length > 0 ? deps.detectInjection(message, { earlier: said }) : undefined;
  return verdict?.flagged ? await refuseInjection(message, verdict, turn, deps) : "next";
}

/** @throws GatewayError AGT_004 */
async function refuseInjection(
  message: string,
  { detector = "scorer" }: Verdict,
  turn: Heard,
  deps: GuardDeps,
): Promise<"next"> {
  if (await isWithdrawal(message, turn, deps)) return "next";
  deps.onInjection({ detector, requestId: turn.request.requestId });
  throw new GatewayError("AGT_004");
}

/**
 * Whether a message takes back a request for approval and asks for nothing beside. That attacks nobody, since nothing but the end of the
 * request can follow. "Drop the approval", which could also mean to go on without one, has to have a request that it can be about.
 */
async function isWithdrawal(message: string, { request }: Heard, deps: GuardDeps): Promise<boolean> {
  const taking = takingBackIn(message);
  if (!taking || taking.names.length === 0) return false;
  const beside = message.replace(taking.clause, " ").trim();
  if (deps.route(beside, { plan: false }).kind !== "general" || deps.detectInjection(beside).flagged)
    return false;
  const requests = await deps.decisions.requests(request.caller, request.sessionId);
  if (!namesApproval(taking, requests)) return false;
  return requests.length > 0 || !deps.detectInjection(message).flagged;
}

/** @throws GatewayError invalid_request */
function refuseMalformed(message: string, maxChars: number): void {
  // A message has at least as many UTF-16 units as code points, so most need no counting.
  if (message.length > maxChars && lengthOf(message) > maxChars)
    throw new GatewayError("invalid_request", `The message is longer than ${maxChars} characters.`);
  if (CONTROL.test(message))
    throw new GatewayError("invalid_request", "The message contains control characters.");
  if (MANY_MARKS.test(message))
    throw new GatewayError(
      "invalid_request",
      `The message has more than ${MOST_MARKS} combining marks in a row.`,
    );
  const plain = message.normalize("NFKC");
  // A character beyond the basic plane has two units.
  if (plain.length > 2 * maxChars)
    throw new GatewayError(
      "invalid_request",
      `Written out, the message is longer than ${maxChars} characters.`,
    );
  if (hasMoreNumbers(plain, MOST_NUMBERS))
    throw new GatewayError(
      "invalid_request",
      `The message has more than ${MOST_NUMBERS} numbers: tables are sent as inputs.`,
    );
}

/** As in Unicode's stream-safe text (UAX #15): to put marks in order takes the square of their number. */
const MOST_MARKS = 30;
const MANY_MARKS = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, "u");

/** Each number of a message may bound or change anything that is said around it, so that reading many takes long. */
const MOST_NUMBERS = 500;

function hasMoreNumbers(text: string, most: number): boolean {
  let count = 0;
  for (const _ of text.matchAll(/\p{N}+/gu)) if (++count > most) return true;
  return false;
}

/** In code points. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
