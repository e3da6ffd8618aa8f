import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import type { AwakeClock } from "./awake-clock.ts";
import { isEventStream, isJson, RefusalReader, ResultReader, StreamReader } from "./bodies.ts";
import type { Connections } from "./connections.ts";
import { Defect } from "./defect.ts";
import { Delivery } from "./delivery.ts";
import type { LargeReader } from "./json.ts";
import type { Verdict } from "./judge.ts";
import { agentFailure, defective, failure, type Outcome, transportFailure } from "./outcome.ts";
import type { Connection } from "./place.ts";
import { refusal } from "./refusal.ts";
import type { AgentEvent } from "./types.ts";

/** A longer delay overflows: Node fires such a timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** How many addresses of an agent are tried, one after the other, for a request that none of them has received. */
const MOST_PLACES = 4;

/** The request to send. Nothing keeps a reference to it afterwards, so a large body is freed while the answer streams. */
export type OutgoingRequest = {
  path: string;
  /** Alternating names and values. */
  headers: string[];
  body: string | Buffer;
};

export type ExchangeOptions = {
  agent: string;
  endpoint: "stream" | "sync";
  requestId: string;
  taskType: string;
  signal: AbortSignal;
  /** Milliseconds from now, by `clock`, until the exchange fails as timed out. */
  timeoutMs: number;
  clock: AwakeClock;
  headersMs: number;
  /** Longest silence of a stream. A comment ends it. */
  silenceMs: number;
  /** How long a stream may stay open after its terminal event. */
  closeMs: number;
  maxEventBytes: number;
  maxResponseBytes: number;
  /** Reads large answers; without it they are read in the event loop. */
  large?: LargeReader | undefined;
  onEvent?: ((event: AgentEvent) => void | Promise<void>) | undefined;
  /** Reads answers of another protocol. @throws Defect where it does not read the type */
  readerOf?: ((contentType: string, onEvent: (event: AgentEvent) => void) => AnswerReader) | undefined;
  /** Called with the first event of a stream. */
  onAlive?: (() => void) | undefined;
};

/** Reads the body of an answer. What it does throws a Defect. */
export type AnswerReader = {
  push(chunk: Buffer): void;
  end(): Verdict | Promise<Verdict>;
  /** Whether the terminal event of a stream was read. */
  readonly hasTerminal?: boolean;
};

/**
 * Sends one request and reads its answer to the end. Resolves with the outcome; rejects only with what `onEvent`
 * threw. Once settled, it leaves behind no timer, no listener, and no socket that cannot be reused.
 */
export function exchange(
  connections: Connections,
  message: OutgoingRequest,
  options: ExchangeOptions,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const connection = connections.take();
    if (connection === undefined) resolve(failure(options.agent, "upstream_unavailable", "client_closed"));
    else new Exchange(connections, connection, options, resolve, reject).start(message);
  });
}

