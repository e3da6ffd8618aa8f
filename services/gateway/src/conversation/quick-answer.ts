import { setTimeout as sleep } from "node:timers/promises";
import type { JsonSchema, TraceContext } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { Mesh } from "../mesh/index.ts";
import type { ModelGateway, Prompt } from "../models/index.ts";
import type { UsageAmounts } from "../store/index.ts";

/** Whose turn a model is asked in, and how the caller wants it asked. */
export type AskedIn = {
  caller: Caller;
  sessionId: string;
  runId: string;
  /** Where the call belongs. */
  trace: TraceContext;
  hint?: string | undefined;
  disableFallbacks?: boolean | undefined;
};

export type QuickAnswers = {
  /** Whether a model would be asked at all. */
  asks(asked: AskedIn): boolean;
  /** @returns undefined where no model answers in time. Never rejects for what a model does. */
  ask(
    question: { content: string; system: string; prompt: Prompt; schema: JsonSchema },
    asked: AskedIn,
  ): Promise<{ object: unknown; model: string; used: UsageAmounts } | undefined>;
};

/** What a turn asks a model before it is understood. */
const TASK = "intent";

/** Nobody waits for a model any longer, unless the manifest says so. */
const LONGEST_MS = 3_000;

/** Has a model answer a small question about a message in time. @returns undefined where the manifest has no model for it */
export function quickAnswers({
  mesh,
  models,
}: {
  mesh: Pick<Mesh, "models">;
  models: Pick<ModelGateway, "asks" | "generate">;
}): QuickAnswers | undefined {
  if (mesh.models.tasks[TASK] === undefined) return undefined;
  const longestMs = mesh.models.settings.get(TASK)?.timeoutMs ?? LONGEST_MS;
  return {
    asks: ({ hint, sessionId }) => models.asks({ task: TASK, hint, sessionId }),
    async ask({ content, system, prompt, schema }, asked) {
      const over = new AbortController();
      const call = models.generate({
        ...asked,
        task: TASK,
        schema,
        messages: [
          { role: "system", content: system },
          { role: "user", content },
        ],
        prompt,
        signal: over.signal,
      });
      const given = call.then(
        ({ object, model, used }) => ({ object, model, used }),
        (error: unknown) => {
          if (!(error instanceof GatewayError)) throw error;
          return undefined;
        },
      );
      // What a call that is given up has used is still counted, which takes its time.
      const late = sleep(longestMs, undefined, { signal: over.signal }).catch(() => undefined);
      const answer = await Promise.race([given, late]);
      over.abort();
      return answer;
    },
  };
}

/** An object whose members are all required, as some providers want it. */
export function objectSchema(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}
