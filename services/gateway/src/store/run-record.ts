import { principalOf } from "../caller.ts";
import type { RunOrder, RunRecord, RunState } from "./records.ts";

/** The fields of a run's hash that make its record: all but `inputs`, and what scripts alone read. */
export const RECORD = [
  ...["session", "kind", "state", "seq", "fence", "epoch", "attempts", "created"],
  ...["order", "finished", "approval", "terminal"],
];

const UNVOUCHED = { issuer: "local", roles: [] };

/** @param values of {@link RECORD} */
export function toRecord(id: string, values: readonly (string | null)[]): RunRecord | undefined {
  const [session, kind, state, seq, fence, epoch, attempts, created, text, finished, approval, terminal] =
    values;
  if (!text) return undefined;
  // Runs that were accepted before orders had these: nobody vouches for them.
  const order = { ...UNVOUCHED, ...(JSON.parse(text) as Omit<RunOrder, "issuer" | "roles">) };
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
