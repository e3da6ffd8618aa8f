import type { CallToolResult } from "@modelcontextprotocol/server";
import { largeStep } from "../../dialects/index.ts";
import { GatewayError } from "../../errors.ts";
import { decodeEvent, type RunEvent, type StoredEvent } from "../../events/index.ts";
import { JsonText } from "../../json-text.ts";
import { beside } from "../beside.ts";
import { outcomeOf } from "../outcome.ts";
import type { McpDeps } from "./deps.ts";
import { failedCall } from "./error.ts";

/** Characters of outputs that an answer may have: it is written at once. */
const MOST_OUTPUTS = 1024 * 1024;

type About = { runId: string; sessionId: string; origin: string };

/** What a call of a service came to. @param rest the event with which its run rests */
export function serviceResult(rest: RunEvent, { origin, ...head }: About): CallToolResult {
  const outcome = outcomeOf(rest, origin);
  if (!outcome) return failedCall(new GatewayError("interrupted"));
  if (outcome.kind === "failed") return failedCall(outcome.error);
  const { text } = outcome;
  const outputs = outcome.kind === "answered" ? outcome.data.outputs : undefined;
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...beside(outcome, head), text, ...(outputs ? { outputs } : {}) },
  };
}

/** What a task came to. @param finished the event with which its step ended, which has all of its outputs */
export async function taskResult(
  rest: RunEvent,
  finished: StoredEvent | undefined,
  { origin, runId }: About,
  { readJson }: Pick<McpDeps, "readJson">,
): Promise<CallToolResult> {
  const outcome = outcomeOf(rest, origin);
  if (outcome?.kind === "failed") return failedCall(outcome.error);
  if (outcome?.kind !== "answered") return failedCall(new GatewayError("interrupted"));
  // Of a run that ended long ago its last event is left, which has what is not large.
  const outputs = finished ? await outputsOf(finished, readJson) : outcome.data.outputs;
  if (!outputs) return failedCall(new GatewayError("interrupted"));
  if (outputs === "large") {
    const where = `GET /api/v1/runs/${runId}/events`;
    return failedCall(
      new GatewayError("output_limit", `The outputs are too large for this protocol: ${where} has them.`, {
        extra: { run_id: runId },
      }),
    );
  }
  const { warnings } = outcome.data;
  return {
    content: [{ type: "text", text: outcome.text }],
    structuredContent: outputs,
    _meta: { "interlock/run_id": runId, ...(warnings.length > 0 ? { "interlock/warnings": warnings } : {}) },
  };
}

async function outputsOf(
  event: StoredEvent,
  readJson: McpDeps["readJson"],
): Promise<Record<string, unknown> | "large" | undefined> {
  const step = largeStep(event) ?? decodeEvent(event.json);
  const outputs: unknown = step.type === "step_finished" ? step.data.outputs : undefined;
  if (!(outputs instanceof JsonText)) return outputs === undefined ? undefined : { ...Object(outputs) };
  return outputs.text.length > MOST_OUTPUTS ? "large" : { ...Object(await readJson(outputs.text)) };
}
