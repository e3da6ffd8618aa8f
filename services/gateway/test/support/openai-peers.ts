import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import OpenAI from "openai";

/** How a peer is used: who asks which service what, and in which session. */
export type PeerAsk = {
  url: string;
  message: string;
  headers: Record<string, string>;
  service?: string;
  session: string;
  signal?: AbortSignal;
};

/** What a peer's library makes of a whole answer. What is no whole answer is an error of the library, with what {@link failureOf} finds. */
export type Peer = {
  name: string;
  /** What {@link failureOf} finds where the answer, or the call within it, is refused with a status and a code of the API. */
  refusal(status: number, code: string): { status?: number; code?: string };
  /** Whether a failure on the way has no status, since the answer has begun, or is one. */
  streams?: true;
  /** Whether what is asked goes on without its client, and is cancelled by a call of its own. */
  goesOn?: true;
  ask(asked: PeerAsk): Promise<string>;
  /** @param onBegun called when the stream has begun */
  stream(asked: PeerAsk, onBegun?: () => void): Promise<string>;
};

export const openAi = ({ url, headers }: Pick<PeerAsk, "url" | "headers">): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", defaultHeaders: headers, maxRetries: 0 });

const refusal: Peer["refusal"] = (status, code) => ({ status, code });
const modelOf = ({ service = "auto" }: PeerAsk): string => `interlock/${service}`;
const signalOf = ({ signal }: PeerAsk) => (signal ? { signal } : {});

const chatCompletions: Peer = {
  name: "openai, chat completions",
  refusal,
  async ask(asked) {
    const { message, session } = asked;
    const answer = await openAi(asked).chat.completions.create(
      {
        model: modelOf(asked),
        messages: [{ role: "user", content: message }],
        metadata: { session_id: session },
      },
      signalOf(asked),
    );
    return answer.choices[0]?.message.content ?? "";
  },
  async stream(asked, onBegun) {
    const { message, session } = asked;
    const stream = await openAi(asked).chat.completions.create(
      {
        model: modelOf(asked),
        messages: [{ role: "user", content: message }],
        metadata: { session_id: session },
        stream: true,
      },
      signalOf(asked),
    );
    let text = "";
    let finish: string | null = null;
    for await (const chunk of stream) {
      onBegun?.();
      text += chunk.choices[0]?.delta.content ?? "";
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    if (finish !== "stop") throw new Error("the stream ended without its end");
    return text;
  },
};

const responses: Peer = {
  name: "openai, responses",
  refusal,
  async ask(asked) {
    const answer = await openAi(asked).responses.create(
      { model: modelOf(asked), input: asked.message, metadata: { session_id: asked.session } },
      signalOf(asked),
    );
    return answer.output_text;
  },
  async stream(asked, onBegun) {
    const stream = await openAi(asked).responses.create(
      { model: modelOf(asked), input: asked.message, metadata: { session_id: asked.session }, stream: true },
      signalOf(asked),
    );
    let text = "";
    for await (const event of stream) {
      onBegun?.();
      if (event.type === "response.output_text.delta") text += event.delta;
      if (event.type === "response.failed") throw Object.assign(new Error("failed"), event.response.error);
      if (event.type === "response.completed" || event.type === "response.incomplete") return text;
    }
    throw new Error("the stream ended without its end");
  },
};

const aiSdk: Peer = {
  name: "AI SDK, openai-compatible",
  refusal,
  async ask(asked) {
    const { content } = await aiModel(asked).doGenerate(promptOf(asked));
    return content.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
  },
  async stream(asked, onBegun) {
    const { stream } = await aiModel(asked).doStream(promptOf(asked));
    let text = "";
    let finish = "";
    for await (const part of stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "text-delta") text += part.delta;
      if (part.type === "finish") finish = part.finishReason.unified;
      if (part.type !== "stream-start") onBegun?.();
    }
    if (finish !== "stop") throw new Error("the stream ended without its end");
    return text;
  },
};

const aiModel = (asked: PeerAsk) =>
  createOpenAICompatible({
    name: "interlock",
    baseURL: `${asked.url}/v1`,
    headers: { ...asked.headers, "x-session-id": asked.session },
  })(modelOf(asked));

const promptOf = (asked: PeerAsk) => ({
  prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: asked.message }] }],
  ...(asked.signal ? { abortSignal: asked.signal } : {}),
});

export const OPENAI_PEERS: readonly Peer[] = [chatCompletions, responses, aiSdk];

/** Status and code of what a peer's library threw; a status only where the answer was an error as a whole. */
export function failureOf(error: unknown): { status?: number; code?: string } {
  const { status, statusCode, code, error: said, responseBody, data, message, cause } = Object(error);
  // What the gateway said comes before what the library makes of it.
  const found = [
    data?.code,
    parsed(data?.text)?.error?.data?.code,
    said?.code,
    data?.error?.code,
    parsed(responseBody)?.error?.code,
    parsed(message)?.code,
    ...(cause === undefined ? [] : [failureOf(cause).code]),
    code,
  ];
  const known = found.find((one) => typeof one === "string" && /^[A-Za-z_]+\d*$/.test(one));
  const number = status ?? statusCode ?? data?.status;
  return {
    ...(number === undefined ? {} : { status: number }),
    ...(known === undefined ? {} : { code: known }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON value
function parsed(text: unknown): any {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
