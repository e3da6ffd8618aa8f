import type { ServerResponse } from "node:http";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: a proxy that compresses would hold events back
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/** A client that has not read this many bytes is dropped: it must not cost the run or the others anything. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/** A reason of our own: without one, each abort would make an error with a stack. */
const GONE = "gone";

const TICK_MS = 1_000;

/** One timer for the keepalives of all open streams: an idle stream costs no timer and no buffer of its own. */
export class SseStreams {
  readonly #open = new Set<SseStream>();
  #timer: NodeJS.Timeout | undefined;

  get size(): number {
    return this.#open.size;
  }

  /**
   * Starts an event stream on `res`.
   * @param keepaliveMs comment lines after this much silence; 0 for none
   */
  open(res: ServerResponse, keepaliveMs: number, headers: Readonly<Record<string, string>> = {}): SseStream {
    const stream = new SseStream(res, keepaliveMs, () => this.#closed(stream));
    this.#open.add(stream);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS).unref();
    if (res.destroyed) stream.dispose();
    else {
      res.writeHead(200, { ...HEADERS, ...headers });
      res.flushHeaders();
    }
    return stream;
  }

  /** Ends every stream with a hint when to come back. */
  endAll(retryMs: number): void {
    for (const stream of this.#open) stream.end(`retry: ${retryMs}\n\n`);
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
  readonly #res: ServerResponse;
  readonly #keepaliveMs: number;
  readonly #onClose: () => void;
  readonly #gone = new AbortController();
  #lastWrite = performance.now();
  #ended = false;

  constructor(res: ServerResponse, keepaliveMs: number, onClose: () => void) {
    this.#res = res;
    this.#keepaliveMs = keepaliveMs;
    this.#onClose = onClose;
    res.once("close", () => this.dispose());
  }

  /** Fires once, when the client is gone or the stream has ended. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Whether the stream was ended by us, rather than left by the client. */
  get ended(): boolean {
    return this.#ended;
  }

  write(frames: string): void {
    if (this.#ended || this.#gone.signal.aborted) return;
    this.#res.write(frames);
    this.#lastWrite = performance.now();
    if (this.#res.writableLength > MAX_BUFFERED_BYTES) this.#res.destroy();
  }

  end(frames = ""): void {
    if (this.#ended || this.#gone.signal.aborted) return;
    this.#ended = true;
    this.#res.end(frames);
  }

  keepalive(now: number): void {
    // Half a tick of tolerance, so that an interval of whole seconds is met rather than passed by a second.
    if (this.#keepaliveMs > 0 && now - this.#lastWrite >= this.#keepaliveMs - TICK_MS / 2)
      this.write(": keepalive\n\n");
  }

  dispose(): void {
    if (this.#gone.signal.aborted) return;
    this.#gone.abort(GONE);
    this.#onClose();
  }
}
