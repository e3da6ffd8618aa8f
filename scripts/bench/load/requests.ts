import type { Request } from "./http.ts";

/** Whom the load talks to: the gateway, or the agent without it. */
export type Side = "gateway" | "agent";

/** What the reference agent is asked for. */
export type Work = { readonly events?: number; readonly every_ms?: number; readonly mark?: string };

/** What is asked again and again, and how a good answer looks. */
export type Question = { ask(): Request; isAnswer(text: string): boolean };

/** A session of its own for each request, so that each ask is a new conversation. Short, because Redis keeps it. */
export function nextId(): string {
  return `b${crypto.randomUUID().slice(0, 13)}`;
}

/** The simple ask. */
export const askOf: Readonly<Record<Side, Question>> = {
  gateway: {
    ask: () => chat("", "work", {}),
    isAnswer: (text) => text.includes('"message":"done"') && text.includes('"done":true'),
  },
  agent: { ask: () => agentRequest("sync", {}), isAnswer: (text) => text.includes('"status":"ok"') },
};

/** A stream of the agent's events. The run ends when its reader leaves. */
export function stream(side: Side, work: Work): Request {
  return side === "agent"
    ? agentRequest("stream", work)
    : chat("?stream=true&on_disconnect=cancel", "work", work);
}

/** Asks for what waits for a decision. */
export function gated(mark: string): Request {
  return chat("", "approve", { mark });
}

export function approve(runId: string): Request {
  return { path: "/api/v1/chat/approve", body: `{"thread_id":"${runId}"}` };
}

/** Follows a run that is under way, as one more reader. */
export function follow(runId: string): Request {
  return { path: `/api/v1/runs/${runId}/events?dialect=chat`, method: "GET" };
}

/** Asks the whole mesh for a pricing plan; without inputs, the flow takes its own catalogue. */
export function pricingReview(query: "" | "?stream=true"): Request {
  return chat(query, "pricing review", undefined);
}

/** What an event of a stream is: one of the agent's, the last one, or another. */
export function kindOf(side: Side, frame: string): "event" | "last" | "other" {
  if (side === "agent") {
    if (frame.startsWith("event: progress")) return "event";
    return frame.startsWith("event: final") ? "last" : "other";
  }
  if (frame.includes('"progress":{"i":')) return "event";
  return frame.includes('"done":true') ? "last" : "other";
}

function chat(query: string, message: string, inputs: Work | undefined): Request {
  return {
    path: `/api/v1/chat${query}`,
    body: JSON.stringify({ message, session_id: nextId(), inputs }),
  };
}

function agentRequest(mode: "sync" | "stream", work: Work): Request {
  return {
    path: `/agents/run/${mode}`,
    body: JSON.stringify({ request_id: nextId(), task_type: "WORK", inputs: work }),
  };
}
