import type { ClientOptions } from "../../src/index.ts";

/** Patient enough for any test, and without its pauses. */
export function quick(url: string, more: Partial<ClientOptions> = {}): ClientOptions {
  const policy = { maxAttempts: 5, maxElapsedMs: 10_000, minDelayMs: 1, maxDelayMs: 4 };
  return { baseUrl: url, retry: policy, reconnect: policy, ...more };
}

/** All events, and what the reading of them threw. */
export async function collect<E>(events: AsyncIterable<E>): Promise<{ events: E[]; error: unknown }> {
  const read: E[] = [];
  try {
    for await (const event of events) read.push(event);
    return { events: read, error: undefined };
  } catch (error) {
    return { events: read, error };
  }
}
