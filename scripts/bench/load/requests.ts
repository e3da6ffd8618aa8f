import type { Request } from "./http.ts";

/** Where the load goes: to the gateway, or directly to the agent. */
export type Side = "gateway" | "agent";

/** Inputs of the reference agent. */
export type Work = { readonly events?: number; readonly every_ms?: number; readonly mark?: string };

/** A repeated request, and the check of its answer. */
export type Question = { ask(): Request; isAnswer(text: string): boolean };

/** A new session id for each request, so that each ask starts a conversation. Short, because Redis stores it. */
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

/** The same as a call of an MCP tool. */
export function mcpAsk(version: "2026-07-28" | "2025-11-25"): Question {
  const isModern = version === "2026-07-28";
  const meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const named = isModern ? "mcp-method: tools/call\r\nmcp-name: ask_work\r\n" : "";
  const fields = `accept: application/json, text/event-stream\r\nmcp-protocol-version: ${version}\r\n${named}`;
  return {
    ask: () => {
      const args = { message: "work", session_id: nextId() };
      const params = { name: "ask_work", arguments: args, ...(isModern ? { _meta: meta } : {}) };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      return { path: "/mcp", body, fields };
    },
    isAnswer: (text) => text.includes('"status":"ok"') && text.includes('"text":"done"'),
  };
}

/** The simple ask, streamed. */
export const streamedAsk: Question = {
  ask: () => chat("?stream=true", "work", undefined),
  isAnswer: (text) => text.includes('"done":true'),
};

/** The same as a message of A2A. */
export function a2aAsk(method: "SendMessage" | "SendStreamingMessage"): Question {
  return {
    ask: () => {
      const message = { messageId: nextId(), role: "ROLE_USER", parts: [{ text: "work" }] };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message } });
      return { path: "/a2a", body, fields: "a2a-version: 1.0\r\n" };
    },
    isAnswer: (text) => text.includes("TASK_STATE_COMPLETED") && text.includes('"text":"done"'),
  };
}

/** The same as a run of AG-UI, which is always a stream. */
export const agUiAsk: Question = {
  ask: () => {
    const messages = [{ id: "m", role: "user", content: "work" }];
    const body = JSON.stringify({ threadId: nextId(), runId: "r", messages, tools: [], context: [] });
    return { path: "/ag-ui", body };
  },
  isAnswer: (text) => text.includes("RUN_FINISHED") && text.includes('"delta":"done"'),
};

/** Streams the agent's events. The run is cancelled when the client disconnects. */
export function stream(side: Side, work: Work): Request {
  return side === "agent"
    ? agentRequest("stream", work)
    : chat("?stream=true&on_disconnect=cancel", "work", work);
}

/** Starts a run that pauses for an approval. */
export function gated(mark: string, token: string): Request {
  return { ...chat("", "approve", { mark }), token };
}

export function approve(runId: string, token: string): Request {
  return { path: "/api/v1/chat/approve", body: `{"thread_id":"${runId}"}`, token };
}

/** Reads a run's events as an additional client. */
export function follow(runId: string): Request {
  return { path: `/api/v1/runs/${runId}/events?dialect=chat`, method: "GET" };
}

/** Starts the pricing plan. Without inputs, the flow uses its own catalogue. */
export function pricingReview(query: "" | "?stream=true"): Request {
  return chat(query, "pricing review", undefined);
}

/** A turn of a conversation, in words. */
export function turnOf(session_id: string, message: string): Request {
  return { path: "/api/v1/chat?stream=true", body: JSON.stringify({ message, session_id }) };
}

/** Tells the agent's own events and the terminal event from all others. */
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
