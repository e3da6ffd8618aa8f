import { once } from "node:events";
import type { ServerResponse } from "node:http";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // no-transform: a proxy that compresses would hold events back
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
} as const;

/** A client gets nothing more while it has this many bytes to read: it must not cost the run or the others anything. */
const MAX_BUFFERED_BYTES = 512 * 1024;

/** A client that is so far behind and takes nothing for this long is dropped. */
const STALLED_MS = 5_000;

/** A reason of our own: without one, each abort would make an error with a stack. */
const GONE = "gone";

/** How late a keepalive may be. */
const TICK_MS = 500;

/** One timer for the keepalives of all open streams: an idle stream costs no timer and no buffer of its own. */
export class SseStreams {
  readonly #open = new Set<SseStream>();
  readonly #stalledMs: number;
  readonly #onClose = (stream: SseStream): void => this.#closed(stream);
  #timer: NodeJS.Timeout | undefined;

  constructor({ stalledMs = STALLED_MS } = {}) {
    this.#stalledMs = stalledMs;
  }

  get size(): number {
    return this.#open.size;
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
    });
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
  readonly #stalledMs: number;
  readonly #onClose: (stream: SseStream) => void;
  readonly #listeners: (() => void)[] = [];
  #gone: AbortController | undefined;
  #closed = false;
  #lastWrite = performance.now();
  #ended = false;

  constructor(
    res: ServerResponse,
    options: { keepaliveMs: number; stalledMs: number; onClose: (stream: SseStream) => void },
  ) {
    this.#res = res;
    this.#keepaliveMs = options.keepaliveMs;
    this.#stalledMs = options.stalledMs;
    this.#onClose = options.onClose;
    res.on("close", () => this.dispose());
  }

  /** Fires once, when the client is gone or the stream has ended. Made for those who ask: most streams do without. */
  get signal(): AbortSignal {
    if (this.#gone === undefined) {
      this.#gone = new AbortController();
      if (this.#closed) this.#gone.abort(GONE);
    }
    return this.#gone.signal;
  }

  /** Calls back once, when the client is gone or the stream has ended; at once where that is so already. */
  whenClosed(listener: () => void): void {
    if (this.#closed) listener();
    else this.#listeners.push(listener);
  }

  /** Whether the stream was ended by us, rather than left by the client. */
  get ended(): boolean {
    return this.#ended;
  }

  write(frames: string): void {
    if (this.#ended || this.#closed) return;
    this.#res.write(frames);
    this.#lastWrite = performance.now();
  }

  /** Whether the client has so much left to read that nothing more is to be written now. */
  get isBehind(): boolean {
    return this.#res.writableLength > MAX_BUFFERED_BYTES;
  }

  /** Resolves when the client has taken what was written, or is gone. */
  async drained(): Promise<void> {
    if (!this.#res.writableNeedDrain || this.#closed) return;
    const stalled = setTimeout(() => this.#res.destroy(), this.#stalledMs);
    await once(this.#res, "drain", { signal: this.signal }).catch(() => undefined);
    clearTimeout(stalled);
  }

  end(frames = ""): void {
    if (this.#ended || this.#closed) return;
    this.#ended = true;
    this.#res.end(frames);
    if (this.#res.writableLength === 0) return;
    const stalled = setTimeout(() => this.#res.destroy(), this.#stalledMs).unref();
    this.#res.once("close", () => clearTimeout(stalled));
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
