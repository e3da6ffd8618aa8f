import { isUtf8 } from "node:buffer";
import { readJson, type TraceContext } from "@interlock/contracts";
import { Agent, type Dispatcher, request } from "undici";
import type { Egress } from "../../egress/index.ts";
import { encoded, JsonText } from "../../json-text.ts";
import { traceHeaders } from "../../telemetry/index.ts";
import { isEventStream } from "../bodies.ts";
import { Defect } from "../defect.ts";
import { isObject, type JsonObject, type LargeReader } from "../json.ts";
import type { AgentObserver } from "../types.ts";
import { defectOfRemote, lostRemote, RemoteError, refusedByRemote } from "./error.ts";
import { type RemoteEvent, readRemoteEvents } from "./events.ts";

export type RemoteClientOptions = {
  /** Opens the connections. */
  egress: Egress;
  /** Names this gateway to those that the request comes through. */
  gatewayId: string;
  observer?: AgentObserver;
  /** Reads large JSON outside of the event loop. */
  large?: LargeReader;
  connectMs?: number;
  /** How long the remote gateway may take to begin its answer. */
  headersMs?: number;
  /** Longest silence of a stream: a gateway sends a comment after 15 s. */
  silenceMs?: number;
};

/** Whom to ask, on whose behalf. */
export type RemoteAsk = {
  /** The service's name, for metrics. */
  service: string;
  url: string;
  authorization: string | undefined;
  signal: AbortSignal;
  requestId?: string | undefined;
  /** Where the call belongs. */
  trace?: TraceContext | undefined;
};

/** One turn, as the caller took it. */
export type RemoteTurn = {
  message: string;
  session_id: string;
  conversation_id?: string | undefined;
  inputs?: Readonly<Record<string, unknown>> | JsonText | undefined;
};

export type RemoteStream = {
  runId: string;
  events: AsyncGenerator<RemoteEvent, undefined>;
  /** Stops reading, for callers that leave before the last event. */
  close(): void;
};

type Sent = {
  method: "GET" | "POST";
  path: string;
  accept: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
};

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const EVENTS = "text/event-stream";
const JSON_TYPE = "application/json";
const REFUSAL_BYTES = 64 * 1024;
const ANSWER_BYTES = 16 * 1024 * 1024;
/** A longer answer is read outside of the event loop. */
const LARGE = 1024 * 1024;
const MAX_DEPTH = 512;

/** Client of other gateways' public API. Every failure is a RemoteError. */
export class RemoteClient {
  readonly #dispatcher: Agent;
  readonly #options: RemoteClientOptions;

  constructor(options: RemoteClientOptions) {
    this.#options = options;
    const { egress, connectMs = 3_000 } = options;
    this.#dispatcher = new Agent({ connect: egress.connector(connectMs) });
  }

