import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { parseJson, parseObject } from "./audit-json.ts";

/** An entry of the decision log that is about this approval. */
export type DecisionEntry = { place: string } & Partial<
  Record<"approval" | "action" | "by" | "at" | "proposal_hash" | "note", unknown>
>;

/** Everything that the store knows of one approval. */
export type ApprovalRecords = {
  /** The approval's hash; empty where there is none. */
  fields: Readonly<Record<string, string>>;
  /** The approval's own list of its entries in the decision log. */
  places: readonly string[];
  /** What the decision log says about it, oldest first. */
  entries: readonly DecisionEntry[];
  /** The state of its run; undefined where the run's record has expired. */
  runState: string | undefined;
  /** What the run's journal says was decided about the step, as JSON. */
  journal: string | undefined;
  /** The run's events about approvals; undefined where its log has expired. */
  events: readonly ApprovalEvent[] | undefined;
};

export type ApprovalEvent = { type: string; data: Readonly<Record<string, unknown>> };

const DECISIONS: readonly unknown[] = ["approved", "rejected", "withdrawn", "expired", "cancelled"];
const ENDED: readonly unknown[] = ["finished", "failed", "cancelled"];

/** Compares an approval's record with the decision log, with its run's journal and with its run's log. */
export function approvalProblems(id: string, records: ApprovalRecords): string[] {
  const { fields, entries } = records;
  if (entries.length === 0) return ["it has no entry in the decision log"];
  if (fields.id !== id) return ["the decision log has entries about it, but its record is missing"];
  const decisions = entries.filter(({ action }) => DECISIONS.includes(action));
  return [
    ...historyProblems(records),
    ...winnerProblems(fields, entries, decisions),
    ...journalProblems(id, records),
    ...eventProblems(id, records),
  ];
}

/** Who asked for what, and how the proposal came to be what it is. */
function historyProblems({ fields, places, entries }: ApprovalRecords): string[] {
  const problems: string[] = [];
  const [first] = entries;
  if (
    !isDeepStrictEqual(
      places,
      entries.map(({ place }) => place),
    )
  )
    problems.push("its list of entries is not what the decision log holds");
  if (first?.action !== "requested" || entries.filter(({ action }) => action === "requested").length !== 1)
    problems.push("the decision log does not begin with one request for it");
  else if (first.by !== fields.requested_by)
    problems.push("the decision log says that somebody else asked for it");
  if (proposalHash(fields) !== fields.hash) problems.push("its proposal does not fit its hash");
  if (proposalsOf(entries).at(-1) !== fields.hash)
    problems.push("its proposal is not the last one in the decision log");
  const edits = entries.filter(({ action }) => action === "edited");
  if (!isDeepStrictEqual(parseJson(fields.editors), [...new Set(edits.map(({ by }) => by))]))
    problems.push("its editors are not those in the decision log");
  return problems;
}

/** The state and the winner, against the one entry that decides. */
function winnerProblems(
  { state, winner, hash: current }: ApprovalRecords["fields"],
  entries: readonly DecisionEntry[],
  decisions: readonly DecisionEntry[],
): string[] {
  if (state === "pending") {
    if (winner) return ["it is pending, but its record has a winner"];
    return decisions.length > 0 ? ["it is pending, but the decision log has a decision"] : [];
  }
  const [entry, second] = decisions;
  if (!entry) return [`it is ${state}, but the decision log has no decision`];
  if (second) return ["the decision log has more than one decision"];
  const problems: string[] = [];
  if (entries.at(-1) !== entry) problems.push("the decision log goes on after its decision");
  const { action, by, at, note } = entry;
  const logged = { decision: action, by, at, ...(note === undefined ? {} : { note }) };
  if (state !== action || !isDeepStrictEqual(parseObject(winner), logged))
    problems.push("its winner is not the one in the decision log");
  const bound = action === "expired" ? proposalsOf(entries) : [current];
  if (action !== "cancelled" && !bound.includes(entry.proposal_hash as string))
    problems.push("the decision is about another proposal");
  return problems;
}

/** The journal is what the run acts on. */
function journalProblems(id: string, { fields, runState, journal }: ApprovalRecords): string[] {
  const decided = isDecidedByStep(fields.state);
  if (journal === undefined) {
    const expected = decided && runState !== undefined && !ENDED.includes(runState);
    return expected ? ["its run's journal lacks the decision"] : [];
  }
  const decision = parseObject(journal);
  const winner = parseObject(fields.winner);
  const same =
    decided &&
    decision?.approval_id === id &&
    decision.decision === winner?.decision &&
    decision.by === winner?.by &&
    decision.note === winner?.note;
  if (!same) return ["its run's journal has another decision"];
  return fields.state !== "approved" || isDeepStrictEqual(decision.proposal, parseJson(fields.proposal))
    ? []
    : ["its run's journal has another proposal"];
}

function eventProblems(id: string, { fields, entries, runState, events }: ApprovalRecords): string[] {
  if (!events) {
    return runState === undefined || ENDED.includes(runState) ? [] : ["the log of its run is missing"];
  }
  const problems: string[] = [];
  const asked = events.filter(({ type, data }) => type === "run_paused" && approvalIn(data)?.id === id);
  const hashes = asked.map(({ data }) => approvalIn(data)?.proposal_hash);
  if (!isDeepStrictEqual(hashes, [entries[0]?.proposal_hash]))
    problems.push("its run's log does not ask for it as the decision log does");
  const decided = events
    .filter(({ type, data }) => type === "approval_decided" && data.approval_id === id)
    .map(({ data: { decision, by } }) => ({ decision, by }));
  const winner = parseObject(fields.winner);
  const expected = isDecidedByStep(fields.state) ? [{ decision: winner?.decision, by: winner?.by }] : [];
  if (!isDeepStrictEqual(decided, expected)) problems.push("its run's log has another decision");
  return problems;
}

/** A cancel decides the approval with its run, which leaves neither a journal entry nor an event of its own. */
function isDecidedByStep(state: string | undefined): boolean {
  return state !== "pending" && state !== "cancelled";
}

function approvalIn(data: ApprovalEvent["data"]): Readonly<Record<string, unknown>> | undefined {
  const { approval } = data;
  return typeof approval === "object" && approval !== null ? { ...approval } : undefined;
}

/** The hashes of the proposals that the approval had, oldest first. */
function proposalsOf(entries: readonly DecisionEntry[]): unknown[] {
  return entries
    .filter(({ action }) => action === "requested" || action === "edited")
    .map((entry) => entry.proposal_hash);
}

/** SHA-256 of the canonical JSON of {proposal, run, step}; the record holds the proposal as canonical JSON. */
function proposalHash({ proposal, run, step }: ApprovalRecords["fields"]): string {
  return hash(
    "sha256",
    `{"proposal":${proposal},"run":${JSON.stringify(run)},"step":${JSON.stringify(step)}}`,
  );
}
