import { randomUUID } from "node:crypto";
import type { Behaviour } from "./behaviour.ts";

/** As much of a request as the server reads. */
export type ChatRequest = {
  model: string;
  stream: boolean;
  /** Whether the client asks for usage at the end of a stream. */
  includesUsage: boolean;
  lastMessage: string;
  /** What the user said last, and how often the model was asked since: 1 for the first time. */
  userMessage: string;
  round: number;
  promptBytes: number;
};

export function readChatRequest(body: unknown): ChatRequest | undefined {
  if (!isObject(body) || typeof body.model !== "string" || !Array.isArray(body.messages)) return undefined;
  const last: unknown = body.messages.at(-1);
  const content = isObject(last) ? last.content : "";
  const messages = body.messages.filter(isObject);
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const user = messages[asked]?.content;
  return {
    model: body.model,
    stream: body.stream === true,
    includesUsage: isObject(body.stream_options) && body.stream_options.include_usage === true,
    lastMessage: typeof content === "string" ? content : "",
    userMessage: typeof user === "string" ? user : "",
    round: messages.slice(asked + 1).filter(({ role }) => role === "assistant").length + 1,
    promptBytes: Buffer.byteLength(JSON.stringify(body.messages)),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What the server says, token by token: words with the blank before them. */
export function tokensOf(request: ChatRequest, { say, empty, tool, calls }: Behaviour): string[] {
  if (empty || (say === undefined && (tool !== undefined || calls))) return [];
  const text = say ?? `You said: ${request.lastMessage}`;
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

export function usageOf(request: ChatRequest, tokens: number, { usage }: Behaviour): object | undefined {
  const input = Math.ceil(request.promptBytes / 4);
  const report = (prompt_tokens: unknown, completion_tokens: unknown, more: object = {}) => ({
    prompt_tokens,
    completion_tokens,
    total_tokens: Number(prompt_tokens) + Number(completion_tokens),
    ...more,
  });
  switch (usage) {
    case "none":
      return undefined;
    case "zero":
      return report(0, 0);
    case "negative":
      return report(-input, -tokens);
    case "huge":
      return report(1e15, 1e15);
    case "text":
      return report("many", "more");
    case "cached":
      return report(input, tokens + 7, {
        prompt_tokens_details: { cached_tokens: Math.floor(input / 2) },
        completion_tokens_details: { reasoning_tokens: 7 },
      });
    default:
      return report(input, tokens);
  }
}

/** A whole answer, as JSON. */
export function wholeAnswer(request: ChatRequest, behaviour: Behaviour): string {
  if (behaviour.malformed) return '{"id":"chatcmpl-1","object":"chat.comp';
  const tokens = tokensOf(request, behaviour);
  const usage = usageOf(request, tokens.length, behaviour);
  return JSON.stringify({
    ...envelope(request, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: tokens.join(""), ...toolCalls(behaviour) },
        finish_reason: isCalling(behaviour) ? "tool_calls" : "stop",
      },
    ],
    ...(usage ? { usage } : {}),
  });
}

/** One event of a stream, and whether it is a token. */
export type Frame = { text: string; token?: boolean };

/** A stream's events, as OpenAI sends them: role, content, finish reason, usage, [DONE]. */
export function framesOf(request: ChatRequest, behaviour: Behaviour): Frame[] {
  const same = envelope(request, "chat.completion.chunk");
  const chunk = (choices: object[], more: object = {}) => event({ ...same, choices, ...more });
  const delta = (content: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: content, finish_reason: finish }]);
  const tokens = tokensOf(request, behaviour);
  const usage = usageOf(request, tokens.length, behaviour);
  const frames: Frame[] = [{ text: delta({ role: "assistant", content: "" }) }];
  if (isCalling(behaviour)) frames.push({ text: delta(toolCalls(behaviour)), token: true });
  for (const [at, content] of tokens.entries()) {
    if (at === behaviour.errorAfter) frames.push(errorFrame());
    frames.push({ text: delta({ content }), token: true });
  }
  if (behaviour.errorAfter !== undefined && behaviour.errorAfter >= tokens.length) frames.push(errorFrame());
  if (behaviour.malformed) frames.push({ text: 'data: {"id":"chatcmpl-1","choi\n\n' });
  frames.push({ text: delta({}, isCalling(behaviour) ? "tool_calls" : "stop") });
  const told = usage && request.includesUsage ? [{ text: chunk([], { usage }) }] : [];
  const done = { text: "data: [DONE]\n\n" };
  return [...frames, ...(behaviour.usage === "late" ? [done, ...told] : [...told, done])];
}

function errorFrame(): Frame {
  return { text: event({ error: { message: "overloaded", type: "server_error", code: null, param: null } }) };
}

const isCalling = ({ tool, calls }: Behaviour): boolean => tool !== undefined || calls !== undefined;

function toolCalls({ tool, toolBroken, calls }: Behaviour): object {
  if (calls)
    return {
      tool_calls: calls.map(({ name, arguments: args }, index) => ({
        ...{ index, id: `call_${index + 1}`, type: "function" },
        function: { name, arguments: JSON.stringify(args) },
      })),
    };
  if (tool === undefined) return {};
  const args = toolBroken ? '{"limit": ' : '{"limit":3}';
  return {
    tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: tool, arguments: args } }],
  };
}

function envelope({ model }: ChatRequest, object: string) {
  return { id: `chatcmpl-${randomUUID()}`, object, created: Math.floor(Date.now() / 1000), model };
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
