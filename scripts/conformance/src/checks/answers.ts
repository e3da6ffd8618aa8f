import { type Evidence, type Exchange, isBusy } from "../evidence.ts";
import { runOutcome } from "../run-outcome.ts";
import { fail, notReached, pass, type Verdict } from "../verdict.ts";
import type { Answer, Asked, StreamSeen } from "../wire/answer.ts";
import type { JsonSeen } from "../wire/json-seen.ts";
import { isSuccess } from "../wire/read-answer.ts";
import { type Check, checkOne, hasContact, NO_CONTACT, placeOf } from "./check.ts";
import { isRedirect } from "./http.ts";

// Checks of the run on one endpoint. Each is "not reached" if there is nothing to judge.

/** Judges the status of the answer to a valid request. */
export function onStatus(rule: string, endpoint: "sync" | "stream"): Check {
  return checkOne(rule, endpoint, (run, evidence) => {
    const { reply } = run;
    if (!hasContact(evidence)) return notReached(NO_CONTACT);
    if (reply.kind === "none") {
      return reply.why === "time" ? notReached("no answer came in time") : fail(`no answer: ${reply.words}`);
    }
    if (isRedirect(reply.status)) return notReached("it answers with a redirect");
    if (isBusy(reply)) return fail(`it answers ${reply.status}, also when asked again later`);
    if (!isSuccess(reply.status) && runOutcome(run).kind === "failed")
      return notReached("the request was refused");
    return reply.status === 200
      ? pass
      : fail(`${placeOf(run)} answers a valid run request with ${reply.status}`);
  });
}

/** Judges the answer to a valid request, if its status is 2xx. */
export function onAnswer(
  rule: string,
  endpoint: "sync" | "stream",
  judge: (answer: Answer, evidence: Evidence) => Verdict,
): Check {
  return checkOne(rule, endpoint, ({ reply }, evidence) => {
    if (reply.kind === "none" || !isSuccess(reply.status)) return notReached("there is no answer to judge");
    return judge(reply, evidence);
  });
}

export function onSyncObject(rule: string, judge: (json: JsonSeen, asked: Asked) => Verdict): Check {
  return checkOne(rule, "sync", ({ reply, asked }) => {
    const json = reply.kind === "answer" && isSuccess(reply.status) ? reply.json : undefined;
    if (json?.root !== "object") return notReached("there is no JSON object to judge");
    return judge(json, asked);
  });
}

export function onStream(
  rule: string,
  judge: (stream: StreamSeen, answer: Answer, evidence: Evidence, asked: Asked) => Verdict,
): Check {
  return checkOne(rule, "stream", ({ reply, asked }, evidence) => {
    const answer = reply.kind === "answer" && isSuccess(reply.status) ? reply : undefined;
    if (answer?.stream === undefined) return notReached("there is no stream to judge");
    return judge(answer.stream, answer, evidence, asked);
  });
}

export function onTerminal(rule: string, judge: (terminal: JsonSeen, asked: Asked) => Verdict): Check {
  return onStream(rule, ({ terminal }, _answer, _evidence, asked) => {
    if (terminal?.json.root !== "object") return notReached("there is no terminal event to judge");
    return judge(terminal.json, asked);
  });
}

/** An endpoint that does not exist refuses everything, which proves nothing. */
export function isServed({ exchanges }: Evidence, endpoint: "sync" | "stream"): boolean {
  const run = exchanges.find(({ probe }) => probe === endpoint);
  return run?.reply.kind !== "answer" || !NOT_SERVED.has(run.reply.status);
}
const NOT_SERVED = new Set([404, 405, 501]);

/** Answers to requests that should be refused. Leaves out missing endpoints and busy answers, which prove nothing. */
export function refusalsOf(exchanges: readonly Exchange[], evidence: Evidence): readonly Exchange[] {
  return exchanges.filter(({ asked, reply }) => {
    const endpoint = asked.endpoint === "stream" ? "stream" : "sync";
    if (reply.kind === "none") return hasContact(evidence);
    return isServed(evidence, endpoint) && !isBusy(reply) && !isRedirect(reply.status);
  });
}

export function isRefused({ reply }: Exchange): boolean {
  return reply.kind === "answer" && reply.status >= 400 && reply.status < 500;
}

/** Whether the agent refused only inside an event stream, which is too late. */
export function isStreamed(seen: Exchange): boolean {
  const { asked, reply } = seen;
  if (asked.endpoint !== "stream" || reply.kind === "none" || reply.stream === undefined) return false;
  const isEvents = reply.media === "events" || reply.stream.events > 0;
  return isEvents && runOutcome(seen).kind !== "ok";
}
