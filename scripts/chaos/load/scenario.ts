import type { Api, Reply } from "../api.ts";
import type { Answer, Caller, Ledger, RunFact } from "../ledger.ts";
import type { Random } from "../random.ts";

/** What a scenario has to work with. */
export type Play = {
  readonly api: Api;
  readonly ledger: Ledger;
  readonly random: Random;
  /** The user who plays it. */
  readonly caller: Caller;
  /** Another user, who decides on approvals. */
  readonly approver: Caller;
  /** Returns a unique name. */
  readonly fresh: (prefix: string) => string;
};

export type Scenario = {
  readonly name: string;
  readonly weight: number;
  /** @returns what failed from the user's point of view, or undefined */
  readonly play: (play: Play) => Promise<string | undefined>;
};

/** Mostly short steps, and some that are long enough for a fault to hit them. */
export function timing(random: Random): { ms: number; beats: number } {
  const ms = random.chance(0.75) ? random.int(10, 250) : random.int(400, 1_500);
  return { ms, beats: random.int(1, 4) };
}

/** Sends a decision until it has a final answer, and records that. */
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

/** Reads a run's log after a seq until the run ends or pauses. @returns the last event */
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
