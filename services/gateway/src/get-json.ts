import { readJson } from "@interlock/contracts";
import { type Dispatcher, request } from "undici";

export type JsonAnswer = { status: number; body: unknown };

/** Cards hold JSON Schemas, which nest. */
const MAX_DEPTH = 512;

export type GetOptions = { dispatcher: Dispatcher; signal: AbortSignal; timeoutMs: number; maxBytes: number };

/**
 * GETs a small JSON document; redirects are not followed. Undefined when there was no whole answer in time;
 * `body` is undefined when it is not JSON.
 */
export async function getJson(url: string, options: GetOptions): Promise<JsonAnswer | undefined> {
  const { dispatcher, timeoutMs, maxBytes } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      signal,
      headers: { accept: "application/json" },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      const bytes: unknown = chunk;
      if (!Buffer.isBuffer(bytes)) return undefined;
      size += bytes.length;
      // Leaving the loop destroys the body, and its socket with it.
      if (size > maxBytes) return undefined;
      chunks.push(bytes);
    }
    const read = readJson(Buffer.concat(chunks), { maxDepth: MAX_DEPTH });
    return { status: statusCode, body: read.ok ? read.value : undefined };
  } catch {
    return undefined;
  }
}
