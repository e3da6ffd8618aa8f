import { type Dispatcher, request } from "undici";
import type { ModelProviderKind } from "../mesh/index.ts";
import { AttemptFailure, codeOfStatus } from "./failure.ts";

/** The kinds of providers whose format a library knows. */
export type LibraryKind = Exclude<ModelProviderKind, "openai_compatible">;

/** Bytes of an answer. A model's is far smaller; parsing more would hold the event loop. */
export const MOST_BYTES = 4 * 1024 * 1024;

/** The line with which a provider's stream ends, where its format has one. Text of a model cannot make it: JSON escapes line ends. */
const LAST_LINES: Record<LibraryKind, RegExp | undefined> = {
  openai: /(?:^|[\r\n])data: ?\[DONE\][\r\n]/,
  azure: /(?:^|[\r\n])data: ?\[DONE\][\r\n]/,
  anthropic: /(?:^|[\r\n])event: ?message_stop[\r\n]+data: ?\{[^\r\n]*\}[\r\n]/,
  // The last chunk has a finish reason; the library reports a stream without one.
  google: undefined,
  vertex: undefined,
};

/** How much of what came before a chunk is kept to find the last line in. */
const TAIL = 256;

/** Sets the header that proves who asks. */
export type Authorize = (headers: Headers) => void | Promise<void>;

/**
 * The HTTP side of one attempt: sends the library's request by the gateway's own connections, and remembers what the library's errors do
 * not tell reliably.
 */
export class Wire {
  status: number | undefined;
  retryAfterMs: number | undefined;
  requestBytes = 0;
  readonly #deps: { dispatcher: Dispatcher; kind: LibraryKind; authorize: Authorize };
  #tail = "";
  #isStream = false;
  #hasLastLine = false;
  #ended = false;

  constructor(deps: { dispatcher: Dispatcher; kind: LibraryKind; authorize: Authorize }) {
    this.#deps = deps;
  }

  /** Whether the answer came to the end that its format has. */
  get isComplete(): boolean {
    const hasLine = this.#isStream && LAST_LINES[this.#deps.kind] !== undefined;
    return hasLine ? this.#hasLastLine : this.#ended;
  }

  /** Why an attempt failed that neither its caller nor a deadline has ended. */
  failure(): AttemptFailure {
    if (this.status === undefined) return new AttemptFailure("connection");
    if (this.status < 200 || this.status >= 300)
      return new AttemptFailure(codeOfStatus(this.status), this.retryAfterMs);
    return new AttemptFailure(this.isComplete ? "server_error" : "truncated");
  }

  /** For the `fetch` option of the libraries. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (typeof init.body !== "string") throw new TypeError("a model is asked with a text");
    const headers = new Headers(init.headers);
    await this.#deps.authorize(headers);
    this.requestBytes = Buffer.byteLength(init.body);
    const answer = await request(input instanceof Request ? input.url : input, {
      method: "POST",
      headers: Object.fromEntries(headers),
      body: init.body,
      signal: init.signal ?? null,
      dispatcher: this.#deps.dispatcher,
      // The attempt has deadlines of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.status = answer.statusCode;
    const fields = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined) fields.set(name, String(value));
    this.retryAfterMs = retryAfter(fields.get("retry-after") ?? undefined);
    this.#isStream = fields.get("content-type")?.includes("text/event-stream") ?? false;
    const body = this.#watched(answer.body);
    return new Response(body, { status: answer.statusCode, headers: fields });
  };

  #watched(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
    const chunks = body[Symbol.asyncIterator]();
    let bytes = 0;
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done) {
          this.#ended = true;
          controller.close();
          return;
        }
        bytes += value.length;
        if (bytes > MOST_BYTES) throw new AttemptFailure("server_error");
        this.#watch(Buffer.from(value.buffer, value.byteOffset, value.length).toString("latin1"));
        controller.enqueue(value);
      },
      cancel: async () => {
        await chunks.return?.();
      },
    });
  }

  #watch(chunk: string): void {
    if (!this.#isStream || this.#hasLastLine) return;
    const text = this.#tail + chunk;
    this.#hasLastLine = LAST_LINES[this.#deps.kind]?.test(text) ?? false;
    this.#tail = text.slice(-TAIL);
  }
}

/** RFC 9110, 10.2.3: seconds, or a date. */
export function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d{1,6}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
