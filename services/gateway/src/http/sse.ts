import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Caller } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import { encoded, LARGE_TEXT } from "../json-text.ts";
import { Places } from "../runs/index.ts";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: a proxy that compresses would hold events back
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

/** Stop writing while a client has this many unread bytes. */
const MAX_BUFFERED_BYTES = 512 * 1024;

/** The reason of aborts: without one, each abort would create an error with a stack trace. */
const GONE = "gone";

/** How often the keepalives of all streams are checked. */
const TICK_MS = 500;

/** The open event streams. One timer sends the keepalives of all of them, so that an idle stream costs no timer of its own. */
export class SseStreams {
  readonly #open = new Set<SseStream>();
  readonly #stalledMs: number;
  readonly #onFailure: (error: unknown) => void;
  readonly #places: Places;
  readonly #onClose = (stream: SseStream): void => this.#closed(stream);
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param options.stalledMs a client that is far behind and reads nothing for so long is disconnected
   * @param options.onFailure reports why a stream failed whose headers were sent already
   */
  constructor(options: { stalledMs: number; onFailure?: (error: unknown) => void; maxStreams?: number }) {
    this.#places = new Places(options.maxStreams ?? Number.POSITIVE_INFINITY);
    this.#stalledMs = options.stalledMs;
    this.#onFailure = options.onFailure ?? (() => undefined);
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Takes a place for a stream, which the caller keeps until the response is closed. To be called before anything is begun for it.
   * @throws GatewayError quota_exceeded: the caller has his share; overloaded; invalid_request
   */
  admit(res: ServerResponse, caller: Caller): void {
    if (res.destroyed) return;
    // A response without a socket waits for the one before it: each stream would hold up those that are pipelined behind it.
    if (res.socket === null)
      throw new GatewayError(
        "invalid_request",
        "A stream is not pipelined: ask for it on a connection of its own.",
      );
    const place = this.#places.take(caller);
    if (!place) throw new GatewayError(this.#places.hasFree ? "quota_exceeded" : "overloaded");
    res.once("close", () => place.leave());
  }

  /**
   * Starts an event stream on `res`.
   * @param keepaliveMs comment lines after this much silence; 0 for none
   */
  open(res: ServerResponse, keepaliveMs: number, headers: Readonly<Record<string, string>> = {}): SseStream {
    const stream = new SseStream(res, {
      keepaliveMs,
      stalledMs: this.#stalledMs,
      onClose: this.#onClose,
      onFailure: this.#onFailure,
    });
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    if (res.destroyed) stream.dispose();
    else {
      // With the head goes what there is to tell at once. The socket is corked, not the response: a response that ends while it
      // is corked sends its end before what was written.
      const { socket } = res;
      socket?.cork();
      process.nextTick(() => socket?.uncork());
      res.writeHead(200, { ...HEADERS, ...headers });
      res.flushHeaders();
    }
    return stream;
  }

  /**
   * Ends every stream with a hint when to reconnect, for each another one: the replicas that are left should not get all of them at once.
   * @param retry the shortest and the longest time, in milliseconds
   */
  endAll(retry: { leastMs: number; mostMs: number }): void {
    for (const stream of this.#open) {
      const ms = Math.round(retry.leastMs + Math.random() * (retry.mostMs - retry.leastMs));
      stream.end(stream.lastWords?.() ?? `retry: ${ms}\n: this replica stops, come back\n\n`);
    }
  }

  #tick(): void {
    const now = performance.now();
    for (const stream of this.#open) stream.keepalive(now);
  }

  #closed(stream: SseStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

export class SseStream {
  /** What is said instead of a hint when to reconnect, where the replica stops before the stream has come to its end. */
  lastWords: (() => string) | undefined;
  readonly #res: ServerResponse;
  readonly #keepaliveMs: number;
  readonly #stalledMs: number;
  readonly #onClose: (stream: SseStream) => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #listeners: (() => void)[] = [];
  #gone: AbortController | undefined;
  #closed = false;
  #lastWrite = performance.now();
  #ended = false;
  /** Large frames on their way into bytes, and what was written behind them; settles when the last of it is with the network. */
  #encoding: Promise<void> | undefined;

  constructor(
    res: ServerResponse,
    options: {
      keepaliveMs: number;
      stalledMs: number;
      onClose: (stream: SseStream) => void;
      onFailure: (error: unknown) => void;
    },
  ) {
    this.#res = res;
    this.#keepaliveMs = options.keepaliveMs;
    this.#stalledMs = options.stalledMs;
    this.#onClose = options.onClose;
    this.#onFailure = options.onFailure;
    res.on("close", () => this.dispose());
  }

  /** Fires once, when the client is gone or the stream has ended. Created on first use, since most streams do without. */
  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      this.#gone = new AbortController();
      if (this.#closed) this.#gone.abort(GONE);
    }
    return this.#gone.signal;
  }

  /** Calls back once, when the client is gone or the stream has ended, or at once if that has happened. */
  whenClosed(listener: () => void): void {
    if (this.#closed) listener();
    else this.#listeners.push(listener);
  }

  /** Whether the gateway ended the stream, rather than the client. */
  get ended(): boolean {
    return this.#ended;
  }

  write(frames: string): void {
    if (this.#ended || this.#closed) return;
    this.#pass(frames, (bytes) => this.#res.write(bytes));
    this.#lastWrite = performance.now();
  }

  /** Large frames are encoded in pieces, since that would hold the event loop. What comes after them waits for them. */
  #pass(frames: string, pass: (bytes: string | Buffer) => void): void {
    if (!this.#encoding && frames.length <= LARGE_TEXT) {
      pass(frames);
      return;
    }
    const encoding: Promise<void> = Promise.all([encoded(frames), this.#encoding]).then(([bytes]) => {
      if (!this.#closed) pass(bytes);
      if (this.#encoding === encoding) this.#encoding = undefined;
    });
    this.#encoding = encoding;
  }

  /** Whether the client has so much left to read that the caller should wait for {@link drained}. */
  get isBehind(): boolean {
    return this.#encoding !== undefined || this.#res.writableLength > MAX_BUFFERED_BYTES;
  }

  /** Resolves when the client has read what was written, or is gone. */
  async drained(): Promise<void> {
    await this.#encoding;
    if (!this.#res.writableNeedDrain || this.#closed) return;
    const stalled = setTimeout(() => this.#res.destroy(), this.#stalledMs);
    await once(this.#res, "drain", { signal: this.signal }).catch(() => undefined);
    clearTimeout(stalled);
  }

  /** @param onSent called when the last of it was handed to the network, to a client that was still there */
  end(frames = "", onSent?: () => void): void {
    if (this.#ended || this.#closed) return;
    this.#ended = true;
    this.#pass(frames, (bytes) => {
      this.#res.end(bytes, onSent);
      if (this.#res.writableLength === 0) return;
      const stalled = setTimeout(() => this.#res.destroy(), this.#stalledMs).unref();
      this.#res.once("close", () => clearTimeout(stalled));
    });
  }

  /** Reports why what the stream says is a failure. */
  report(error: unknown): void {
    this.#onFailure(error);
  }

  /** Cuts the stream off, which is an error to the client, and reports why. */
  fail(error: unknown): void {
    this.report(error);
    this.#res.destroy();
  }

  keepalive(now: number): void {
    if (this.#keepaliveMs > 0 && now - this.#lastWrite >= this.#keepaliveMs && !this.isBehind)
      this.write(": keepalive\n\n");
  }

  dispose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#gone?.abort(GONE);
    for (const listener of this.#listeners.splice(0)) listener();
    this.#onClose(this);
  }
}
