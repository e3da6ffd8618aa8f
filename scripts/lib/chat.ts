import { createParser, type EventSourceMessage } from "eventsource-parser";

/** One event of the chat stream, as far as the scripts look at it. */
export interface ChatEvent {
  readonly seq: number;
  readonly done: boolean;
  readonly node?: string;
  readonly thread_id?: string;
  readonly token?: string;
  readonly tool_call?: {
    readonly name: string;
    readonly status: string;
    readonly agent?: string;
    readonly duration_ms?: number;
    readonly outputs?: unknown;
    readonly error?: string;
    readonly code?: string;
  };
  readonly progress?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly error?: string;
  readonly code?: string;
  readonly retryable?: boolean;
}

/** The stream broke its own rules, or was no stream. */
export class ChatStreamError extends Error {
  readonly code = "CHAT_STREAM";
}

export const COMPOSITE_ASK = "Propose Q1 prices that respect the hierarchy, then explain the drivers";

export interface ChatAsk {
  readonly message: string;
  readonly session_id: string;
  readonly inputs?: object;
}

/** Asks the gateway. The events come as they arrive; the last one has `done: true`, or this throws. */
export async function* askChat(
  gateway: string,
  ask: ChatAsk,
  signal?: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const response = await fetch(`${gateway}/api/v1/chat?stream=true`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify(ask),
    ...(signal ? { signal } : {}),
  });
  if (
    !response.ok ||
    !response.body ||
    !response.headers.get("content-type")?.startsWith("text/event-stream")
  ) {
    const text = (await response.text()).slice(0, 500);
    throw new ChatStreamError(`the gateway answered ${response.status} instead of a stream: ${text}`);
  }
  yield* readChat(response.body);
}

/** Holds a stream to its rules: `seq` dense from 1, the id says the same, `done` once and last. */
export async function* readChat(body: AsyncIterable<Uint8Array>): AsyncGenerator<ChatEvent> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => arrived.push(event) });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let last = 0;
  let done = false;
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    for (const { id, data } of arrived.splice(0)) {
      const event = JSON.parse(data) as ChatEvent;
      if (done) throw new ChatStreamError("an event came after the last one");
      if (event.seq !== last + 1) throw new ChatStreamError(`event ${event.seq} came after event ${last}`);
      if (id !== String(event.seq)) throw new ChatStreamError(`event ${event.seq} has the id ${id}`);
      last = event.seq;
      done = event.done === true;
      yield event;
    }
  }
  if (!done) throw new ChatStreamError(`the stream ended after event ${last} without its done: true`);
}
