import type { RunEventBody } from "../../events/index.ts";
import { JsonText, writeJson } from "../../json-text.ts";
import type { Template } from "../../mesh/index.ts";
import type { StepResult } from "../../store/index.ts";
import type { WrittenEvent } from "../live-run.ts";
import type { StepFailure } from "./failure.ts";
import type { StepAbout } from "./step-kind.ts";
import { onOneLine } from "./whole-outputs.ts";

export function startedEvent(node: string, about: StepAbout, attempt: number): RunEventBody {
  return { type: "step_started", node, data: { ...about, attempt } };
}

/** @param started by performance.now() */
export async function finishedEvent(
  { id, show }: { id: string; show?: Template },
  about: StepAbout,
  result: StepResult,
  started: number,
): Promise<RunEventBody | WrittenEvent> {
  const value = show && (await show(result));
  const shown = value instanceof JsonText ? await onOneLine(value) : value;
  const data = {
    ...about,
    status: "ok",
    duration_ms: Math.round(performance.now() - started),
    warnings: result.warnings,
    ...(shown === undefined ? {} : { outputs: shown }),
  } as const;
  return shown instanceof JsonText
    ? { type: "step_finished", node: id, data: new JsonText(writeJson(data)) }
    : { type: "step_finished", node: id, data };
}

export function failedEvent(
  { step, failure, agentCode, reason }: StepFailure,
  about: StepAbout,
): RunEventBody {
  return {
    type: "step_failed",
    node: step.id,
    data: {
      ...about,
      status: "error",
      code: failure.code,
      error: failure.message,
      optional: step.optional,
      ...(agentCode === undefined ? {} : { agent_code: agentCode }),
      ...(reason === undefined ? {} : { reason }),
    },
  };
}
