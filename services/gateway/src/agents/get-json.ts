import { type Dispatcher, request } from "undici";

export type JsonAnswer = { status: number; body: unknown };

export type GetOptions = { dispatcher: Dispatcher; signal: AbortSignal; timeoutMs: number; maxBytes: number };

/**
 * GETs a small JSON document; redirects are not followed. Undefined when there was no whole answer in time;
 * `body` is undefined when it is not JSON.
 */
export const getJson = async (url: string, options: GetOptions): Promise<JsonAnswer | undefined> => {
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
    return { status: statusCode, body: parse(Buffer.concat(chunks).toString("utf8")) };
  } catch {
    return undefined;
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
