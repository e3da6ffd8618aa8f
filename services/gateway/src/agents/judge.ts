import {
  type AgentError,
  agentContract,
  type FinalSuccess,
  type RunSuccess,
  type Usage,
} from "@interlock/contracts";
import { Defect } from "./defect.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { AgentAnswer } from "./types.ts";

const MAX_MESSAGE_LENGTH = 1_000;

/** Statuses that mean success or failure by themselves. Any other needs the `ok` flag. */
const SUCCESS = new Set<unknown>(["ok", "success"]);
const FAILURE = new Set<unknown>(["error", "failed", "failure"]);

export type Expected = { requestId: string; taskType: string };

/** A failure carries its error only if that has the form that the contract describes. */
export type Verdict =
  | { ok: true; answer: AgentAnswer }
  | { ok: false; error: AgentError | undefined; usage: Usage | undefined };

/** Checks the data of a terminal event. Throws a Defect. */
export function judgeTerminal(data: JsonObject, expected: Expected): Verdict {
  if (data.request_id !== expected.requestId) throw new Defect("wrong_request_id");
  if (data.task_type !== expected.taskType) throw new Defect("wrong_task_type");
  if (typeof data.status !== "string") throw new Defect("missing_status");
  if (!isSuccess(data.status, data.ok, data.success)) return failureOf(data);
  const outputs = isObject(data.outputs) ? data.outputs : data.data;
  if (!isObject(outputs)) throw new Defect("no_outputs");
  const valid = agentContract.final(data);
  if (!valid.ok) throw new Defect("not_contract", valid.problem.path);
  return valid.value.ok === false ? failureOf(data) : { ok: true, answer: answerOf(valid.value, outputs) };
}

/** Checks the body of a sync answer. Throws a Defect. */
export function judgeResult(body: JsonObject, expected: Expected): Verdict {
  if (body.request_id !== expected.requestId) throw new Defect("wrong_request_id");
  if (body.task_type !== undefined && body.task_type !== expected.taskType)
    throw new Defect("wrong_task_type");
  if (typeof body.status !== "string" && typeof body.ok !== "boolean") throw new Defect("missing_status");
  if (!isSuccess(body.status, body.ok)) return failureOf(body);
  if (!isObject(body.outputs)) throw new Defect("no_outputs");
  const valid = agentContract.runResult(body);
  if (!valid.ok) throw new Defect("not_contract", valid.problem.path);
  return valid.value.ok === false
    ? failureOf(body)
    : { ok: true, answer: answerOf(valid.value, body.outputs) };
}

/** The error of a refusal, if that has the form that the contract describes. */
export function judgeRefusal(body: unknown): AgentError | undefined {
  const valid = agentContract.refusal(body);
  return valid.ok ? presentable(valid.value.error) : undefined;
}

/** Throws a Defect if the status and the flags contradict each other, or say nothing. */
function isSuccess(status: unknown, ...flags: readonly unknown[]): boolean {
  const succeeded = SUCCESS.has(status) || flags.includes(true);
  const failed = FAILURE.has(status) || flags.includes(false);
  if (succeeded === failed) throw new Defect(succeeded ? "contradictory_status" : "unclear_status");
  return succeeded;
}

/** Any agent may report a failure in a few words. The reason is used only if it has the contract's form. */
function failureOf({ error, usage }: JsonObject): Verdict {
  const valid = agentContract.error(error);
  const used = agentContract.usage(usage);
  return {
    ok: false,
    error: valid.ok ? presentable(valid.value) : undefined,
    usage: used.ok ? used.value : undefined,
  };
}

function answerOf(said: FinalSuccess | RunSuccess, outputs: JsonObject): AgentAnswer {
  const answer: AgentAnswer = { outputs, warnings: said.warnings ?? [] };
  if (said.grounding !== undefined) answer.grounding = said.grounding;
  if (said.usage !== undefined) answer.usage = said.usage;
  if (said.provenance !== undefined) answer.provenance = said.provenance;
  if (said.artifacts !== undefined) answer.artifacts = said.artifacts;
  return answer;
}

/** Code and message reach users and logs: restrict the code to safe characters, the message to one line of bounded length. */
export function presentable({ code, message }: AgentError): AgentError {
  return {
    code: /^[\w.:-]{1,64}$/.test(code) ? code : "UNKNOWN",
    message: message.slice(0, MAX_MESSAGE_LENGTH).replace(/\p{Cc}+/gu, " "),
  };
}
