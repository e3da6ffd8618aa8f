import type { TraceContext } from "@interlock/contracts";
import type { AgentClient, AgentResult } from "../agents/index.ts";
import type { ActingCaller } from "../caller.ts";
import { newId } from "../ids.ts";
import { JsonText } from "../json-text.ts";
import type { Check } from "../mesh/index.ts";

/**
 * Asks a task for its judgement. It changes nothing, so that it may be asked again.
 * @param inputs as the check's template gave them
 * @throws UpstreamError
 */
export async function askCheck(
  agents: AgentClient,
  {
    check,
    inputs,
    ...asking
  }: {
    check: Pick<Check, "agent" | "taskType">;
    inputs: unknown;
    /** On whose behalf. */
    caller: ActingCaller;
    runId: string;
    step: string;
    signal: AbortSignal;
    /** Where the check belongs. */
    trace?: TraceContext;
  },
): Promise<AgentResult["outputs"]> {
  const { outputs } = await agents.sync({
    agent: check.agent,
    task: check.taskType,
    body: {
      request_id: newId(),
      task_type: check.taskType,
      workflow_id: asking.runId,
      mode: "LIVE",
      ...(inputs instanceof JsonText ? {} : { inputs }),
    },
    ...(inputs instanceof JsonText ? { inputsJson: inputs.text } : {}),
    ...asking,
  });
  return outputs;
}
