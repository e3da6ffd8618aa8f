import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api.ts";
import type { RunFact } from "../ledger.ts";
import { ROOM } from "../pace.ts";
import { answerOf, follow, type Play, type Scenario, timing } from "./scenario.ts";

async function start(
  { api, ledger, caller, fresh }: Play,
  scenario: string,
  inputs: object,
): Promise<RunFact | string> {
  const body = { session_id: fresh("s"), flow: "change", inputs };
  const { status, body: answer } = await api.settle("POST", "/runs", caller, { body, key: fresh("run") });
  if (status !== 202 || typeof answer.run_id !== "string")
    return `not started: ${status} ${answer.code ?? ""}`;
  return ledger.acknowledge(answer.run_id, caller, scenario);
}

async function background(play: Play): Promise<string | undefined> {
  const fact = await start(play, "background", { ...timing(play.random), gate: false });
  if (typeof fact === "string") return fact;
  const end = await follow(play, fact);
  return end?.type === "run_finished" ? undefined : `ended with ${end?.type} ${end?.data.code ?? ""}`;
}

/** How long the steps of a run take that is to be cancelled: longer than an agent may take to hear of it. */
export const CANCELLED_STEP_MS = 3_500 * ROOM;

/** Cancels a run in the middle of a step. If the cancel is acknowledged, the run must end as cancelled. */
async function cancel(play: Play): Promise<string | undefined> {
  const { api, ledger, random, caller, fresh } = play;
  const fact = await start(play, "cancelled", { ms: CANCELLED_STEP_MS, beats: 2, gate: false });
  if (typeof fact === "string") return fact;
  await sleep(random.int(50, 5_000));
  const reply = await api.settle("POST", `/runs/${fact.id}/cancel`, caller, { body: {} });
  ledger.answers.push(answerOf(fact.id, "cancel", caller, fresh("cancel"), reply));
  const end = await follow(play, fact);
  const wanted = reply.status === 200 ? "run_cancelled" : "run_finished";
  return end?.type === wanted ? undefined : `ended with ${end?.type} after ${reply.status}`;
}

/** The same POST several times at once, and once more later, starts one run. The key with another body is refused. */
async function duplicates(play: Play): Promise<string | undefined> {
  const { api, ledger, random, caller, fresh } = play;
  const key = fresh("twice");
  const body = { session_id: fresh("s"), flow: "change", inputs: { ...timing(random), gate: false } };
  const post = (replica: string, sent: object = body) =>
    ask(replica, "POST", "/runs", caller, { body: sent, key, timeoutMs: 8_000 });
  const times = random.int(2, 6);
  const replies = await Promise.all(
    Array.from({ length: times }, (_, at) => post(api.replicas[at % api.replicas.length] ?? "")),
  );
  replies.push(await api.settle("POST", "/runs", caller, { body, key }));
  ledger.count("duplicate POST", times);
  const ids = new Set(replies.flatMap(({ body: answer }) => answer.run_id ?? []));
  for (const id of ids) ledger.acknowledge(String(id), caller, "duplicates");
  if (ids.size > 1) ledger.violate("one key, several runs", [...ids].join(" "));
  const other = await post(api.replica(), { ...body, session_id: fresh("s") });
  if (other.status === 202) ledger.violate("key taken for another body", String(other.body.run_id));
  return ids.size === 1 ? undefined : `${ids.size} runs of ${times} posts`;
}

export const BACKGROUND: readonly Scenario[] = [
  { name: "background", weight: 4, play: background },
  { name: "cancel", weight: 2, play: cancel },
  { name: "duplicates", weight: 2, play: duplicates },
];
