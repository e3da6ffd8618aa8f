import type { TraceContext } from "@interlock/contracts";
import { type AgentAnswer, type AgentClient, type AgentRegistry, UpstreamError } from "../agents/index.ts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Access } from "../identity/index.ts";
import { newId } from "../ids.ts";
import { JsonText } from "../json-text.ts";
import type { Inputs } from "../store/index.ts";

/** One task of an agent, outside of any run or conversation. */
export type TaskRequest = {
  caller: Caller;
  taskType: string;
  inputs: Inputs;
  signal: AbortSignal;
  trace: TraceContext;
};

/** Runs single tasks for callers: inputs in, outputs out, nothing kept. */
export class Tasks {
  readonly #agents: AgentClient;
  readonly #registry: AgentRegistry;
  readonly #access: Access;

  constructor(agents: AgentClient, registry: AgentRegistry, access: Access) {
    this.#agents = agents;
    this.#registry = registry;
    this.#access = access;
  }

  /** @throws GatewayError not_found, forbidden, invalid_request, invalid_inputs, upstream_* */
  async run({ caller, taskType, inputs, signal, trace }: TaskRequest): Promise<AgentAnswer> {
    const agent = this.#agentFor(caller, taskType);
    try {
      return await this.#agents.sync({
        agent,
        task: taskType,
        caller,
        body: {
          request_id: newId(),
          task_type: taskType,
          mode: "LIVE",
          ...(inputs instanceof JsonText ? {} : { inputs }),
        },
        ...(inputs instanceof JsonText ? { inputsJson: inputs.text } : {}),
        signal,
        trace,
      });
    } catch (error) {
      throw error instanceof UpstreamError ? refusalOf(error) : error;
    }
  }

  /** Of several agents that have the task, one that the caller may ask. */
  #agentFor(caller: Caller, task: string): string {
    const mayAsk = (agent: string) => this.#access.may(caller, "use", { kind: "task", agent, task });
    const found = this.#registry.agentFor(task, mayAsk);
    if (found) return found.name;
    if (!this.#registry.agentFor(task))
      throw new GatewayError("not_found", "No agent of this mesh has this task.");
    throw new GatewayError("forbidden", `You may not have the task ${task} done.`);
  }
}

/** The inputs are the caller's own here, so a refusal by the agent is the caller's error. */
function refusalOf(error: UpstreamError): GatewayError {
  const { code, message, retryable, agentCode, callerStatus, retryAfterMs } = error;
  const extra = agentCode === undefined ? {} : { agent_code: agentCode };
  if (code === "upstream_refused")
    return new GatewayError("invalid_request", message, { cause: error, extra });
  const said = code === "upstream_failed" ? message : undefined;
  const shown = callerStatus === undefined ? code : "invalid_inputs";
  const headers: Record<string, string> =
    code === "rate_limited" && retryAfterMs !== undefined
      ? { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }
      : {};
  return new GatewayError(shown, said, { cause: error, retryable, extra, headers });
}