/**
 * Uses the HTTP client's `dispatch` instead of `request`: that needs no stream object between socket and parser, and
 * an abort takes effect at once, even while connecting (`request` waits for the connection first).
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #connections: Connections;
  #connection: Connection;
  readonly #options: ExchangeOptions;
  readonly #resolve: (outcome: Outcome) => void;
  readonly #reject: (error: unknown) => void;
  readonly #delivery: Delivery | undefined;
  /** Until it is sent. */
  #message: OutgoingRequest | undefined;
  #placesTried = 1;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: AnswerReader | undefined;
  #refusal: { reader: RefusalReader; status: number; retryAfter: string | undefined } | undefined;
  /** In milliseconds of the clock in the options. */
  readonly #deadline: number;
  #deadlineTimer: NodeJS.Timeout | undefined;
  #closeTimer: NodeJS.Timeout | undefined;
  #verdict: Verdict | undefined;
  #ended = false;
  #sawEvent = false;
  #settled = false;

  constructor(
    connections: Connections,
    connection: Connection,
    options: ExchangeOptions,
    resolve: (outcome: Outcome) => void,
    reject: (error: unknown) => void,
  ) {
    this.#connections = connections;
    this.#connection = connection;
    this.#options = options;
    this.#deadline = options.clock.now() + options.timeoutMs;
    this.#resolve = resolve;
    this.#reject = reject;
    if (options.onEvent !== undefined) this.#delivery = new Delivery(options.onEvent, this);
  }

  start(message: OutgoingRequest): void {
    const { signal, timeoutMs } = this.#options;
    signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#startDeadline(timeoutMs);
    this.#message = message;
    this.#send(message);
  }

  #send({ path, headers, body }: OutgoingRequest): void {
    const { headersMs, silenceMs, endpoint } = this.#options;
    this.#connection.client.dispatch(
      {
        method: "POST",
        path,
        headers,
        body,
        // The headers of a sync answer arrive only when the run ends.
        headersTimeout: endpoint === "stream" ? headersMs : 0,
        bodyTimeout: silenceMs,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#message = undefined;
    // Aborted or timed out while connecting.
    if (this.#settled) controller.abort(new Error("settled"));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Unused, and would take 1.8 KiB for as long as the stream is open.
    controller.rawHeaders = null;
    if (status < 200 || this.#settled) return;
    try {
      if (status === 200) this.#reader = this.#openReader(headers);
      else if (status < 300) throw new Defect("unexpected_status");
      else if (status < 400) throw new Defect("redirect");
      else this.#refusal = { reader: new RefusalReader(), status, retryAfter: text(headers["retry-after"]) };
    } catch (error) {
      this.fail(error);
    }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    if (this.#refusal !== undefined) {
      if (!this.#refusal.reader.push(chunk)) this.#endRefused(false);
      return;
    }
    try {
      this.#reader?.push(chunk);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.#watchClose();
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    if (this.#refusal !== undefined) {
      this.#endRefused(true);
      return;
    }
    this.#ended = true;
    clearTimeout(this.#closeTimer);
    try {
      const verdict = this.#reader?.end();
      if (verdict instanceof Promise) void this.#endRead(verdict);
      else this.#endWith(verdict);
    } catch (error) {
      this.#endFailed(error, true);
    }
  }

  async #endRead(verdict: Promise<Verdict>): Promise<void> {
    try {
      this.#endWith(await verdict);
    } catch (error) {
      this.#endFailed(error, true);
    }
  }

  #endWith(verdict: Verdict | undefined): void {
    this.#verdict = verdict;
    if (this.#delivery?.busy !== true) this.#endJudged();
  }

  onResponseError(_: Dispatcher.DispatchController, cause: unknown): void {
    if (this.#sendElsewhere()) return;
    const progress = { sent: this.#controller !== undefined, sawEvent: this.#sawEvent };
    this.#settle(transportFailure(this.#options.agent, cause, progress), false);
  }

  /** The connection could not be opened, so no agent has received the request: try another address. */
  #sendElsewhere(): boolean {
    if (this.#message === undefined || this.#settled || this.#placesTried === MOST_PLACES) return false;
    const another = this.#connections.another(this.#connection);
    if (another === undefined) return false;
    this.#placesTried += 1;
    this.#connection = another;
    this.#send(this.#message);
    return true;
  }

  /** `pause`, `resume` and `fail` are the Source that a Delivery controls. */
  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    if (this.#verdict !== undefined) {
      this.#endJudged();
      return;
    }
    this.#watchClose();
    this.#controller?.resume();
  }

  fail(error: unknown): void {
    this.#endFailed(error, false);
  }

  #openReader(headers: IncomingHttpHeaders): AnswerReader {
    const { endpoint, requestId, taskType, maxEventBytes, maxResponseBytes, large } = this.#options;
    const encoding = text(headers["content-encoding"]);
    if (encoding !== undefined && encoding.toLowerCase() !== "identity") throw new Defect("content_encoding");
    const type = text(headers["content-type"]) ?? "";
    if (this.#options.readerOf) return this.#options.readerOf(type, this.#onEvent);
    const expected = { requestId, taskType };
    if (endpoint === "stream") {
      if (!isEventStream(type)) throw new Defect("not_event_stream");
      return new StreamReader(expected, { maxEventBytes, large }, this.#onEvent);
    }
    if (!isJson(type)) throw new Defect("not_json");
    const announced = Number(headers["content-length"] ?? 0);
    return new ResultReader(expected, { limit: maxResponseBytes, large }, announced);
  }

  readonly #onEvent = (event: AgentEvent): void => {
    if (!this.#sawEvent) {
      this.#sawEvent = true;
      this.#options.onAlive?.();
    }
    if (!this.#settled) this.#delivery?.give(event);
  };

  readonly #onAbort = (): void => {
    this.#settle(failure(this.#options.agent, "cancelled", "aborted"), false);
  };

  #startDeadline(ms: number): void {
    this.#deadlineTimer = setTimeout(this.#onDeadline, Math.min(ms, MAX_TIMER_MS));
  }

  /** After a stall of this process the answer may already be in the socket: extend the timeout by the length of the stall. */
  readonly #onDeadline = (): void => {
    const left = this.#deadline - this.#options.clock.now();
    if (left >= 1) this.#startDeadline(left);
    else this.#settle(failure(this.#options.agent, "upstream_timeout", "deadline"), false);
  };

  /** Starts the close timer once the terminal event was read and no handler is at work: from here the agent must end the stream. */
  #watchClose(): void {
    if (this.#ended || this.#closeTimer !== undefined || this.#delivery?.busy === true) return;
    if (this.#reader?.hasTerminal !== true) return;
    this.#closeTimer = setTimeout(() => this.fail(new Defect("stream_not_closed")), this.#options.closeMs);
  }

  #endJudged(): void {
    const verdict = this.#verdict;
    if (verdict === undefined) return;
    this.#settle(
      verdict.ok ? verdict : agentFailure(this.#options.agent, verdict.error, verdict.usage),
      true,
    );
  }

  #endRefused(clean: boolean): void {
    const refused = this.#refusal;
    if (refused === undefined) return;
    const { reader, status, retryAfter } = refused;
    this.#settle(refusal(this.#options.agent, status, retryAfter, reader.end()), clean);
  }

  #endFailed(error: unknown, clean: boolean): void {
    if (error instanceof Defect) this.#settle(defective(this.#options.agent, error), clean);
    else if (this.#leave(clean)) this.#reject(error);
  }

  #settle(outcome: Outcome, clean: boolean): void {
    if (this.#leave(clean)) this.#resolve(outcome);
  }

  /** Cleans up. Returns false if the exchange had settled before. */
  #leave(clean: boolean): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadlineTimer);
    clearTimeout(this.#closeTimer);
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    this.#delivery?.stop();
    if (!clean) this.#controller?.abort(new Error("settled"));
    this.#message = undefined;
    this.#connections.give(this.#connection, clean);
    return true;
  }
}

/** The client reports a repeated header as a list. */
function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}
