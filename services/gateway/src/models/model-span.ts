import type { TraceContext } from "@interlock/contracts";
import type { ModelSettings } from "../mesh/index.ts";
import type { UsageAmounts } from "../store/index.ts";
import { GEN_AI, GEN_AI_PROVIDERS, type OpenSpan, tokenMeters, tracing } from "../telemetry/index.ts";
import type { Said } from "./attempt.ts";
import type { AttemptFailure } from "./failure.ts";
import type { Question } from "./sdk-prompt.ts";
import type { Target } from "./target.ts";
import type { ModelCall, ModelMessage, ModelToolCall } from "./types.ts";

type Asked = { call: ModelCall; target: Target; settings: ModelSettings; question: Question };

type Answered = { said: Said; used: UsageAmounts; failure: AttemptFailure | undefined };

/** The spans and meters of requests to models, by the GenAI conventions. */
export class ModelSpans {
  readonly #meters = tokenMeters();
  readonly #captures: boolean;

  /** @param captures whether what is said to models and by them is told, which the conventions leave to the operator */
  constructor(captures: boolean) {
    this.#captures = captures;
  }

  /** Undefined where nothing is traced. */
  start(trace: TraceContext, { call, target, settings, question }: Asked): OpenSpan | undefined {
    const { spec } = target;
    return tracing?.span(`chat ${spec.modelId}`, trace, {
      kind: "client",
      attributes: {
        [GEN_AI.operation]: "chat",
        [GEN_AI.provider]: providerOf(target),
        [GEN_AI.requestModel]: spec.modelId,
        [GEN_AI.maxTokens]: settings.maxTokens,
        ...(settings.temperature === undefined ? {} : { [GEN_AI.temperature]: settings.temperature }),
        ...(call.sessionId === undefined ? {} : { [GEN_AI.conversation]: call.sessionId }),
        ...(this.#captures ? { [GEN_AI.inputMessages]: JSON.stringify(question.messages.map(partsOf)) } : {}),
      },
    });
  }

  end(span: OpenSpan, target: Target, { said, used, failure }: Answered): void {
    const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = used;
    span.set({
      [GEN_AI.inputTokens]: inputTokens,
      [GEN_AI.outputTokens]: outputTokens,
      ...(said.finish === undefined ? {} : { [GEN_AI.finishReasons]: [said.finish] }),
      ...(this.#captures ? { [GEN_AI.outputMessages]: JSON.stringify([answerOf(said)]) } : {}),
    });
    if (failure) span.fail(failure.code);
    span.end();
    const tokens = { input: inputTokens, cached: cachedInputTokens, output: outputTokens };
    const about = { provider: providerOf(target), model: target.spec.modelId };
    this.#meters.record({ ...tokens, reasoning: reasoningTokens }, about);
  }
}

function providerOf({ spec: { provider } }: Target): string {
  return GEN_AI_PROVIDERS[provider.kind] ?? provider.kind;
}

/** A message in the conventions' form: a role, and its parts. */
function partsOf(message: ModelMessage): object {
  if (message.role === "tool")
    return {
      role: "tool",
      parts: message.results.map(({ id, output }) => ({
        type: "tool_call_response",
        id,
        response: output,
      })),
    };
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  return { role: message.role, parts: partsWith(message.content, calls) };
}

function answerOf({ text, toolCalls, finish }: Said): object {
  return { role: "assistant", parts: partsWith(text, toolCalls), finish_reason: finish ?? "error" };
}

function partsWith(text: string, calls: readonly ModelToolCall[]): object[] {
  return [
    ...(text === "" ? [] : [{ type: "text", content: text }]),
    ...calls.map(({ id, name, input }) => ({ type: "tool_call", id, name, arguments: input })),
  ];
}
