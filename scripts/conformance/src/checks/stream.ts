import { fail, failIf, notApplicable, notReached, pass } from "../verdict.ts";
import type { Answer, Asked } from "../wire/answer.ts";
import type { JsonSeen } from "../wire/json-seen.ts";
import { kindOf, terminalOutcome, textOf } from "../wire/outcome.ts";
import { isTerminalName } from "../wire/stream-observer.ts";
import { onAnswer, onStatus, onStream, onTerminal } from "./answers.ts";
import { type Check, checkOne, hasContact, NO_CONTACT } from "./check.ts";
import { notAnObject } from "./sync.ts";

const NO_EVENT_IN_BYTES =
  "bytes came, but no event: no line begins with data:, or no empty line ends the event";
const CUT_EVENT = "the stream ended in the middle of an event: no empty line ends the last one";

export const streamChecks: readonly Check[] = [
  onStatus("AC1-STREAM-001", "stream"),
  onAnswer("AC1-STREAM-002", "stream", ({ media, coded }) => {
    if (media !== "events")
      return fail(media === "none" ? "it has no Content-Type" : "its Content-Type is another");
    return failIf(coded ? "it is compressed, though that was not asked for" : undefined);
  }),
  onStream("AC1-STREAM-003", (stream, answer) => {
    if (stream.events > 0) return pass;
    if (!endedByItself(answer)) return notReached("the stream was cut before its first event");
    return fail(stream.pending ? NO_EVENT_IN_BYTES : "the stream ended without an event");
  }),
  onStream("AC1-STREAM-004", (_, { utf8 }) => failIf(utf8 ? undefined : "the bytes are not valid UTF-8")),
  onStream("AC1-STREAM-005", ({ events, notJson, terminal }) => {
    if (events === 0) return notReached("there is no event to judge");
    if (notJson !== undefined) return fail(`the data of event ${notJson} is not one JSON value`);
    const kind = terminal?.json.root ?? "object";
    return failIf(
      kind === "object" ? undefined : `the data of the terminal event is JSON, but its kind is ${kind}`,
    );
  }),
  onStream("AC1-STREAM-006", (stream, answer) => {
    if (stream.terminal !== undefined) return pass;
    if (stream.events === 0 || !endedByItself(answer)) return notReached("no end of the stream was seen");
    if (answer.end === "broken") return fail("the connection broke before a terminal event");
    return fail(stream.pending ? CUT_EVENT : "the stream ended without a terminal event");
  }),
  onStream("AC1-STREAM-007", ({ terminal, after }) => {
    if (terminal === undefined) return notReached("there is no terminal event");
    return failIf(after && isTerminalName(after.name) ? "a second terminal event came" : undefined);
  }),
  onStream("AC1-STREAM-008", ({ terminal, after }) => {
    if (terminal === undefined) return notReached("there is no terminal event");
    return failIf(after && !isTerminalName(after.name) ? "an event came after the terminal one" : undefined);
  }),
  onTerminal("AC1-STREAM-009", (json, { requestId }) => failIf(notEchoed(json, "request_id", requestId))),
  onTerminal("AC1-STREAM-010", (json, { taskType }) => failIf(notEchoed(json, "task_type", taskType))),
  onTerminal("AC1-STREAM-011", (json) => {
    const kind = kindOf(json, "status");
    if (kind !== "string") return fail(kind === "absent" ? "there is no status" : "status is not a string");
    return failIf(textOf(json, "status")?.trim() === "" ? "status is empty" : undefined);
  }),
  onTerminal("AC1-STREAM-012", (json) => {
    if (kindOf(json, "status") !== "string") return notReached("there is no status to judge");
    return failIf(
      terminalOutcome(json) === "unclear"
        ? "neither status nor ok nor success says whether the run succeeded"
        : undefined,
    );
  }),
  onTerminal("AC1-STREAM-013", (json) =>
    failIf(
      terminalOutcome(json) === "contradiction" ? "status, ok and success contradict each other" : undefined,
    ),
  ),
  onTerminal("AC1-STREAM-014", (json) => {
    if (kindOf(json, "data") === "object") return pass;
    return failIf(notAnObject("outputs (or data)", kindOf(json, "outputs")));
  }),
  onStream("AC1-STREAM-015", ({ largestBytes }, { end }, { eventBytes }) =>
    failIf(
      end === "size" || largestBytes > eventBytes
        ? `an event, or a line, is larger than ${eventBytes} bytes; the rest was not read`
        : undefined,
    ),
  ),
  checkOne("AC1-STREAM-016", "stream", ({ reply }, evidence) => {
    if (!hasContact(evidence)) return notReached(NO_CONTACT);
    if (reply.kind === "none")
      return reply.why === "time" ? fail("no answer came in time") : notReached(reply.words);
    if (reply.stream === undefined) return notReached("there is no stream to judge");
    if (reply.end === "endless") return fail("the stream goes on and on; the rest was not read");
    return failIf(reply.end === "time" ? "no terminal event came in time" : undefined);
  }),
  onStream("AC1-STREAM-017", ({ first, started }, _answer, _evidence, asked) => {
    if (started === undefined) return notApplicable("there is no started event");
    if (started !== first) return fail("the started event is not the first event");
    return failIf(startedDefect(started.json, asked));
  }),
  onStream("AC1-STREAM-018", ({ longestSilenceMs }, { end }, { bounds }) => {
    if (end === "time") return notReached("the stream did not end");
    const silent = longestSilenceMs > bounds.keepaliveMs;
    return failIf(silent ? `the stream was silent for ${(longestSilenceMs / 1000).toFixed(1)} s` : undefined);
  }),
  onAnswer("AC1-STREAM-019", "stream", ({ noTransform }) =>
    failIf(noTransform ? undefined : "Cache-Control does not say no-transform"),
  ),
  onStream("AC1-STREAM-020", ({ terminal }, { end }) => {
    if (terminal === undefined || end === "enough") return notReached("the end of the stream was not seen");
    return failIf(end === "still open" ? "the response was still open after that time" : undefined);
  }),
];

/** Whether the agent or the network ended the stream, rather than this check. */
function endedByItself({ end }: Answer): boolean {
  return end === "whole" || end === "broken";
}

function notEchoed(json: JsonSeen, name: string, sent: string | undefined): string | undefined {
  if (kindOf(json, name) === "absent") return `there is no ${name}`;
  return textOf(json, name) === sent ? undefined : `${name} is not the one that was sent`;
}

function startedDefect(json: JsonSeen, { requestId, taskType }: Asked): string | undefined {
  // Data that is not JSON breaks another rule.
  if (json.root === undefined) return undefined;
  return notEchoed(json, "request_id", requestId) ?? notEchoed(json, "task_type", taskType);
}
