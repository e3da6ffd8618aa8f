import { setTimeout as sleep } from "node:timers/promises";
import { Api, ask, replay } from "./api.ts";
import { readPriceBook } from "./checks/store.ts";
import { blackout } from "./faults/processes.ts";
import { approverOf, fresh } from "./load/load.ts";
import { until } from "./pace.ts";
import type { Scope } from "./round.ts";
import { LEDGER } from "./worker/effect-ledger.ts";

/**
 * An end-to-end drill: a run pauses for approval, every process is killed and restarted, two people approve on two replicas at once, and
 * a reader resumes from the middle of the stream.
 */
export async function approvalDrill(scope: Scope): Promise<void> {
  const { world, ledger, random } = scope;
  const { observer, gateways } = world;
  const api = new Api(gateways, ledger, random.fork());
  const caller = { user: "drill", tenant: "north", roles: [] };
  const inputs = { ms: 150, beats: 3, gate: true };
  const stream = api.client(caller, "drill").chat("change", { sessionId: fresh("s"), inputs });
  const result = await stream.result;
  const { approval, thread_id: runId } = result.status === "paused" ? result : {};
  if (!approval || runId === undefined) return ledger.violate("drill", "pause", result.status);

  await ledger.during(() => blackout(world, 300));
  ledger.count("everything killed");

  const body = { decision: "approve", proposal_hash: approval.proposal_hash };
  const replies = await Promise.all(
    api.replicas.map((url, at) => {
      const approver = { ...approverOf("north"), user: `first-${at}` };
      return ask(url, "POST", `/approvals/${approval.id}/decision`, approver, { body });
    }),
  );
  const statuses = replies.map(({ status }) => status).sort();
  if (statuses.join() !== "200,409") ledger.violate("drill", "two approvals at once", statuses.join());

  const over = async () => (await api.settle("GET", `/runs/${runId}`, caller)).body.state === "finished";
  if (!(await until(over, 20_000))) return ledger.violate("drill", "the run does not finish", runId);
  const middle = Math.floor(stream.lastSeq / 2);
  for (const url of api.replicas) {
    const { events } = await replay(url, caller, runId, "chat", middle);
    const dense = events.every(([seq], at) => seq === middle + 1 + at);
    const ends = events.filter(([, data]) => data.includes('"done":true'));
    if (!dense || ends.length !== 1 || ends[0] !== events.at(-1)) ledger.violate("drill", "stream", runId);
  }
  await sleep(100);
  const published = (await readPriceBook(observer, "north")).get(`${runId}:release`)?.length ?? 0;
  const applied = Number(await observer.hget(LEDGER.applied, `${runId}:apply`));
  if (published !== 1 || applied !== 1) ledger.violate("drill", "effects", `${published} and ${applied}`);
}
