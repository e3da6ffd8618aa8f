import {
  gatewayContract,
  type MessagesAnswer,
  type MessagesError,
  type ToolCallRecord,
} from "@interlock/contracts";
import { takeTurn } from "../../conversation/index.ts";
import { toChatEvent } from "../../dialects/index.ts";
import { GatewayError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { cancelWhenGone, restOf } from "../await-run.ts";
import { calledTools } from "../called-tools.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { hopsOf } from "../hops.ts";
import { idempotencyOf } from "../idempotency.ts";
import { maxAgeOf } from "../max-age.ts";
import { headerOf } from "../request.ts";
import { sendJson } from "../respond.ts";
import { type ChatDeps, refuseFailed } from "./chat.ts";
import { refuseOtherUser } from "./parameters.ts";

export type MessagesDeps = ChatDeps;

/** A turn for clients that send messages and read one object, errors included. */
export function messagesEndpoints(deps: MessagesDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/chat",
      startsRun: true,
      usesAgents: true,
      body: gatewayContract.messagesRequest,
      errorBody,
      async handler(request) {
        const since = performance.now();
        const { req, res, caller, body, requestId, admitted } = request;
        refuseOtherUser(caller, body.user_id);
        const last = body.messages.at(-1);
        if (last?.role !== "user")
          throw new GatewayError("invalid_request", "The last message is the user's.");
        const { run, isPlan } = await takeTurn(
          {
            ...{ caller, admitted, requestId, message: last.content, quiet: true },
            sessionId: body.session_id ?? newId(),
            idempotency: idempotencyOf(request),
            authorization: headerOf(req, "authorization"),
            hops: hopsOf(req, deps.gatewayId),
            maxAgeMs: maxAgeOf(req),
            trace: request.trace,
          },
          deps,
        );
        res.setHeader("x-run-id", run.id);
        if (!isPlan && !run.replayed) cancelWhenGone(run, res);
        const rest = await restOf(run);
        if (res.destroyed) return;
        const tools = calledTools(rest.data);
        const { message = "", status, approval, ...end } = toChatEvent(rest);
        refuseFailed(run, { ...end, message });
        const answer: MessagesAnswer = {
          ...{ session_id: run.sessionId, response: message, success: true, ...tools },
          ...(status === "ok" || status === "rejected" || status === "paused" ? { status } : {}),
          ...(approval ? { approval_id: approval.id } : {}),
          metadata: { turn_id: run.id, ...timed(performance.now() - since) },
        };
        sendJson(res, answer);
      },
    }),
  ];
}

function timed(ms: number): { execution_time_ms: number; timestamp: string } {
  return { execution_time_ms: Math.round(ms), timestamp: new Date().toISOString() };
}

/** What stands in the envelope itself, and what says only that the answer is over. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "session_id",
  "thread_id",
  "message",
  "done",
  "tool_lineage",
]);

function errorBody(
  { code, message, retryable, extra }: GatewayError,
  { requestId, ms }: { requestId: string; ms: number },
): MessagesError {
  const { session_id, thread_id } = extra;
  const { tool_lineage } = calledTools(extra);
  const failed = tool_lineage.findLast(({ outcome }) => outcome !== "ok");
  const more = Object.fromEntries(
    Object.entries(extra).filter(([name, value]) => !ELSEWHERE.has(name) && value !== undefined),
  );
  return {
    ...(typeof session_id === "string" ? { session_id } : {}),
    response: message,
    success: false,
    error: {
      type: code,
      message,
      details: { request_id: requestId, retryable, ...more, ...whichOf(failed) },
    },
    tool_lineage,
    metadata: { ...(typeof thread_id === "string" ? { turn_id: thread_id } : {}), ...timed(ms) },
  };
}

/** The call that had no result, as clients of MCP orchestrators look for it. */
function whichOf(call: ToolCallRecord | undefined): object {
  if (!call) return {};
  const { mcp_server: mcp_id, tool_name, code, outcome } = call;
  return { ...(mcp_id === undefined ? {} : { mcp_id }), tool_name, error: code ?? outcome };
}
