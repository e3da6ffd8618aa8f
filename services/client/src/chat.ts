import type { ChatRequest } from "@interlock/contracts/types";
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
  /** Forces a plan, where a simple ask would do. */
  plan?: boolean;
  /** A hint; the gateway chooses. */
  model?: string;
  /**
   * What becomes of the run where the connection is lost. Absent: a plan goes on, a simple ask is cancelled; `continue` lets a simple
   * ask, too, outlive a cut and be resumed.
   */
  onDisconnect?: "continue" | "cancel";
  /** What happens while another run of the session is under way. */
  multitask?: "refuse" | "enqueue";
  /** The same key, the same run. Made anew for each call where it is absent. */
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
      // Sent again where no answer was had: by its key the gateway knows it for the same turn.
      const answer = await transport.send(call, scope);
      position.runId = answer.response.headers.get("x-run-id") ?? undefined;
      if (position.runId === undefined || isEventStream(answer.response)) return answer;
      // The stored answer of an earlier attempt: it names the run, whose events are read like any other's.
      answer.close();
    }
    return await transport.send(eventsCall(position, "chat", keepalive), scope);
  };

  const turn = { dialect: chatDialect, settings: transport.settings, position, connect } as const;
  return runStream(turn, resultOfTurn, signal);
}

/** A turn that was read whole has an end: without one it was left. */
function resultOfTurn(result: ChatResult | undefined): ChatResult {
  if (!result) throw new AbortedError();
  return result;
}
