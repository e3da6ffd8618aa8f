import { type Evidence, type Exchange, isBusy, PROBES, type ProbeName } from "../evidence.ts";
import { type RunOutcome, runOutcome } from "../run-outcome.ts";
import { fail, failIf, needsInputs, notApplicable, notReached, pass, type Verdict } from "../verdict.ts";
import type { JsonSeen } from "../wire/json-seen.ts";
import { kindOf } from "../wire/outcome.ts";
import { isSuccess } from "../wire/read-answer.ts";
import { type Check, check, checkOne, placeOf, worstOf } from "./check.ts";
import { errorDefect } from "./refuse.ts";

const INPUTS = {
  sample: "empty inputs (mode DEMO)",
  given: "the inputs that were given",
  card: "the example of its card",
} as const;

const BUSY = "the agent says that it is busy (429 or 503), also when asked again later";

/** The run of this probe succeeds, as it does without the addition. */
function runsWith(rule: string, probe: ProbeName, what: string): Check {
  return checkOne(rule, probe, (seen) => {
    if (isBusy(seen.reply)) return notReached(BUSY);
    const outcome = runOutcome(seen);
    if (outcome.kind === "ok") return pass;
    return fail(`a run that succeeds without ${what} ${howItEnded(seen, outcome)} with it`);
  });
}

function howItEnded({ reply }: Exchange, outcome: RunOutcome): string {
  if (outcome.kind === "failed") return outcome.how;
  if (reply.kind === "none") return `gets no answer (${reply.words})`;
  return isSuccess(reply.status) ? "gets another answer" : `is answered with ${reply.status}`;
}

export const runChecks: readonly Check[] = [
  check("AC1-RUN-001", ["sync", "stream"], (exchanges, { inputsFrom }) => {
    const outcomes = exchanges.map((seen) => ({ seen, outcome: runOutcome(seen) }));
    for (const { seen, outcome } of outcomes) {
      if (outcome.kind !== "failed") continue;
      return needsInputs(`${placeOf(seen)}: the run on ${INPUTS[inputsFrom]} ${outcome.how}`);
    }
    const ran = outcomes.filter(({ outcome }) => outcome.kind === "ok").length;
    return ran === 2 ? pass : notReached("no run on both endpoints that tells how it ended");
  }),
  runsWith("AC1-RUN-002", "unknown fields", "unknown fields"),
  runsWith("AC1-RUN-003", "traceparent", "traceparent"),
  checkOne("AC1-RUN-004", "hang up", (seen, { bounds }) => {
    const { reply } = seen;
    if (reply.kind === "none") return reply.why === "time" ? notReached("no answer came in time") : pass;
    if (!isSuccess(reply.status)) return notReached(isBusy(reply) ? BUSY : "the run was not streamed");
    const ended = reply.stream?.terminal !== undefined && runOutcome(seen).kind === "ok";
    if (ended) return notApplicable("the run was over before the client left");
    return failIf(
      reply.end === "time" ? `still at work ${bounds.leaveMs / 1000} s after the client left` : undefined,
    );
  }),
  checkOne("AC1-RUN-005", "deadline", (seen) => deadlineVerdict(seen)),
  check("AC1-RUN-006", ["repeat"], (exchanges, { sameAnswer }) => {
    if (exchanges.some(({ reply }) => isBusy(reply))) return notReached(BUSY);
    const failed = exchanges.find((seen) => runOutcome(seen).kind !== "ok");
    if (failed !== undefined)
      return fail(`a run with ${failed.asked.what} ${howItEnded(failed, runOutcome(failed))}`);
    if (exchanges.length < 2) return notReached("the time was up before the second");
    if (sameAnswer === undefined) return notApplicable("answers larger than 1 MiB are not compared");
    return failIf(sameAnswer ? undefined : "the second answer differs from the first");
  }),
  {
    rule: "AC1-RUN-007",
    probes: PROBES,
    judge: (evidence) => worstOf(failedRuns(evidence)),
  },
];

function deadlineVerdict(seen: Exchange): Verdict {
  const { reply } = seen;
  if (isBusy(reply)) return notReached(BUSY);
  const outcome = runOutcome(seen);
  if (outcome.kind === "ok") return notApplicable("the run was done before the deadline could pass");
  if (outcome.kind === "failed") {
    return failIf(outcome.code === "DEADLINE_EXCEEDED" ? undefined : `the run ${outcome.how}`);
  }
  if (reply.kind === "answer" && reply.end !== "time")
    return fail("the stream ended without a word of the deadline");
  return fail("the run went on past the deadline");
}

/** Verdicts on all runs that the agent reported as failed. */
function failedRuns({ exchanges }: Evidence): readonly Verdict[] {
  const verdicts = exchanges.flatMap((seen): Verdict[] => {
    const { reply } = seen;
    if (reply.kind === "none" || !isSuccess(reply.status) || runOutcome(seen).kind !== "failed") return [];
    const said = reply.stream === undefined ? reply.json : reply.stream.terminal?.json;
    const defect = said && failedDefect(said);
    return [failIf(defect && `${placeOf(seen)}, a run that failed: ${defect}`)];
  });
  return verdicts.length > 0 ? verdicts : [notApplicable("no run failed")];
}

function failedDefect(said: JsonSeen): string | undefined {
  const ok = said.fields.get("ok");
  if (ok?.kind !== "boolean" || ok.value) return "it does not say ok:false";
  if (kindOf(said, "outputs") !== "object" && kindOf(said, "data") !== "object")
    return "outputs is not an object";
  return errorDefect(said);
}
