import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ignore } from "./abort.ts";
import type { StreamDefect } from "./errors.ts";

export type Frame = EventSourceMessage;

/** Why no further frames come. `defect`: the stream broke its rules; `cut`: the connection failed; `idle`: nothing came in time. */
export type FramesEnd =
  | { readonly kind: "ended" | "idle" }
  | { readonly kind: "cut"; readonly cause: unknown }
  | { readonly kind: "defect"; readonly reason: StreamDefect; readonly cause?: unknown };

export type FrameOptions = {
  readonly maxEventBytes: number;
  /** The server's wish how long to wait before a reconnect. */
  readonly onRetryHint: (ms: number) => void;
};

/** Beside its data an event holds an id and a name, which the parser counts too. */
const ENVELOPE_CHARS = 1024;

/** A body as server-sent events: bytes in any chunking, strict UTF-8, bounded memory. One reader at a time. */
export class FrameReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #maxEventBytes: number;
  // The parser takes the byte order mark off: the decoder must not do so a second time.
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

  /** The frames that have come, at least one; or why there are no more, after all that came before it. */
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
    // A cancelled stream settles its pending read at once: neither silence nor an abort needs a race, which would leak.
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

/** No character takes more than three bytes for each of its UTF-16 units, so that few texts have to be encoded to know. */
function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).byteLength > bytes;
}

export function isEventStream(response: Response): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(response.headers.get("content-type") ?? "");
}
