import type { IncomingMessage } from "node:http";
import { gatewayContract, type TurnRequest } from "@interlock/contracts";
import {
  type GetTurnDeps,
  noteTold,
  type Sessions,
  takeTurn,
  takeTurnByGet,
} from "../../conversation/index.ts";
import { DIALECTS, readTurnCursor, type TurnCursor, toTurnAnswer } from "../../dialects/index.ts";
import { GatewayError } from "../../errors.ts";
import type { RunHandle } from "../../runs/index.ts";
import { agentLabels } from "../agent-labels.ts";
import { type ApiRequest, type Endpoint, endpoint } from "../endpoint.ts";
import { hopsOf } from "../hops.ts";
import { idempotencyOf, idempotencyOfTurn } from "../idempotency.ts";
import { maxAgeOf } from "../max-age.ts";
import { query } from "../query.ts";
import { headerOf, valid } from "../request.ts";
import { COMMON_HEADERS, sendJson } from "../respond.ts";
import type { SseStreams } from "../sse.ts";
import { streamRun } from "../stream-run.ts";
import { KEEPALIVE, keepaliveMs, validId } from "./parameters.ts";

export type AgentChatDeps = GetTurnDeps & {
  streams: SseStreams;
  sessions: Sessions;
  /** Whether the debug endpoint is enabled. */
  devMode: boolean;
  gatewayId: string;
};

const CHAT = "/v1/agent/chat";
const STREAM = `${CHAT}/stream`;
const STARTS = { startsRun: true, usesAgents: true } as const;
const STREAMS = ["text/event-stream", "application/json"] as const;

/** Turns in the turn dialect, and the effects of a session's dialogues. A turn goes on when its client disconnects. */
export function agentChatEndpoints(deps: AgentChatDeps): Endpoint[] {
  return [
    endpoint({
      ...STARTS,
      method: "POST",
      path: CHAT,
      body: gatewayContract.turnRequest,
      async handler(request) {
        const { run } = await takeTurn({ ...turnOf(request, request.body, deps), quiet: true }, deps);
        const { res } = request;
        res.setHeader("x-run-id", run.id);
        const rest = await run.rest();
        if (res.destroyed) return;
        const answer = rest && toTurnAnswer(rest);
        if (!answer) throw new GatewayError("interrupted", undefined, { extra: { thread_id: run.id } });
        sendJson(res, answer);
      },
    }),

    endpoint({
      ...STARTS,
      method: "POST",
      path: STREAM,
      query: KEEPALIVE,
      body: gatewayContract.turnRequest,
      produces: STREAMS,
      handler: (request) => stream(request, request.body, deps),
    }),

    /** For a browser's EventSource, which reconnects by itself. */
    endpoint({
      ...STARTS,
      method: "GET",
      path: STREAM,
      query: {
        session_id: query.any,
        message: query.any,
        turn_id: query.any,
        locale: query.any,
        ...KEEPALIVE,
      },
      produces: STREAMS,
      async handler(request) {
        const { keepalive: _, interval: __, ...asked } = request.query;
        const turn = valid(gatewayContract.turnRequest, asked);
        if (request.req.method !== "HEAD") return await stream(request, turn, deps);
        // A HEAD must have no effect, and nobody would read its stream.
        const headers = { ...COMMON_HEADERS, "content-type": "text/event-stream; charset=utf-8" };
        request.res.writeHead(200, headers).end();
      },
    }),

    /** What the session's dialogues changed in the world. */
    endpoint({
      method: "GET",
      path: "/v1/agent/completed",
      query: { session_id: query.id },
      async handler({ res, caller, query: { session_id } }) {
        if (session_id === undefined) throw new GatewayError("invalid_request", "?session_id is needed.");
        sendJson(res, { session_id, completed: await deps.sessions.completed(caller, session_id) });
      },
    }),

    endpoint({
      method: "GET",
      path: "/v1/agent/debug/:id",
      async handler({ res, caller, id }) {
        if (!deps.devMode) throw new GatewayError("not_found");
        const fields = Object.entries(await deps.sessions.all(caller, validId(id)));
        sendJson(res, {
          session_id: id,
          fields: Object.fromEntries(fields.map(([name, text]) => [name, parsed(text)])),
        });
      },
    }),
  ];
}

