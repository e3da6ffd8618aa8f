import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
} from "@ai-sdk/provider";
import type { JsonSchema, TraceContext } from "@interlock/contracts";
import type { ModelSettings } from "../mesh/index.ts";
import { traceHeaders } from "../telemetry/index.ts";
import type { FinishReason, ModelMessage, ModelTool } from "./types.ts";

/** What one attempt asks. */
export type Question = {
  messages: readonly ModelMessage[];
  tools?: readonly ModelTool[] | undefined;
  schema?: JsonSchema | undefined;
};

/** The question as the library takes it. */
export function callOptions(
  { messages, tools = [], schema }: Question,
  { temperature, maxTokens }: ModelSettings,
  signal: AbortSignal,
  trace: TraceContext,
): LanguageModelV4CallOptions {
  return {
    prompt: messages.map(toMessage),
    maxOutputTokens: maxTokens,
    abortSignal: signal,
    ...(trace.traceparent === undefined ? {} : { headers: traceHeaders(trace) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(schema ? { responseFormat: { type: "json", schema: toSchema(schema), name: "answer" } } : {}),
    ...(tools.length > 0
      ? {
          tools: tools.map(({ name, description, inputSchema }) => ({
            type: "function" as const,
            name,
            ...(description === undefined ? {} : { description }),
            inputSchema: toSchema(inputSchema),
          })),
        }
      : {}),
  };
}

/** The texts of a question, for counting. */
export function textsOf({ messages, tools = [], schema }: Question): string[] {
  return [
    ...messages.flatMap((message) => {
      if (message.role === "tool") return message.results.map(({ output }) => output);
      const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
      return [message.content, ...calls.map(({ input }) => JSON.stringify(input))];
    }),
    ...tools.map((tool) => JSON.stringify(tool)),
    ...(schema ? [JSON.stringify(schema)] : []),
  ];
}

function toMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return { role: "user", content: [{ type: "text", text: message.content }] };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(message.content === "" ? [] : [{ type: "text" as const, text: message.content }]),
          ...(message.toolCalls ?? []).map(({ id, name, input }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: name,
            input,
          })),
        ],
      };
    case "tool":
      return {
        role: "tool",
        content: message.results.map(({ id, name, output }) => ({
          type: "tool-result",
          toolCallId: id,
          toolName: name,
          output: { type: "text", value: output },
        })),
      };
    default:
      return message satisfies never;
  }
}

function toSchema(schema: JsonSchema): JSONSchema7 {
  return { ...schema };
}

const FINISH: Partial<Record<LanguageModelV4FinishReason["unified"], FinishReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "content_filter",
  "tool-calls": "tool_calls",
};

export function finishOf({ unified }: LanguageModelV4FinishReason): FinishReason {
  return FINISH[unified] ?? "other";
}

/** Whether the provider has said why its answer ended: without that, the answer was cut. */
export function hasEnded({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return raw !== undefined && unified !== "error" && unified !== "interrupted";
}
