import {
  AGENT_ERRORS,
  type AgentError,
  type AgentErrorKind,
  agentContract,
  type FinalEvent,
  type RunResult,
} from "@interlock/contracts";
import { Defect } from "./defect.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { AgentAnswer } from "./types.ts";

const MAX_MESSAGE_LENGTH = 1_000;

export type Expected = { requestId: string; taskType: string };

export type Verdict = { ok: true; answer: AgentAnswer } | { ok: false; error: AgentError };

const SHARED_ERRORS: ReadonlyMap<string, AgentErrorKind> = new Map(Object.entries(AGENT_ERRORS));

/** Judges the data of a terminal event. Throws a Defect. */
export const judgeTerminal = (data: JsonObject, expected: Expected): Verdict => {
  if (data.request_id !== expected.requestId) throw new Defect("wrong_request_id");
  if (data.task_type !== expected.taskType) throw new Defect("wrong_task_type");
  if (typeof data.status !== "string") throw new Defect("missing_status");
  checkStatus(data);
  const outputs = isObject(data.outputs) ? data.outputs : data.data;
  if (!isObject(outputs)) throw new Defect("no_outputs");
  const valid = agentContract.final(data);
  if (!valid.ok) throw new Defect("not_contract", valid.problem.path);
  return verdict(valid.value, outputs);
};

/** Judges the body of a sync answer. Throws a Defect. */
export const judgeResult = (body: JsonObject, expected: Expected): Verdict => {
  if (body.request_id !== expected.requestId) throw new Defect("wrong_request_id");
  if (body.task_type !== undefined && body.task_type !== expected.taskType)
    throw new Defect("wrong_task_type");
  if (typeof body.status !== "string" && body.ok !== true) throw new Defect("missing_status");
  checkStatus(body);
  if (!isObject(body.outputs)) throw new Defect("no_outputs");
  const valid = agentContract.runResult(body);
  if (!valid.ok) throw new Defect("not_contract", valid.problem.path);
  return verdict(valid.value, body.outputs);
};

/** The error of a contract-shaped refusal. */
export const judgeRefusal = (body: unknown): AgentError | undefined => {
  const valid = agentContract.refusal(body);
  return valid.ok ? presentable(valid.value.error) : undefined;
};

export const isRetryableCode = (code: string): boolean => SHARED_ERRORS.get(code)?.retryable ?? false;

/** Words that say success or failure by themselves; any other word needs `ok: true` beside it. */
const SUCCESS = new Set<unknown>(["ok", "success"]);
const FAILURE = new Set<unknown>(["error", "failed", "failure"]);

const checkStatus = ({ status, ok }: JsonObject): void => {
  if (SUCCESS.has(status) && ok === false) throw new Defect("contradictory_status");
  if (FAILURE.has(status) && ok === true) throw new Defect("contradictory_status");
};

const verdict = (said: FinalEvent | RunResult, outputs: JsonObject): Verdict => {
  if (said.ok === false) return { ok: false, error: presentable(said.error) };
  const answer: AgentAnswer = { outputs, warnings: said.warnings ?? [] };
  if (said.grounding !== undefined) answer.grounding = said.grounding;
  if (said.usage !== undefined) answer.usage = said.usage;
  if (said.provenance !== undefined) answer.provenance = said.provenance;
  if (said.artifacts !== undefined) answer.artifacts = said.artifacts;
  return { ok: true, answer };
};

/** An agent's words go on to users and logs: a code stays a code, and a message one line of bounded length. */
const presentable = ({ code, message }: AgentError): AgentError => ({
  code: /^[\w.:-]{1,64}$/.test(code) ? code : "UNKNOWN",
  message: message.slice(0, MAX_MESSAGE_LENGTH).replace(/\p{Cc}+/gu, " "),
});
