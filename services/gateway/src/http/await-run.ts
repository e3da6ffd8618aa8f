import type { ServerResponse } from "node:http";
import { GatewayError } from "../errors.ts";
import type { RunEvent } from "../events/index.ts";
import type { RunHandle } from "../runs/index.ts";

/** Cancels the run when its client goes away before the answer. */
export function cancelWhenGone(run: RunHandle, res: ServerResponse): void {
  const cancel = () => {
    if (!res.writableFinished) void run.cancel().catch(() => undefined);
  };
  // The client may have gone while the run was being accepted.
  if (res.destroyed) cancel();
  else res.once("close", cancel);
}

/**
 * Waits for the event with which a run rests; of a run that the same key has started before, the stored one.
 * @throws GatewayError interrupted where nothing is known of its end; idempotency_in_progress
 */
export async function restOf(run: RunHandle): Promise<RunEvent> {
  const rest = run.replayed ? await run.rested() : await run.rest();
  if (rest) return rest;
  const extra = { thread_id: run.id };
  if (!run.replayed || run.record?.state === "paused")
    throw new GatewayError("interrupted", undefined, { extra });
  const headers = { "retry-after": "1" };
  throw new GatewayError("idempotency_in_progress", undefined, { headers, extra });
}