/** Most of what a session holds is JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type StreamRequest = ApiRequest<{ keepalive?: boolean; interval?: number }>;

/** Streams a turn up to where its run first rests: a new turn, or the one that the client had begun to read. */
async function stream(request: StreamRequest, asked: TurnRequest, deps: AgentChatDeps): Promise<void> {
  const { req, res, caller, query: options } = request;
  deps.streams.admit(res, caller);
  const cursor = cursorOf(req);
  const started = cursor ? await resumed(request, asked, cursor, deps) : await begun(request, asked, deps);
  if (!started) {
    res.writeHead(204, COMMON_HEADERS).end();
    return;
  }
  const { run, joined } = started;
  const message = run.record?.order.message ?? asked.message;
  await streamRun(run, {
    after: cursor?.seq ?? 0,
    dialect: DIALECTS.turn,
    labelOf: agentLabels(deps.mesh, message, asked.locale),
    untilRest: true,
    open: () => deps.streams.open(res, keepaliveMs(options), { "x-run-id": run.id }),
    ...(req.method === "GET" ? { onTold: () => told(request, run, joined, deps) } : {}),
  });
}

type Started = { run: RunHandle; joined: boolean };

async function begun(request: StreamRequest, asked: TurnRequest, deps: AgentChatDeps): Promise<Started> {
  const turn = turnOf(request, asked, deps);
  // A repetition of a POST, or of a turn that has a name, says what it repeats.
  if (request.req.method === "GET" && asked.turn_id === undefined) return await takeTurnByGet(turn, deps);
  const { run } = await takeTurn(turn, deps);
  return { run, joined: run.replayed };
}

/**
 * The turn that the client has begun to read.
 * @returns undefined where it has all of it
 * @throws GatewayError not_found, invalid_cursor
 */
async function resumed(
  { caller, admitted }: StreamRequest,
  asked: TurnRequest,
  { runId, seq, done }: TurnCursor,
  { runs }: AgentChatDeps,
): Promise<Started | undefined> {
  const record = await runs.find(caller, runId);
  if (admitted) await admitted;
  // Without this check a client that sends an old id with a new message would get 204.
  const isSame = record.sessionId === asked.session_id && record.order.message === asked.message;
  if (!isSame || seq > record.seq) throw new GatewayError("invalid_cursor");
  if (done || (record.terminal !== undefined && seq >= record.seq)) return undefined;
  return { run: runs.open(caller, record), joined: true };
}

/** @throws GatewayError invalid_cursor */
function cursorOf(req: IncomingMessage): TurnCursor | undefined {
  const header = headerOf(req, "last-event-id");
  if (!header) return undefined;
  const cursor = readTurnCursor(header);
  if (!cursor) throw new GatewayError("invalid_cursor");
  return cursor;
}

/** The turn that a request asks for. @throws GatewayError invalid_request */
function turnOf(
  request: ApiRequest,
  { message, session_id, turn_id }: TurnRequest,
  { gatewayId }: AgentChatDeps,
) {
  const { caller, admitted, requestId, req } = request;
  const key = idempotencyOf(request);
  if (key && turn_id !== undefined)
    throw new GatewayError("invalid_request", "A request has a turn_id or an Idempotency-Key, not both.");
  const name = { turnId: turn_id ?? "", sessionId: session_id, message };
  return {
    caller,
    admitted,
    message,
    sessionId: session_id,
    idempotency: turn_id === undefined ? key : idempotencyOfTurn(caller, name),
    authorization: headerOf(req, "authorization"),
    hops: hopsOf(req, gatewayId),
    maxAgeMs: maxAgeOf(req),
    requestId,
    trace: request.trace,
  };
}

/** A browser keeps its connection open after reading an answer. If it closes within this time, the answer may be lost. */
const KEPT_MS = 5_000;

/** Records that the answer was delivered, and undoes that if the client seems not to have received it. */
function told(
  { req, res, caller }: StreamRequest,
  run: RunHandle,
  joined: boolean,
  deps: AgentChatDeps,
): void {
  void noteTold(caller, run, true, deps);
  // Only a browser's close is evidence: other clients close connections at any time. An answer that was sent twice counts as delivered.
  if (joined || !res.shouldKeepAlive || req.headers["sec-fetch-mode"] === undefined) return;
  const { socket } = req;
  const lost = () => {
    if (!deps.runs.draining) void noteTold(caller, run, false, deps);
  };
  socket.once("close", lost);
  setTimeout(() => socket.off("close", lost), KEPT_MS).unref();
}
