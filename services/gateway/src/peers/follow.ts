import { GatewayError } from "../errors.ts";
import { decodeEvent, type RunEvent, type StoredEvent } from "../events/index.ts";
import type { RunHandle } from "../runs/index.ts";

/**
 * Follows a run to the event with which it rests.
 * @param options.signal when the reader is gone
 * @throws GatewayError interrupted: the run could not be followed that far; cancelled: the reader is gone
 */
export async function follow(
  run: RunHandle,
  { signal, onEvent }: { signal: AbortSignal; onEvent: (event: StoredEvent) => void },
): Promise<RunEvent> {
  const feed = await run.events();
  const { promise, resolve, reject } = Promise.withResolvers<RunEvent>();
  const leave = () => {
    feed.close();
    reject(new GatewayError("cancelled"));
  };
  feed.to({
    batch({ events, over }) {
      for (const event of events) onEvent(event);
      const last = events.at(-1);
      if (over && last) resolve(decodeEvent(last.json));
      return undefined;
    },
    cutOff: () => reject(new GatewayError("interrupted", undefined, { extra: { run_id: run.id } })),
  });
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
