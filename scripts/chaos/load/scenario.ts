import type { Api, Reply } from "../api.ts";
import type { Answer, Caller, Ledger, RunFact } from "../ledger.ts";
import type { Random } from "../random.ts";

/** What a user of the load has at hand. */
export type Play = {
  readonly api: Api;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Who asks. */
  readonly caller: Caller;
  /** Who decides: somebody else. */
  readonly approver: Caller;
  /** A name that nobody used before. */
  readonly fresh: (prefix: string) => string;
};

export type Scenario = {
  readonly name: string;
  readonly weight: number;
  /** @returns what went wrong, as far as this user can tell; undefined where all was well */
  readonly play: (play: Play) => Promise<string | undefined>;
};

/** Mostly short steps, sometimes ones that a fault is sure to meet. */
export function timing(random: Random): { ms: number; beats: number } {
  const ms = random.chance(0.75) ? random.int(10, 250) : random.int(400, 1_500);
  return { ms, beats: random.int(1, 4) };
}

/** Sends a decision until an answer stands, and notes it. */
export async function decide(
  { api, ledger, approver, fresh }: Play,
  runId: string,
  approval: { id: string; hash: string },
  action: "approve" | "reject",
): Promise<Reply> {
  const operation = fresh("decision");
  const body = { decision: action, proposal_hash: approval.hash };
  const path = `/approvals/${approval.id}/decision`;
  const reply = await api.settle("POST", path, approver, { body, key: operation });
  ledger.answers.push(answerOf(runId, action, approver, operation, reply, approval.id));
  return reply;
}

export function answerOf(
  runId: string,
  action: Answer["action"],
  { user }: Caller,
  operation: string,
  { status, body }: Reply,
  approvalId?: string,
): Answer {
  const answer = { runId, action, user, operation, status, body };
  return approvalId === undefined ? answer : { ...answer, approvalId };
}

/** Reads a run's log from a place on, to its end or its pause. @returns the last event's type and data */
export async function follow(
  { api }: Play,
  fact: RunFact,
  after = 0,
): Promise<{ type: string; data: Readonly<Record<string, unknown>>; seq: number } | undefined> {
  let last: Awaited<ReturnType<typeof follow>>;
  for await (const event of api.client(fact.caller, fact.scenario).runs.events(fact.id, { after })) {
    if (event.type === "reset") continue;
    const data = event.type === "progress" ? {} : { ...event.data };
    last = { type: event.type, data, seq: event.seq };
  }
  return last;
}
