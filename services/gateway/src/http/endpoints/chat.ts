import type { ServerResponse } from "node:http";
import { type ChatEvent, gatewayContract } from "@interlock/contracts";
import { type TurnDeps, takeTurn } from "../../conversation/index.ts";
import { DIALECTS, type DialectName, toChatEvent } from "../../dialects/index.ts";
import { GatewayError, isErrorCode } from "../../errors.ts";
import type { RunHandle } from "../../runs/index.ts";
import { agentLabels } from "../agent-labels.ts";
import { cancelWhenGone, restOf } from "../await-run.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { hopsOf } from "../hops.ts";
import { idempotencyOf } from "../idempotency.ts";
import { maxAgeOf } from "../max-age.ts";
import { query } from "../query.ts";
import { headerOf } from "../request.ts";
import { sendJson } from "../respond.ts";
import type { SseStreams } from "../sse.ts";
import { streamRun } from "../stream-run.ts";
import { DIALECT, KEEPALIVE, keepaliveMs, MULTITASK } from "./parameters.ts";

export type ChatDeps = TurnDeps & {
  streams: SseStreams;
  /** This gateway's id in `Interlock-Hops`, by which gateways find that a request goes round in a circle. */
  gatewayId: string;
};

type StreamOptions = { dialect?: DialectName; keepalive?: boolean; interval?: number };

/** What becomes of the run when its client goes away before the answer. */
const ON_DISCONNECT = query.oneOf("continue", "cancel");

/** One turn of a conversation, answered at once or as a stream. */
export function chatEndpoints(deps: ChatDeps): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/api/v1/chat",
      hot: true,
      startsRun: true,
      usesAgents: true,
      body: gatewayContract.chatRequest,
      asText: ["inputs"],
      query: {
        stream: query.boolean,
        dialect: DIALECT,
        plan: query.boolean,
        model: query.text,
        disable_fallbacks: query.boolean,
        ...KEEPALIVE,
        on_disconnect: ON_DISCONNECT,
        multitask: MULTITASK,
      },
      produces: ["application/json", "text/event-stream"],
      async handler(request) {
        const { req, res, caller, body, query: options } = request;
        // A request that names a dialect wants a stream.
        const stream = options.stream ?? options.dialect !== undefined;
        if (stream) deps.streams.admit(res, caller);
        const { run, isPlan } = await takeTurn(
          {
            caller,
            admitted: request.admitted,
            message: body.message,
            sessionId: body.session_id,
            conversationId: body.conversation_id,
            inputs: body.inputs,
            plan: options.plan,
            modelHint: options.model,
            disableFallbacks: options.disable_fallbacks,
            quiet: !stream,
            whenBusy: options.multitask,
            idempotency: idempotencyOf(request),
            authorization: headerOf(req, "authorization"),
            hops: hopsOf(req, deps.gatewayId),
            maxAgeMs: maxAgeOf(req),
            requestId: request.requestId,
            trace: request.trace,
          },
          deps,
        );
        const continues = (options.on_disconnect ?? (isPlan ? "continue" : "cancel")) === "continue";
        if (!continues && !run.replayed) cancelWhenGone(run, res);
        if (stream) return streamChat(run, res, deps, { message: body.message, options });
        const { seq: _, ...answer } = toChatEvent(await restOf(run));
        if (res.destroyed) return;
        refuseFailed(run, answer);
        sendJson(res, { ...answer, session_id: run.sessionId });
      },
    }),
  ];
}

function streamChat(
  run: RunHandle,
  res: ServerResponse,
  { streams, mesh }: ChatDeps,
  { message, options }: { message: string; options: StreamOptions },
): Promise<void> {
  const open = () => streams.open(res, keepaliveMs(options), { "x-run-id": run.id });
  const dialect = DIALECTS[options.dialect ?? "chat"];
  return streamRun(run, { dialect, labelOf: agentLabels(mesh, message), open });
}

/** @throws GatewayError with which the run failed */
export function refuseFailed(run: RunHandle, answer: Omit<ChatEvent, "seq">): void {
  if (answer.code === undefined || !isErrorCode(answer.code)) return;
  const { message, thread_id, node, model, tools_used, tool_lineage } = answer;
  const { agent_code, retryable, retry_after_s } = answer;
  throw new GatewayError(answer.code, answer.error, {
    retryable,
    ...(retry_after_s === undefined ? {} : { headers: { "retry-after": `${retry_after_s}` } }),
    extra: {
      message,
      thread_id,
      session_id: run.sessionId,
      model,
      tools_used,
      done: true,
      ...(node ? { node } : {}),
      ...(agent_code ? { agent_code } : {}),
      ...(tool_lineage ? { tool_lineage } : {}),
    },
  });
}
