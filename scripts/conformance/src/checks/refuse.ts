import { MUST_REFUSE, type ProbeName } from "../evidence.ts";
import { fail, failIf, notApplicable, notReached, pass, type Verdict } from "../verdict.ts";
import type { Asked } from "../wire/answer.ts";
import type { JsonSeen } from "../wire/json-seen.ts";
import { flagOf, kindOf, textOf } from "../wire/outcome.ts";
import { isSuccess } from "../wire/read-answer.ts";
import { isRefused, isStreamed, refusalsOf } from "./answers.ts";
import { type Check, check, placeOf, worstOf } from "./check.ts";
import { notAnObject } from "./sync.ts";

/** All requests of this probe get a 4xx status, on both endpoints. */
function refuses(rule: string, probe: ProbeName): Check {
  return check(rule, [probe], (exchanges, evidence) =>
    worstOf(
      refusalsOf(exchanges, evidence).map((seen) => {
        const { reply, asked } = seen;
        if (isStreamed(seen)) return notReached("it was answered with an event stream");
        const how = reply.kind === "none" ? reply.words : `the answer has status ${reply.status}`;
        return isRefused(seen) ? pass : fail(`${placeOf(seen)} did not refuse ${asked.what}: ${how}`);
      }),
    ),
  );
}

/** The bodies of all mandatory refusals are free of this defect. */
function refusalHas(rule: string, defect: (json: JsonSeen, asked: Asked) => string | undefined): Check {
  return check(rule, MUST_REFUSE, (exchanges, evidence) => {
    const refusals = refusalsOf(exchanges, evidence).filter((seen) => isRefused(seen) && !isStreamed(seen));
    const verdicts = refusals.map((seen): Verdict => {
      const json = seen.reply.kind === "answer" ? seen.reply.json : undefined;
      if (json?.root !== "object") return notReached("there is no JSON object to judge");
      const found = defect(json, seen.asked);
      return failIf(found && `${placeOf(seen)}, asked with ${seen.asked.what}: ${found}`);
    });
    return verdicts.length === 0 ? notReached("nothing was refused") : worstOf(verdicts);
  });
}

function shapeDefect(json: JsonSeen): string | undefined {
  if (kindOf(json, "request_id") !== "string") return "request_id is not a string";
  if (flagOf(json, "ok") !== false) return "it does not say ok:false";
  if (kindOf(json, "warnings") !== "array") return "warnings is not an array";
  return notAnObject("outputs", kindOf(json, "outputs"));
}

export function errorDefect(json: JsonSeen): string | undefined {
  if (textOf(json, "status") !== "error") return 'status is not "error"';
  if (kindOf(json, "error") !== "object") return notAnObject("error", kindOf(json, "error"));
  if (kindOf(json, "error.code") !== "string") return "error.code is not a string";
  return kindOf(json, "error.message") === "string" ? undefined : "error.message is not a string";
}

export const refuseChecks: readonly Check[] = [
  refuses("AC1-REFUSE-001", "not an object"),
  refuses("AC1-REFUSE-002", "no request_id"),
  refuses("AC1-REFUSE-003", "no task_type"),
  check("AC1-REFUSE-004", MUST_REFUSE, (exchanges, evidence) => {
    const onStream = refusalsOf(exchanges, evidence).filter(({ asked }) => asked.endpoint === "stream");
    if (onStream.length === 0) return notReached("nothing was seen of the stream endpoint");
    const late = onStream.find(isStreamed);
    return failIf(late && `asked with ${late.asked.what}, the agent began an event stream`);
  }),
  check("AC1-REFUSE-005", MUST_REFUSE, (exchanges, evidence) => {
    const refusals = refusalsOf(exchanges, evidence).filter((seen) => isRefused(seen) && !isStreamed(seen));
    if (refusals.length === 0) return notReached("nothing was refused");
    const bad = refusals.find(
      ({ reply }) => reply.kind === "answer" && (reply.json.root !== "object" || reply.media !== "json"),
    );
    if (bad?.reply.kind !== "answer") return pass;
    const { media, end, json } = bad.reply;
    const how =
      end === "size"
        ? "larger than 1 MiB"
        : json.root === "object" && media !== "json"
          ? "an object, but its Content-Type is not JSON"
          : "not a JSON object";
    return fail(`${placeOf(bad)}, asked with ${bad.asked.what}: the body is ${how}`);
  }),
  refusalHas("AC1-REFUSE-006", (json) =>
    kindOf(json, "request_id") === "string" ? undefined : "request_id is not a string",
  ),
  refusalHas("AC1-REFUSE-007", (json) =>
    flagOf(json, "ok") === false ? undefined : "it does not say ok:false",
  ),
  refusalHas("AC1-REFUSE-008", (json) => notAnObject("outputs", kindOf(json, "outputs"))),
  refusalHas("AC1-REFUSE-009", (json) =>
    kindOf(json, "warnings") === "array" ? undefined : "warnings is not an array",
  ),
  refuses("AC1-REFUSE-010", "blank id"),
  refuses("AC1-REFUSE-011", "id not a string"),
  refuses("AC1-REFUSE-012", "inputs not an object"),
  refusalHas("AC1-REFUSE-013", (json, { requestId = "" }) => {
    if (kindOf(json, "request_id") !== "string") return undefined;
    return textOf(json, "request_id") === requestId ? undefined : "request_id is not what was sent";
  }),
  refusalHas("AC1-REFUSE-014", errorDefect),
  check("AC1-REFUSE-015", ["media type"], (exchanges, evidence) =>
    worstOf(
      refusalsOf(exchanges, evidence).map((seen) => {
        const how =
          seen.reply.kind === "none" ? seen.reply.words : `the answer has status ${seen.reply.status}`;
        const is415 = seen.reply.kind === "answer" && seen.reply.status === 415;
        return is415 ? pass : fail(`${placeOf(seen)}, asked with ${seen.asked.what}: ${how}`);
      }),
    ),
  ),
  check("AC1-REFUSE-016", ["unknown task type"], (exchanges, evidence) =>
    worstOf(
      refusalsOf(exchanges, evidence).map((seen) => {
        const { reply } = seen;
        if (reply.kind === "none") return fail(`${placeOf(seen)} did not answer: ${reply.words}`);
        if (isSuccess(reply.status)) return notApplicable("the agent takes any task type");
        if (!isRefused(seen)) return fail(`${placeOf(seen)} answers with status ${reply.status}`);
        const defect =
          reply.json.root === "object" ? shapeDefect(reply.json) : "the body is not a JSON object";
        return failIf(defect && `${placeOf(seen)} refuses, but ${defect}`);
      }),
    ),
  ),
];
