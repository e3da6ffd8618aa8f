import { begunField } from "../../store/index.ts";
import { OutcomeUnknown } from "./failure.ts";
import { startedEvent } from "./step-events.ts";
import type { StepAbout, StepDeps, StepScope } from "./step-kind.ts";

/** A step, or a call of one. */
export type Beginning = { id: string; effect?: "repeatable" | "once" | undefined; about: StepAbout };

/**
 * Tells that something begins. Before an effect, the store has to confirm that this replica still holds the run; before one that must not
 * happen twice also that a failover will not forget that it was begun, where the gateway is set to.
 * @throws OutcomeUnknown where an effect that must not happen twice was begun before
 */
export async function announce(
  { id, effect, about }: Beginning,
  { run, signal, begun }: StepScope,
  { replication }: Pick<StepDeps, "replication">,
): Promise<void> {
  const event = startedEvent(id, about, run.fence);
  if (effect === undefined) {
    await run.append(event);
    return;
  }
  if (effect === "once" && begun.has(id)) throw new OutcomeUnknown();
  await run.journal(begunField(id), "1", event);
  await run.flushed();
  signal.throwIfAborted();
  if (effect !== "once") return;
  await replication?.confirm(run, begunField(id));
  signal.throwIfAborted();
}
