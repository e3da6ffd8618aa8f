import type { ClientOptions } from "../../src/index.ts";

/** Client options that retry often and with delays of a few milliseconds. */
export function quick(url: string, more: Partial<ClientOptions> = {}): ClientOptions {
  const policy = { maxAttempts: 5, maxElapsedMs: 10_000, minDelayMs: 1, maxDelayMs: 4 };
  return { baseUrl: url, retry: policy, reconnect: policy, ...more };
}

/** Reads a stream to its end: all its events, and the error that it threw, if any. */
export async function collect<E>(events: AsyncIterable<E>): Promise<{ events: E[]; error: unknown }> {
  const read: E[] = [];
  try {
    for await (const event of events) read.push(event);
    return { events: read, error: undefined };
  } catch (error) {
    return { events: read, error };
  }
}
