import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api.ts";
import type { Caller, RunFact } from "../ledger.ts";
import { answerOf, decide, follow, type Play, type Scenario, timing } from "./scenario.ts";

type Paused = { fact: RunFact; approval: { id: string; hash: string }; seq: number };

/** Starts a run and reads it until it pauses for approval. */
async function pause(play: Play, scenario: string, message: "change" | "brief"): Promise<Paused | string> {
  const { api, ledger, random, caller, fresh } = play;
  const own = timing(random);
  const inputs = message === "change" ? { ...own, gate: true } : own;
  const stream = api.client(caller, scenario).chat(message, { sessionId: fresh("s"), inputs, plan: true });
  const result = await stream.result;
  const { approval, thread_id } = result.status === "paused" ? result : {};
  if (!approval || thread_id === undefined) return `did not pause: ${result.status}`;
  const fact = ledger.acknowledge(thread_id, caller, scenario);
  return { fact, approval: { id: approval.id, hash: String(approval.proposal_hash) }, seq: stream.lastSeq };
}

/** A run pauses, another user decides on any replica, and the reader resumes where the first stream ended. */
async function approve(play: Play): Promise<string | undefined> {
  const paused = await pause(play, "approval", "change");
  if (typeof paused === "string") return paused;
  const { fact, approval, seq } = paused;
  const action = play.random.chance(0.8) ? "approve" : "reject";
  await sleep(play.random.int(0, 400));
  const reply = await decide(play, fact.id, approval, action);
  if (reply.status !== 200) return `decision: ${reply.status} ${reply.body.code ?? ""}`;
  const end = await follow(play, fact, seq);
  const wanted = action === "approve" ? "ok" : "rejected";
  return end?.data.status === wanted ? undefined : `ended ${end?.data.status} ${end?.data.code ?? ""}`;
}

/** One request about a pending approval. Two with the same operation are one request sent twice. */
type Move = { action: "approve" | "reject" | "cancel"; sender: Caller; operation: string };

/** Sends many moves at once, alternating between the replicas. @returns whether one of them is known to have taken effect */
async function contend(play: Play, { fact, approval }: Paused, size: number): Promise<boolean> {
  const { api, ledger, random } = play;
  const moves: Move[] = [];
  for (let at = 0; at < size; at++) {
    moves.push(at > 0 && random.chance(0.2) ? random.pick(moves) : newMove(play, `${approval.id}-${at}`));
  }
  const taken = await Promise.all(
    moves.map(async ({ action, sender, operation }, at) => {
      const replica = api.replicas[at % api.replicas.length] ?? "";
      const cancels = action === "cancel";
      const reply = cancels
        ? await ask(replica, "POST", `/runs/${fact.id}/cancel`, sender, { body: {} })
        : await ask(replica, "POST", `/approvals/${approval.id}/decision`, sender, {
            body: { decision: action, proposal_hash: approval.hash },
            key: operation,
          });
      ledger.answers.push(
        answerOf(fact.id, action, sender, operation, reply, cancels ? undefined : approval.id),
      );
      return reply.status === 200;
    }),
  );
  ledger.count("decision race");
  ledger.count("decisions in races", size);
  return taken.includes(true);
}

function newMove({ random, approver, caller }: Play, operation: string): Move {
  if (random.chance(0.06)) return { action: "cancel", sender: caller, operation };
  const action = random.chance(0.6) ? "approve" : "reject";
  return { action, sender: { ...approver, user: operation }, operation };
}

/** Many users approve, reject and cancel at once, on both replicas. */
async function race(play: Play): Promise<string | undefined> {
  const paused = await pause(play, "race", "change");
  if (typeof paused === "string") return paused;
  const decided = await contend(play, paused, play.random.int(10, 50));
  // All of them may have been lost in an outage; a reader who knows of the pause waits for a decision.
  if (!decided) await decide(play, paused.fact.id, paused.approval, "approve");
  await follow(play, paused.fact, paused.seq);
  return undefined;
}

/** Decisions arrive just when the approval expires. */
async function expire(play: Play): Promise<string | undefined> {
  const paused = await pause(play, "expiry", "brief");
  if (typeof paused === "string") return paused;
  await sleep(play.random.int(1_850, 2_050));
  await contend(play, paused, 6);
  await follow(play, paused.fact, paused.seq);
  return undefined;
}

export const APPROVALS: readonly Scenario[] = [
  { name: "approval", weight: 5, play: approve },
  { name: "race", weight: 1, play: race },
  { name: "expiry", weight: 1, play: expire },
];
