import { AsyncLocalStorage } from "node:async_hooks";
import { type Dispatcher, fetch } from "undici";
import { ToolError } from "./tool-error.ts";

/** What the requests of one call belong to. */
export type CallScope = {
  /** Ends them: of earlier versions of the protocol, its library leaves them open. */
  signal: AbortSignal;
  /** An answer broke, or is larger than it may be. The protocol's library reads streams on its own, and tells nobody whose it was. */
  fail: (error: ToolError) => void;
};

const scopes = new AsyncLocalStorage<CallScope>();

/** Does the work of a call; the requests that it sends belong to the scope. */
export function inScope<T>(scope: CallScope, work: () => Promise<T>): Promise<T> {
  return scopes.run(scope, work);
}

export type BoundedFetchOptions = {
  /** Opens connections by the rules of egress. */
  dispatcher: Dispatcher;
  /** Bytes of one answer, or of one event of a stream, unpacked. */
  maxBytes: number;
  /** Ends all requests. The protocol's library does not end those of a handshake. */
  signal: AbortSignal;
};

/**
 * The only way of this room to the network. Redirects are refused: they would lead to where nobody has looked.
 * @throws ToolError refused, result_too_large, from the body too
 */
export function boundedFetch({ dispatcher, maxBytes, signal: stopping }: BoundedFetchOptions) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const scope = scopes.getStore();
    const { method = "GET", body } = init;
    // What is sent when something is over tells the server so.
    const ends = [stopping, scope?.signal].filter((signal) => !signal?.aborted);
    const answer = await fetch(url, {
      method,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: body === undefined || body === null ? null : String(body),
      signal: AbortSignal.any([init.signal, ...ends].flatMap((signal) => signal ?? [])),
      redirect: "manual",
      dispatcher,
    });
    const { status, statusText } = answer;
    if (status >= 300 && status < 400) {
      await answer.body?.cancel();
      throw new ToolError("refused", "it answered with a redirect");
    }
    const headers = new Headers([...answer.headers]);
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    const bounded = answer.body && boundedBody(answer.body, { maxBytes, isStream, scope });
    return new Response(bounded, { status, statusText, headers });
  };
}

type Bounds = { maxBytes: number; isStream: boolean; scope: CallScope | undefined };

function boundedBody(
  body: AsyncIterable<Uint8Array>,
  { maxBytes, isStream, scope }: Bounds,
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (done) {
          controller.close();
          return;
        }
        bytes += value.length;
        if (bytes > maxBytes) throw new ToolError("result_too_large");
        // An event ends with an empty line: what comes behind it is another one.
        if (isStream && endsEvent(value)) bytes = 0;
        controller.enqueue(value);
      } catch (cause) {
        const error = cause instanceof ToolError ? cause : new ToolError("unavailable", undefined, { cause });
        scope?.fail(error);
        controller.error(error);
        await chunks.return?.();
      }
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

function endsEvent(chunk: Uint8Array): boolean {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return text.includes("\n\n") || text.includes("\r\n\r\n");
}
