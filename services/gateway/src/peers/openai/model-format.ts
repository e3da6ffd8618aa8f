import type { CompletionMessage, CompletionRequest, JsonSchema, TraceContext } from "@interlock/contracts";
import type { Caller } from "../../caller.ts";
import { GatewayError } from "../../errors.ts";
import { errorOf } from "./error.ts";

type ToolCall = { id: string; name: string; input: unknown };

type Message =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string; toolCalls?: readonly ToolCall[] }
  | { role: "tool"; results: readonly { id: string; name: string; output: string }[] };

/** A request as models/ takes it. */
export type CompletionCall = {
  task: string;
  messages: readonly Message[];
  tools?: readonly { name: string; description?: string; inputSchema: JsonSchema }[];
  schema?: JsonSchema;
  hint?: string | undefined;
  caller: Caller;
  sessionId: undefined;
  trace: TraceContext;
  maxTokens?: number;
  temperature?: number;
  disableFallbacks?: boolean;
  /** Whether the caller may use this model as a fallback. */
  mayAsk?: (model: string) => boolean;
  /** Called with the model that answers, before its first token. */
  onModel?: (model: string) => void;
  signal: AbortSignal;
};

export type CompletionAnswer = {
  text: string;
  toolCalls: readonly ToolCall[];
  finish: "stop" | "length" | "content_filter" | "tool_calls" | "other";
  model: string;
  used: {
    inputTokens: number;
    cachedInputTokens: number;
    outputTokens: number;
    reasoningTokens: number;
  };
};

export type CompletionPart =
  | { type: "text"; text: string }
  | { type: "tool_call"; call: ToolCall }
  | { type: "final"; answer: CompletionAnswer };

type Asked = Omit<CompletionCall, "task" | "caller" | "trace" | "signal">;

/** Reads a request. @throws GatewayError invalid_request for members that exclude each other */
export function callOf(body: CompletionRequest): Asked {
  const { messages, tools, tool_choice, response_format: format } = body;
  const most = body.max_completion_tokens ?? body.max_tokens;
  if (format && format.type !== "text" && body.stream)
    throw new GatewayError("invalid_request", "An answer with a response_format is checked, not streamed.");
  return {
    messages: messages.map((message) => messageOf(message, messages)),
    hint: body.model,
    sessionId: undefined,
    ...(tools && tool_choice !== "none"
      ? {
          tools: tools.map(({ function: { name, description, parameters } }) => ({
            name,
            ...(description === undefined ? {} : { description }),
            inputSchema: parameters ?? { type: "object", properties: {} },
          })),
        }
      : {}),
    ...(format && format.type !== "text" ? { schema: format.json_schema?.schema ?? { type: "object" } } : {}),
    ...(most === undefined ? {} : { maxTokens: most }),
    ...(body.temperature === undefined ? {} : { temperature: body.temperature }),
    ...(body.disable_fallbacks === undefined ? {} : { disableFallbacks: body.disable_fallbacks }),
  };
}

function messageOf(message: CompletionMessage, all: readonly CompletionMessage[]): Message {
  const text = textOf(message.content);
  const { role, tool_calls: calls = [], tool_call_id: id = "" } = message;
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", content: text };
    case "user":
      return { role, content: text };
    case "assistant":
      return {
        role,
        content: text,
        toolCalls: calls.map(({ id, function: { name, arguments: input } }) => ({
          id,
          name,
          input: parsed(input),
        })),
      };
    case "tool": {
      const called = all.flatMap((one) => one.tool_calls ?? []).find((call) => call.id === id);
      if (!called) throw new GatewayError("invalid_request", "A tool's result answers no call before it.");
      return { role, results: [{ id, name: called.function.name, output: text }] };
    }
    default:
      return role satisfies never;
  }
}

function textOf(content: CompletionMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => text).join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GatewayError("invalid_request", "The arguments of a tool call are no JSON.");
  }
}

/** A whole answer. */
export function answerOf(answer: CompletionAnswer, id: string): object {
  const { text, toolCalls, model } = answer;
  return {
    id: `chatcmpl-${id}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" && toolCalls.length > 0 ? null : text,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls.map(toolCallOf) } : {}),
        },
        finish_reason: finishOf(answer),
      },
    ],
    usage: usageOf(answer),
  };
}

/** The events of a stream. All but the tokens are the same in each of them. */
export function chunks({ id, model, usage }: { id: string; model: string; usage: boolean }) {
  const created = Math.floor(Date.now() / 1000);
  const same = JSON.stringify({ id: `chatcmpl-${id}`, object: "chat.completion.chunk", created, model });
  const head = `data: ${same.slice(0, -1)},"choices":[{"index":0,"delta":`;
  const chunk = (delta: string, finish = "null") => `${head}${delta},"finish_reason":${finish}}]}\n\n`;
  let calls = 0;
  return {
    begin: chunk('{"role":"assistant","content":""}'),
    of(part: CompletionPart): string {
      switch (part.type) {
        case "text":
          return chunk(`{"content":${JSON.stringify(part.text)}}`);
        case "tool_call":
          return chunk(JSON.stringify({ tool_calls: [{ index: calls++, ...toolCallOf(part.call) }] }));
        case "final": {
          const end = chunk("{}", JSON.stringify(finishOf(part.answer)));
          if (!usage) return end;
          return `${end}data: ${same.slice(0, -1)},"choices":[],"usage":${JSON.stringify(usageOf(part.answer))}}\n\n`;
        }
        default:
          return part satisfies never;
      }
    },
    failed: (error: GatewayError): string => `data: ${JSON.stringify({ error: errorOf(error) })}\n\n`,
    done: "data: [DONE]\n\n",
  };
}

function toolCallOf({ id, name, input }: ToolCall) {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}

const finishOf = ({ finish }: CompletionAnswer): string => (finish === "other" ? "stop" : finish);

/** The usage of all attempts, since all of them were charged. */
function usageOf({ used }: CompletionAnswer): object {
  return {
    prompt_tokens: used.inputTokens,
    completion_tokens: used.outputTokens,
    total_tokens: used.inputTokens + used.outputTokens,
    prompt_tokens_details: { cached_tokens: used.cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: used.reasoningTokens },
  };
}
