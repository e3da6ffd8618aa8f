import type { ChatRequest } from "#contract";
import { chatDialect } from "./dialects.ts";
import { AbortedError, type StreamPlace } from "./errors.ts";
import type { EventStream } from "./event-stream.ts";
import type { ChatEvent, ChatResult } from "./events.ts";
import type { Position } from "./follow.ts";
import { isEventStream } from "./frames.ts";
import { idempotent } from "./idempotency.ts";
import { AS_STREAM, eventsCall, runStream } from "./run-stream.ts";
import { checkId, keepaliveQuery } from "./settings.ts";
import type { Answer, Transport } from "./transport.ts";

export type ChatOptions = {
  sessionId: string;
  conversationId?: string;
  inputs?: Readonly<Record<string, unknown>>;
  /** Run a plan even if one agent could answer the message. */
  plan?: boolean;
  /** A hint: the gateway decides which model it uses. */
  model?: string;
  /**
   * What the gateway does with the run when the connection is lost. By default a plan continues and a simple
   * ask is cancelled. With `continue` a simple ask continues too, so the client can resume its stream.
   */
  onDisconnect?: "continue" | "cancel";
  /** What the gateway does while another run of the session is active. */
  multitask?: "refuse" | "enqueue";
  /** Requests with the same key start one run. By default each call generates a key of its own. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

export type ChatStream = EventStream<ChatEvent, ChatResult>;

/** One turn of a conversation. */
export function chat(transport: Transport, message: string, options: ChatOptions): ChatStream {
  const { sessionId, conversationId, inputs, plan, model, onDisconnect, multitask, signal } = options;
  const body: ChatRequest = {
    message,
    session_id: checkId(sessionId, "sessionId"),
    ...(conversationId === undefined ? {} : { conversation_id: checkId(conversationId, "conversationId") }),
    ...(inputs === undefined ? {} : { inputs: { ...inputs } }),
  };
  const keepalive = keepaliveQuery(transport.settings);
  const query = { stream: true, plan, model, on_disconnect: onDisconnect, multitask, ...keepalive };
  const post = { method: "POST", path: "/chat", query, body, headers: AS_STREAM } as const;
  const call = idempotent(post, options.idempotencyKey);
  const position: Position = { runId: undefined, seq: 0, phase: "open" };

  const connect = async (place: StreamPlace, scope: AbortSignal): Promise<Answer> => {
    if (place.runId === undefined) {
      // Every attempt carries the same Idempotency-Key, so a retry does not start a second run.
      const answer = await transport.send(call, scope);
      position.runId = answer.response.headers.get("x-run-id") ?? undefined;
      if (position.runId === undefined || isEventStream(answer.response)) return answer;
      // The gateway replayed the stored answer of an earlier attempt.
      // It names the run; read the run's log instead.
      answer.close();
    }
    return await transport.send(eventsCall(position, "chat", keepalive), scope);
  };

  const turn = { dialect: chatDialect, settings: transport.settings, position, connect } as const;
  return runStream(turn, resultOfTurn, signal);
}

/**
 * A turn that was read to its end has a result, so a missing result means that the caller left the stream.
 */
function resultOfTurn(result: ChatResult | undefined): ChatResult {
  if (!result) throw new AbortedError();
  return result;
}
