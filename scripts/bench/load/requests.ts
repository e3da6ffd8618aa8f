import type { Request } from "./http.ts";

/** Whom the load talks to: the gateway, or the agent itself in its place. */
export type Side = "gateway" | "agent";

/** What the reference agent is asked for. */
export type Work = { readonly events?: number; readonly every_ms?: number; readonly mark?: string };

let asked = 0;

/** A name of its own for every session, so that each ask is a new conversation. */
export function nextId(): string {
  return `b${process.pid}-${++asked}`;
}

export function ask(side: Side, work: Work = {}): Request {
  return side === "agent"
    ? agentRequest("sync", work)
    : { path: "/api/v1/chat", body: chatBody("work", nextId(), work) };
}

/** The same as a stream. Where its reader goes away, it ends. */
export function stream(side: Side, work: Work): Request {
  return side === "agent"
    ? agentRequest("stream", work)
    : {
        path: "/api/v1/chat?stream=true&on_disconnect=cancel",
        body: chatBody("work", nextId(), work),
      };
}

/** Asks for what waits for a decision. */
export function gated(mark: string): Request {
  return { path: "/api/v1/chat", body: chatBody("approve", mark, { mark }) };
}

export function approve(runId: string): Request {
  return { path: "/api/v1/chat/approve", body: `{"thread_id":"${runId}"}` };
}

/** Follows a run that is under way, as one more reader. */
export function follow(runId: string): Request {
  return { path: `/api/v1/runs/${runId}/events?dialect=chat`, method: "GET" };
}

/** Asks the whole mesh; without inputs, the flow takes its own catalogue. */
export function conversation(message: string, streams: boolean): Request {
  const body = JSON.stringify({ message, session_id: nextId() });
  return { path: `/api/v1/chat${streams ? "?stream=true" : ""}`, body };
}

export type Answered = (text: string) => boolean;

export const isDone: Readonly<Record<Side, Answered>> = {
  gateway: (text) => text.includes('"message":"done"') && text.includes('"done":true'),
  agent: (text) => text.includes('"status":"ok"'),
};

/** What an event of a stream is: one of the agent's, the last one, or another. */
export function kindOf(side: Side, frame: string): "event" | "last" | "other" {
  if (side === "agent") {
    if (frame.startsWith("event: progress")) return "event";
    return frame.startsWith("event: final") ? "last" : "other";
  }
  if (frame.includes('"progress":{"i":')) return "event";
  return frame.includes('"done":true') ? "last" : "other";
}

function agentRequest(mode: "sync" | "stream", work: Work): Request {
  return {
    path: `/agents/run/${mode}`,
    body: JSON.stringify({ request_id: nextId(), task_type: "WORK", inputs: work }),
  };
}

function chatBody(message: string, session: string, inputs: Work): string {
  return JSON.stringify({ message, session_id: session, inputs });
}
