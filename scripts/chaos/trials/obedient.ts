import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api.ts";
import { readPriceBook } from "../checks/store.ts";
import type { Caller } from "../ledger.ts";
import { fresh } from "../load/load.ts";
import type { Trial } from "./trial.ts";

const CLIENTS = 10;
const STALL_MS = 5_000;
const PATIENCE_MS = 60_000;

/** Redis stands still while callers without an `Idempotency-Key` start runs. They do what the answers say, and each publishes once. */
export const stalledStore: Trial = {
  name: "Redis stalls under clients without keys",
  async run({ world, api, ledger, size }) {
    const published = async () => (await readPriceBook(world.observer, "north")).size;
    const before = await published();
    const caller: Caller = { user: fresh("obedient"), tenant: "north", roles: [] };
    const wanted = CLIENTS * size;
    let runs: (string | undefined)[] = [];
    await ledger.during(async () => {
      world.redis.kill("SIGSTOP");
      const starting = Array.from({ length: wanted }, (_, at) => start(api.replicas, at, caller));
      await sleep(STALL_MS);
      world.redis.kill("SIGCONT");
      runs = await Promise.all(starting);
    });
    ledger.count("Redis stalled under writes");
    for (const run of runs) {
      if (run === undefined) ledger.violate("obedient client got nothing", caller.user);
      else ledger.acknowledge(run, caller, "obedient");
    }
    const over = Date.now() + PATIENCE_MS;
    while ((await published()) - before < wanted && Date.now() < over) await sleep(100);
    // A double would come soon after.
    await sleep(1_000);
    const made = (await published()) - before;
    if (made !== wanted) ledger.violate("publications of obedient clients", `${made} for ${wanted}`);
    return [["publications", `${made} of ${wanted} wanted`]];
  },
};

/** Starts a run as the answers say: again where nothing was done, and after a look where that is unknown. @returns its id */
async function start(replicas: readonly string[], at: number, caller: Caller): Promise<string | undefined> {
  const replica = replicas[at % replicas.length] ?? "";
  const over = Date.now() + PATIENCE_MS;
  while (Date.now() < over) {
    const body = { session_id: fresh("s"), flow: "change", inputs: { ms: 20, beats: 1, gate: false } };
    const { status, body: answer } = await ask(replica, "POST", "/runs", caller, { body });
    if (status === 202) return String(answer.run_id);
    if (answer.code === "outcome_unknown" && (await exists(replica, String(answer.thread_id), caller)))
      return String(answer.thread_id);
    await sleep(200);
  }
  return undefined;
}

async function exists(replica: string, run: string, caller: Caller): Promise<boolean> {
  for (;;) {
    const { status } = await ask(replica, "GET", `/runs/${run}`, caller);
    if (status === 200 || status === 404) return status === 200;
    await sleep(200);
  }
}
