import { principalOf } from "../caller.ts";
import { constraintsOfSlots } from "../constraint.ts";
import type { RunOrder, RunRecord, RunState } from "./records.ts";

/** The fields of a run's hash that make its record: all but `inputs`, and what scripts alone read. */
export const RECORD = [
  ...["session", "kind", "state", "seq", "fence", "epoch", "attempts", "created"],
  ...["order", "finished", "approval", "terminal"],
];

const UNVOUCHED = { issuer: "local", roles: [] };

/** An order as it is stored, also one from before orders had constraints, or somebody who vouches for the subject. */
type StoredOrder = Omit<RunOrder, "issuer" | "roles" | "inputs"> & {
  slots?: { flow: string; values: Parameters<typeof constraintsOfSlots>[0] };
};

function readOrder(text: string): RunRecord["order"] {
  const { slots, ...stored } = JSON.parse(text) as StoredOrder;
  const before = slots && { constraints: { flow: slots.flow, said: constraintsOfSlots(slots.values) } };
  return { ...UNVOUCHED, ...before, ...stored };
}

/** @param values of {@link RECORD} */
export function toRecord(id: string, values: readonly (string | null)[]): RunRecord | undefined {
  const [session, kind, state, seq, fence, epoch, attempts, created, text, finished, approval, terminal] =
    values;
  if (!text) return undefined;
  const order = readOrder(text);
  const record: RunRecord = {
    id,
    sessionId: session ?? "",
    subject: order.subject,
    owner: principalOf(order),
    kind: kind as RunRecord["kind"],
    state: state as RunState,
    seq: Number(seq),
    fence: Number(fence),
    epoch: Number(epoch),
    attempts: Number(attempts),
    createdAt: Number(created),
    order,
  };
  if (finished) record.finishedAt = Number(finished);
  if (approval) record.approvalId = approval;
  if (terminal) record.terminal = terminal;
  return record;
}
