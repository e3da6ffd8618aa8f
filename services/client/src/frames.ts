import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ignore } from "./abort.ts";
import type { StreamDefect } from "./errors.ts";

export type Frame = EventSourceMessage;

/**
 * Why the stream has no further frames. `ended`: the server closed it; `idle`: no byte came in time; `cut`:
 * the connection failed; `defect`: the stream violated the protocol.
 */
export type FramesEnd =
  | { readonly kind: "ended" | "idle" }
  | { readonly kind: "cut"; readonly cause: unknown }
  | { readonly kind: "defect"; readonly reason: StreamDefect; readonly cause?: unknown };

export type FrameOptions = {
  readonly maxEventBytes: number;
  /** Called with the value of a `retry:` field: how long the server asks to wait before a reconnect. */
  readonly onRetryHint: (ms: number) => void;
};

/** Allowance for an event's id and name, which the parser counts towards its buffer limit like the data. */
const ENVELOPE_CHARS = 1024;

/**
 * Parses a body as server-sent events, whatever the chunk boundaries, in strict UTF-8 and bounded memory. Do
 * not call `read` concurrently.
 */
export class FrameReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #maxEventBytes: number;
  // The parser strips the byte order mark. If the decoder did too, a second mark would be lost from the data.
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  readonly #parser;
  readonly #cancel = (): void => void this.#reader.cancel().catch(ignore);
  #frames: Frame[] = [];
  #end: FramesEnd | undefined;

  constructor(body: ReadableStream<Uint8Array>, options: FrameOptions, signal: AbortSignal) {
    this.#reader = body.getReader();
    this.#signal = signal;
    this.#maxEventBytes = options.maxEventBytes;
    this.#parser = createParser({
      maxBufferSize: options.maxEventBytes + ENVELOPE_CHARS,
      onEvent: (frame) => this.#add(frame),
      onRetry: options.onRetryHint,
      onError: ({ type }) => {
        if (type === "max-buffer-size-exceeded") this.#end ??= { kind: "defect", reason: "event_too_large" };
      },
    });
    if (signal.aborted) this.#cancel();
    else signal.addEventListener("abort", this.#cancel, { once: true });
  }

  /**
   * Waits for the next frames.
   * @returns one or more frames; or, once all frames were returned, why there are no more
   */
  async read(idleMs: number): Promise<readonly Frame[] | FramesEnd> {
    while (this.#frames.length === 0) {
      if (this.#end) return this.#end;
      await this.#fill(idleMs);
    }
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  close(): void {
    this.#signal.removeEventListener("abort", this.#cancel);
    this.#cancel();
  }

  async #fill(idleMs: number): Promise<void> {
    let idle = false;
    // Cancelling the stream settles the pending read at once.
    // A `Promise.race` per read would leak its listeners.
    const timer = setTimeout(() => {
      idle = true;
      this.#cancel();
    }, idleMs);
    try {
      const { done, value } = await this.#reader.read();
      if (done) this.#end = { kind: idle ? "idle" : "ended" };
      else this.#feed(value);
    } catch (cause) {
      this.#end = { kind: "cut", cause };
    } finally {
      clearTimeout(timer);
    }
  }

  #feed(chunk: Uint8Array): void {
    let text: string;
    try {
      text = this.#decoder.decode(chunk, { stream: true });
    } catch (cause) {
      this.#end = { kind: "defect", reason: "not_utf8", cause };
      return;
    }
    this.#parser.feed(text);
  }

  #add(frame: Frame): void {
    if (this.#end) return;
    if (isLarger(frame.data, this.#maxEventBytes)) this.#end = { kind: "defect", reason: "event_too_large" };
    else this.#frames.push(frame);
  }
}

/** UTF-8 takes at most three bytes per UTF-16 code unit, so most texts need no encoding to be checked. */
function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).byteLength > bytes;
}

export function isEventStream(response: Response): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(response.headers.get("content-type") ?? "");
}