  /**
   * Takes a turn there, and streams its run from the first event on. The same key leads to the same run.
   * @param hops the gateways that the turn came through before
   */
  async start(
    ask: RemoteAsk,
    turn: RemoteTurn,
    options: { key: string; hops: readonly string[]; plan: boolean; model: string | null },
  ): Promise<RemoteStream> {
    const query = new URLSearchParams({ stream: "true", dialect: "run", on_disconnect: "continue" });
    if (options.plan) query.set("plan", "true");
    if (options.model !== null) query.set("model", options.model);
    const { inputs, ...rest } = turn;
    const plain = inputs instanceof JsonText ? rest : turn;
    const head = JSON.stringify(plain);
    return await this.#stream(ask, 0, {
      method: "POST",
      path: `/api/v1/chat?${query}`,
      accept: EVENTS,
      headers: {
        "content-type": JSON_TYPE,
        "idempotency-key": options.key,
        "interlock-hops": [...options.hops, this.#options.gatewayId].join(", "),
      },
      body:
        inputs instanceof JsonText ? await encoded(head.slice(0, -1), ',"inputs":', inputs.text, "}") : head,
    });
  }

  /** Streams a run's events after `after`, live. */
  async follow(ask: RemoteAsk, runId: string, after: number): Promise<RemoteStream> {
    const path = `/api/v1/runs/${runId}/events?after=${after}&dialect=run`;
    const stream = await this.#stream(ask, after, { method: "GET", path, accept: EVENTS });
    if (stream.runId !== runId) throw defectOfRemote(new Defect("no_run_id"));
    return stream;
  }

  /** One request whose answer is a JSON object; large values of these names stay text. */
  async json(
    ask: RemoteAsk,
    sent: { method: "GET" | "POST"; path: string; body?: object; key?: string },
    large: readonly string[] = [],
  ): Promise<JsonObject> {
    const { method, path, body, key } = sent;
    return await this.#observed(ask, async () => {
      const {
        statusCode,
        headers,
        body: bytes,
      } = await this.#send(ask, {
        method,
        path,
        accept: JSON_TYPE,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          ...(body === undefined ? {} : { "content-type": JSON_TYPE }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
      });
      if (statusCode !== 200) throw await refusal(statusCode, headers, bytes);
      const answer = await bytesOf(bytes, ANSWER_BYTES);
      if (!isUtf8(answer)) throw new Defect("invalid_utf8");
      const reader = this.#options.large;
      if (answer.length > LARGE && reader && large.length > 0) {
        const read = await reader.readObject(answer, large, MAX_DEPTH);
        if (read.ok) return read.object;
        throw new Defect("bad_json");
      }
      const read = readJson(answer, { maxDepth: MAX_DEPTH });
      if (!read.ok || !isObject(read.value)) throw new Defect("bad_json");
      return read.value;
    });
  }

  /** Closes all connections at once. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #stream(ask: RemoteAsk, after: number, sent: Sent): Promise<RemoteStream> {
    return await this.#observed(ask, async () => {
      const { statusCode, headers, body } = await this.#send(ask, sent);
      if (statusCode !== 200) throw await refusal(statusCode, headers, body);
      // Without a listener, an error of the body would end the process.
      body.on("error", () => undefined);
      const close = () => void body.destroy();
      try {
        const runId = one(headers["x-run-id"]) ?? "";
        if (!isEventStream(one(headers["content-type"]) ?? "")) throw new Defect("not_event_stream");
        if (!ID.test(runId)) throw new Defect("no_run_id");
        const read = readRemoteEvents(body, { runId, after, large: this.#options.large });
        return { runId, events: this.#safely(ask, read), close };
      } catch (error) {
        close();
        throw error;
      }
    });
  }

  async #send(
    ask: RemoteAsk,
    { method, path, accept, headers = {}, body }: Sent,
  ): Promise<Dispatcher.ResponseData> {
    const { headersMs = 15_000, silenceMs = 45_000 } = this.#options;
    const { authorization, requestId, trace, signal } = ask;
    return await request(ask.url + path, {
      dispatcher: this.#dispatcher,
      method,
      signal,
      headersTimeout: headersMs,
      bodyTimeout: silenceMs,
      headers: {
        accept,
        ...(authorization ? { authorization } : {}),
        ...(requestId === undefined ? {} : { "x-request-id": requestId }),
        ...(trace ? traceHeaders(trace) : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** Every early end of a stream is reported as a RemoteError. */
  async *#safely(
    ask: RemoteAsk,
    events: AsyncGenerator<RemoteEvent, undefined>,
  ): AsyncGenerator<RemoteEvent, undefined> {
    try {
      yield* events;
    } catch (error) {
      throw failureOf(ask, error);
    }
    return undefined;
  }

  async #observed<T>(ask: RemoteAsk, work: () => Promise<T>): Promise<T> {
    const { observer } = this.#options;
    const started = performance.now();
    const about = () => ({ agent: ask.service, task: "REMOTE", durationMs: performance.now() - started });
    try {
      const result = await work();
      observer?.onAttempt?.({ ...about(), outcome: "ok" });
      return result;
    } catch (error) {
      const failure = failureOf(ask, error);
      if (failure instanceof RemoteError) {
        observer?.onAttempt?.({ ...about(), outcome: failure.code, reason: failure.reason });
      }
      throw failure;
    }
  }
}

/** Report the reason of the abort instead of the error that it caused. */
function failureOf({ service, signal }: RemoteAsk, error: unknown): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof RemoteError) return error;
  return error instanceof Defect ? defectOfRemote(error) : lostRemote(service, error);
}

async function refusal(
  status: number,
  headers: Dispatcher.ResponseData["headers"],
  body: AsyncIterable<unknown>,
): Promise<RemoteError> {
  const bytes = await bytesOf(body, REFUSAL_BYTES).catch(() => Buffer.alloc(0));
  const read = readJson(bytes, { maxDepth: MAX_DEPTH });
  const said = read.ok && isObject(read.value) ? read.value : undefined;
  const challenge = one(headers["www-authenticate"]);
  return refusedByRemote(status, { retryAfter: one(headers["retry-after"]), challenge }, said);
}

async function bytesOf(body: AsyncIterable<unknown>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError("the bytes of a body are buffers");
    size += chunk.length;
    if (size > most) throw new Defect("response_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The client reports a repeated header as a list. */
function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}
