import type { ModelProviderKind } from "../../mesh/index.ts";

/** What a provider sends, rebuilt by hand from its documentation. */
export type Format = {
  kind: ModelProviderKind;
  /** Of requests for the whole answer and for a stream, after the base URL. */
  paths: { whole: string; stream: string };
  model: string;
  /** The header that the key stands in. */
  key: readonly [name: string, value: string];
  whole: string;
  stream: string;
  /** Bytes of the stream's end that it does not need: the blank line after its last one, where that tells of the end alone. */
  spare: number;
  text: string;
  used: { inputTokens: number; cachedInputTokens: number; outputTokens: number; reasoningTokens: number };
};

const sse = (...events: (object | string)[]): string =>
  events.map((data) => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`).join("");

const chunk = (choices: object[], more: object = {}): object => ({
  id: "chatcmpl-BkQ1",
  object: "chat.completion.chunk",
  created: 1750000000,
  model: "gpt-4o-mini-2024-07-18",
  choices,
  ...more,
});
const delta = (content: object, finish: string | null = null, more: object = {}): object =>
  chunk([{ index: 0, delta: content, logprobs: null, finish_reason: finish, ...more }], { usage: null });

const OPENAI_USAGE = {
  prompt_tokens: 19,
  completion_tokens: 10,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 3, accepted_prediction_tokens: 0 },
};
const OPENAI_USED = { inputTokens: 19, cachedInputTokens: 4, outputTokens: 10, reasoningTokens: 3 };

/** https://platform.openai.com/docs/api-reference/chat/create and /chat/streaming */
const openai: Format = {
  kind: "openai",
  paths: { whole: "/chat/completions", stream: "/chat/completions" },
  model: "gpt-4o-mini",
  key: ["authorization", "Bearer test-key"],
  whole: JSON.stringify({
    id: "chatcmpl-BkQ1",
    object: "chat.completion",
    created: 1750000000,
    model: "gpt-4o-mini-2024-07-18",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Hello! How?", refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: OPENAI_USAGE,
    service_tier: "default",
  }),
  stream: sse(
    delta({ role: "assistant", content: "", refusal: null }),
    delta({ content: "Hello" }),
    delta({ content: "! How?" }),
    delta({}, "stop"),
    chunk([], { usage: OPENAI_USAGE }),
    "[DONE]",
  ),
  spare: 1,
  text: "Hello! How?",
  used: OPENAI_USED,
};

const FILTER = { hate: { filtered: false, severity: "safe" } };

/** https://learn.microsoft.com/azure/ai-foundry/openai/: OpenAI's format with the content filter's findings. */
const azure: Format = {
  ...openai,
  kind: "azure",
  model: "my-deployment",
  key: ["api-key", "test-key"],
  stream: sse(
    chunk([], { prompt_filter_results: [{ prompt_index: 0, content_filter_results: FILTER }] }),
    delta({ role: "assistant", content: "" }, null, { content_filter_results: {} }),
    delta({ content: "Hello" }, null, { content_filter_results: FILTER }),
    delta({ content: "! How?" }, null, { content_filter_results: FILTER }),
    delta({}, "stop", { content_filter_results: {} }),
    chunk([], { usage: OPENAI_USAGE }),
    "[DONE]",
  ),
};

const named = (...events: { type: string; [member: string]: unknown }[]): string =>
  events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join("");
const textBlock = (text: string) => ({
  type: "content_block_delta",
  index: 0,
  delta: { type: "text_delta", text },
});

/** https://docs.claude.com/en/api/messages and /messages-streaming */
const anthropic: Format = {
  kind: "anthropic",
  paths: { whole: "/messages", stream: "/messages" },
  model: "claude-sonnet-4-5",
  key: ["x-api-key", "test-key"],
  whole: JSON.stringify({
    id: "msg_01",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text: "Hello! How?" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: 15,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 4,
      output_tokens: 10,
    },
  }),
  stream: named(
    {
      type: "message_start",
      message: {
        id: "msg_01",
        type: "message",
        role: "assistant",
        content: [],
        model: "claude-sonnet-4-5",
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 15,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 4,
          output_tokens: 1,
        },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "ping" },
    textBlock("Hello"),
    textBlock("! How?"),
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: "message_stop" },
  ),
  spare: 0,
  text: "Hello! How?",
  // The provider tells what it read from its cache beside the rest of the input.
  used: { inputTokens: 19, cachedInputTokens: 4, outputTokens: 10, reasoningTokens: 0 },
};

const candidate = (text: string, more: object = {}) => ({
  candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0, ...more }],
});
const GEMINI_USAGE = {
  usageMetadata: {
    promptTokenCount: 19,
    candidatesTokenCount: 7,
    thoughtsTokenCount: 3,
    totalTokenCount: 29,
    cachedContentTokenCount: 4,
  },
  modelVersion: "gemini-2.5-flash",
  responseId: "aBc",
};

/** https://ai.google.dev/api/generate-content */
const google: Format = {
  kind: "google",
  paths: {
    whole: "/models/gemini-2.5-flash:generateContent",
    stream: "/models/gemini-2.5-flash:streamGenerateContent?alt=sse",
  },
  model: "gemini-2.5-flash",
  key: ["x-goog-api-key", "test-key"],
  whole: JSON.stringify({ ...candidate("Hello! How?", { finishReason: "STOP" }), ...GEMINI_USAGE }),
  stream: [
    { ...candidate("Hello"), ...GEMINI_USAGE },
    { ...candidate("! How?", { finishReason: "STOP" }), ...GEMINI_USAGE },
  ]
    .map((data) => `data: ${JSON.stringify(data)}\r\n\r\n`)
    .join(""),
  spare: 0,
  text: "Hello! How?",
  // Thoughts are counted beside the answer.
  used: { inputTokens: 19, cachedInputTokens: 4, outputTokens: 10, reasoningTokens: 3 },
};

const vertex: Format = { ...google, kind: "vertex" };

const compatible: Format = { ...openai, kind: "openai_compatible", model: "llama" };

export const FORMATS: readonly Format[] = [openai, compatible, azure, anthropic, google, vertex];
