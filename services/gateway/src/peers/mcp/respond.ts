import type { IncomingMessage, ServerResponse } from "node:http";
import { type SseStreams, sendText } from "../../http/index.ts";
import { CUT } from "../outcome.ts";
import { rpcError } from "./error.ts";

const KEEPALIVE_MS = 15_000;
const HEADERS = ["accept", "content-type"];
/** Whoever accepts anything accepts both forms, which the protocol wants to be named. */
const ANY = "application/json, text/event-stream";

/** The request without its body, which was read. @param signal when the client is gone */
export function webRequest(req: IncomingMessage, signal: AbortSignal): Request {
  const headers = Object.entries(req.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && (HEADERS.includes(name) || name.startsWith("mcp-")) ? [[name, value]] : [],
  );
  const { accept } = req.headers;
  if (accept === undefined || accept.includes("*/*")) headers.push(["accept", ANY]);
  // Nothing reads the address.
  return new Request("http://gateway/mcp", { method: "POST", headers, signal });
}

/** Aborts when the client goes away before it has its answer. */
export function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}

/**
 * Sends what the protocol's library answers, at the client's pace.
 * @param id of the JSON-RPC request, for a stream that is cut off
 * @param options.failure inside of the gateway, which goes into its log
 * @returns when a stream is open; it goes on by itself
 */
export async function respond(
  res: ServerResponse,
  response: Response,
  { streams, id, failure }: { streams: SseStreams; id: unknown; failure: () => unknown },
): Promise<void> {
  const { status, body } = response;
  const type = response.headers.get("content-type") ?? "";
  if (res.destroyed) return void (await body?.cancel());
  if (!body || !type.startsWith("text/event-stream")) {
    const text = body ? await response.text() : "";
    if (failure() !== undefined) throw failure();
    return sendText(res, type || "application/json; charset=utf-8", text, status);
  }
  const stream = streams.open(res, KEEPALIVE_MS);
  // So that no client takes a stream that ends without its answer for anything else than a failure.
  stream.lastWords = () => `data: ${JSON.stringify({ jsonrpc: "2.0", id, error: rpcError(CUT) })}\n\n`;
  void pump(body, stream)
    .then(() => {
      if (failure() !== undefined) stream.report(failure());
      stream.end();
    })
    .catch((error: unknown) => {
      if (!res.destroyed) stream.fail(error);
    });
}

async function pump(body: ReadableStream<Uint8Array>, stream: ReturnType<SseStreams["open"]>): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    stream.write(decoder.decode(bytes, { stream: true }));
    if (stream.isBehind) await stream.drained();
  }
}
