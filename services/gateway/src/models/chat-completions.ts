import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { ModelSettings, ModelSpec } from "../mesh/index.ts";
import { AttemptFailure } from "./failure.ts";
import type { Question } from "./sdk-prompt.ts";
import type { FinishReason, ModelMessage, ModelToolCall } from "./types.ts";

/** The body of a request in OpenAI's format. */
export function requestOf(
  { modelId, provider }: ModelSpec,
  { messages, tools = [], schema }: Question,
  { maxTokens, temperature }: ModelSettings,
  stream: boolean,
): string {
  const form = provider.structuredOutputs
    ? { type: "json_schema", json_schema: { schema, strict: true, name: "answer" } }
    : { type: "json_object" };
  return JSON.stringify({
    model: modelId,
    max_tokens: maxTokens,
    temperature,
    ...(schema ? { response_format: form } : {}),
    messages: messages.flatMap(toMessages),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: "function",
            function: { name, description, parameters: inputSchema },
          })),
        }
      : {}),
    ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  });
}

function toMessages(message: ModelMessage): object[] {
  switch (message.role) {
    case "system":
    case "user":
      return [{ role: message.role, content: message.content }];
    case "assistant": {
      const calls = message.toolCalls ?? [];
      if (calls.length === 0) return [{ role: "assistant", content: message.content }];
      return [
        {
          role: "assistant",
          content: message.content === "" ? null : message.content,
          tool_calls: calls.map(({ id, name, input }) => ({
            id,
            type: "function",
            function: { name, arguments: JSON.stringify(input) },
          })),
        },
      ];
    }
    case "tool":
      return message.results.map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: output }));
    default:
      return message satisfies never;
  }
}

/** What is read of a choice's message, or of what a stream adds to it. Servers add members of their own. */
type Content = {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: unknown;
};

/** One answer, or one event of a stream. */
export type Completion = {
  content: string;
  thought: string;
  calls: readonly CallDelta[];
  finish: FinishReason | undefined;
  usage: LanguageModelV4Usage | undefined;
};

type CallDelta = { index: number; id?: string; name?: string; input: string };

/** @returns undefined where it is not valid, or reports an error */
export function completionIn(text: string): Completion | undefined {
  const value = asObject(parsed(text));
  if (!value || (value.error !== undefined && value.error !== null)) return undefined;
  const choices: unknown = value.choices;
  const choice = Array.isArray(choices) ? asObject(choices[0]) : undefined;
  const said: Content = asObject(choice?.delta ?? choice?.message) ?? {};
  const reason = choice?.finish_reason;
  return {
    content: textIn(said.content),
    thought: textIn(said.reasoning_content) || textIn(said.reasoning),
    calls: Array.isArray(said.tool_calls) ? said.tool_calls.map(callIn) : [],
    finish: typeof reason === "string" ? (FINISH[reason] ?? "other") : undefined,
    usage: usageIn(asObject(value.usage)),
  };
}

const FINISH: Partial<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content_filter",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
};

function callIn(value: unknown, at: number): CallDelta {
  const call = asObject(value);
  const does = asObject(call?.function);
  return {
    index: typeof call?.index === "number" ? call.index : at,
    ...(typeof call?.id === "string" ? { id: call.id } : {}),
    ...(typeof does?.name === "string" ? { name: does.name } : {}),
    input: textIn(does?.arguments),
  };
}

/** Puts the calls of an answer together, piece by piece. */
export class ToolCalls {
  readonly #calls = new Map<number, { id: string; name: string; input: string }>();

  add({ index, id, name, input }: CallDelta): void {
    const call = this.#calls.get(index);
    if (call) call.input += input;
    else this.#calls.set(index, { id: id ?? `call_${index}`, name: name ?? "", input });
  }

  /** @throws AttemptFailure where one has arguments that are no JSON */
  all(): ModelToolCall[] {
    return [...this.#calls.values()].map(({ id, name, input }) => {
      try {
        return { id, name, input: JSON.parse(input || "{}") };
      } catch {
        throw new AttemptFailure("invalid_output");
      }
    });
  }
}

/** As the other formats' library has it: what is no number is judged where usage is. */
function usageIn(usage: Record<string, unknown> | undefined): LanguageModelV4Usage | undefined {
  if (!usage) return undefined;
  const count = (value: unknown) => (typeof value === "number" ? value : undefined);
  const cached = count(asObject(usage.prompt_tokens_details)?.cached_tokens);
  const reasoning = count(asObject(usage.completion_tokens_details)?.reasoning_tokens);
  return {
    inputTokens: {
      total: count(usage.prompt_tokens),
      cacheRead: cached,
      noCache: undefined,
      cacheWrite: undefined,
    },
    outputTokens: { total: count(usage.completion_tokens), reasoning, text: undefined },
  };
}

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
