import type { IncomingHttpHeaders } from "node:http";
import type { Client, Dispatcher } from "undici";
import { isEventStream, isJson, RefusalReader, ResultReader, StreamReader } from "./bodies.ts";
import type { Connections } from "./connections.ts";
import { Defect } from "./defect.ts";
import { Delivery } from "./delivery.ts";
import type { Verdict } from "./judge.ts";
import { agentFailure, defective, failure, type Outcome, transportFailure } from "./outcome.ts";
import { refusal } from "./refusal.ts";
import type { AgentEvent } from "./types.ts";

/** What is sent. Nobody needs it any more once it is: it must not lie there for as long as the answer takes. */
export type Message = {
  path: string;
  /** Names and values in turn. */
  headers: string[];
  body: string;
};

export type ExchangeOptions = {
  agent: string;
  mode: "stream" | "sync";
  requestId: string;
  taskType: string;
  signal: AbortSignal;
  /** Milliseconds from now until the exchange is given up. */
  timeoutMs: number;
  headersMs: number;
  /** Longest silence of a stream, comments counted as sound. */
  silenceMs: number;
  /** How long a stream may stay open after its terminal event. */
  closeMs: number;
  maxEventBytes: number;
  maxResponseBytes: number;
  onEvent?: ((event: AgentEvent) => void | Promise<void>) | undefined;
  /** The agent has shown life: the first event of a stream. */
  onAlive?: (() => void) | undefined;
};

/**
 * Sends one request and reads its answer to the end. Resolves with how it ended; rejects only with what
 * `onEvent` threw. When it settles nothing of it is left: no timer, no listener, and no socket unless reusable.
 */
export function exchange(
  connections: Connections,
  message: Message,
  options: ExchangeOptions,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const client = connections.take();
    if (client === undefined) resolve(failure(options.agent, "upstream_unavailable", "client_closed"));
    else new Exchange(connections, client, options, resolve, reject).start(message);
  });
}

/**
 * The client's lowest interface, rather than its `request`: no stream object between socket and parser, and an
 * abort takes effect in every state (`request` leaves one that is still connecting waiting).
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #connections: Connections;
  readonly #client: Client;
  readonly #options: ExchangeOptions;
  readonly #resolve: (outcome: Outcome) => void;
  readonly #reject: (error: unknown) => void;
  readonly #delivery: Delivery | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #reader: StreamReader | ResultReader | undefined;
  #refusal: { reader: RefusalReader; status: number; retryAfter: string | undefined } | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #closeTimer: NodeJS.Timeout | undefined;
  #verdict: Verdict | undefined;
  #sawEvent = false;
  #settled = false;

  constructor(
    connections: Connections,
    client: Client,
    options: ExchangeOptions,
    resolve: (outcome: Outcome) => void,
    reject: (error: unknown) => void,
  ) {
    this.#connections = connections;
    this.#client = client;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    if (options.onEvent !== undefined) this.#delivery = new Delivery(options.onEvent, this);
  }

  start({ path, headers, body }: Message): void {
    const { signal, timeoutMs, headersMs, silenceMs, mode } = this.#options;
    signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#deadline = setTimeout(this.#onDeadline, timeoutMs);
    this.#client.dispatch(
      {
        method: "POST",
        path,
        headers,
        body,
        // A sync answer begins when the run ends, and then comes at once.
        headersTimeout: mode === "stream" ? headersMs : 0,
        bodyTimeout: silenceMs,
      },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while it was waiting for its connection.
    if (this.#settled) controller.abort(new Error("settled"));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Nobody reads them in this form, and they would lie there as long as the stream is open: 1.8 KiB.
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
    try {
      this.#verdict = this.#reader?.end();
    } catch (error) {
      this.#endFailed(error, true);
      return;
    }
    if (this.#delivery?.busy !== true) this.#endJudged();
  }

  onResponseError(_: Dispatcher.DispatchController, cause: unknown): void {
    const progress = { sent: this.#controller !== undefined, sawEvent: this.#sawEvent };
    this.#settle(transportFailure(this.#options.agent, cause, progress), false);
  }

  /** The three below are the flow that a delivery acts on. */
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

  #openReader(headers: IncomingHttpHeaders): StreamReader | ResultReader {
    const { mode, requestId, taskType, maxEventBytes, maxResponseBytes } = this.#options;
    const encoding = text(headers["content-encoding"]);
    if (encoding !== undefined && encoding.toLowerCase() !== "identity") throw new Defect("content_encoding");
    const type = text(headers["content-type"]) ?? "";
    const expected = { requestId, taskType };
    if (mode === "stream") {
      if (!isEventStream(type)) throw new Defect("not_event_stream");
      return new StreamReader(expected, maxEventBytes, this.#onEvent);
    }
    if (!isJson(type)) throw new Defect("not_json");
    return new ResultReader(expected, maxResponseBytes, Number(headers["content-length"] ?? 0));
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

  readonly #onDeadline = (): void => {
    this.#settle(failure(this.#options.agent, "upstream_timeout", "deadline"), false);
  };

  /** Starts once the terminal event is read and nothing but the agent keeps the stream from ending. */
  #watchClose(): void {
    if (this.#closeTimer !== undefined || this.#delivery?.busy === true) return;
    if (!(this.#reader instanceof StreamReader) || !this.#reader.hasTerminal) return;
    this.#closeTimer = setTimeout(() => this.fail(new Defect("stream_not_closed")), this.#options.closeMs);
  }

  #endJudged(): void {
    const verdict = this.#verdict;
    if (verdict === undefined) return;
    this.#settle(verdict.ok ? verdict : agentFailure(this.#options.agent, verdict.error), true);
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

  /** False when it was left before. */
  #leave(clean: boolean): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#closeTimer);
    this.#options.signal.removeEventListener("abort", this.#onAbort);
    this.#delivery?.stop();
    if (!clean) this.#controller?.abort(new Error("settled"));
    this.#connections.give(this.#client, clean);
    return true;
  }
}

/** A header that was sent twice comes as a list, whatever its type says. */
function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}
