import type { Dialect } from "../../dialects/index.ts";
import type { GatewayError } from "../../errors.ts";
import { decodeEvent, isRest } from "../../events/index.ts";
import { beside, type Told } from "../beside.ts";
import { CUT, type Outcome, outcomeOf } from "../outcome.ts";
import { progressLine } from "../progress-line.ts";
import { errorOf } from "./error.ts";

type Head = { runId: string; sessionId: string; model: string };

const now = () => Math.floor(Date.now() / 1000);

/** A service's answer as a chat completion; `interlock` has what the format has no place for. */
export function serviceAnswer(outcome: Told, head: Head): object {
  const message = { role: "assistant", content: outcome.text, refusal: null };
  return {
    id: `chatcmpl-${head.runId}`,
    object: "chat.completion",
    created: now(),
    model: head.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: usageOf(outcome),
    interlock: beside(outcome, head),
  };
}

/** A service's answer as a stream. Its text comes at once, with the end: what agents generate before is no part of it. */
export function serviceChunks({
  origin,
  usage,
  progress,
  ...head
}: Head & { origin: string; usage: boolean; progress: boolean }): Dialect {
  const object = "chat.completion.chunk";
  const same = { id: `chatcmpl-${head.runId}`, object, created: now(), model: head.model };
  const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
    frame({ ...same, choices: [{ index: 0, delta, finish_reason: finish }], ...more });
  const failure = (error: GatewayError) => frame({ error: errorOf(error) });
  const end = (outcome: Outcome) => {
    // Without the last line, so that no client takes it for a complete answer.
    if (outcome.kind === "failed") return failure(outcome.error);
    const text = chunk({ role: "assistant", content: outcome.text });
    const used = usage ? frame({ ...same, choices: [], usage: usageOf(outcome) }) : "";
    return `${text}${chunk({}, "stop", { interlock: beside(outcome, head) })}${used}data: [DONE]\n\n`;
  };
  return {
    untold: true,
    open: ({ labelOf = (agent) => agent }) => ({
      frame(event, last) {
        if (last && isRest(event)) {
          const outcome = outcomeOf(decodeEvent(event.json), origin);
          return outcome ? end(outcome) : "";
        }
        if (event.type === "run_started") return chunk({ role: "assistant", content: "" });
        const said = progress ? progressLine(event, labelOf) : undefined;
        return said === undefined ? "" : chunk({ reasoning_content: `${said}\n` });
      },
      cut: () => failure(CUT),
    }),
  };
}

/** What models used for the run: nothing where none was asked. */
function usageOf(outcome: Told): object {
  const used = outcome.kind === "answered" ? outcome.data.usage : undefined;
  const { input_tokens = 0, cached_input_tokens = 0, output_tokens = 0, reasoning_tokens = 0 } = used ?? {};
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: cached_input_tokens },
    completion_tokens_details: { reasoning_tokens },
  };
}

const frame = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
