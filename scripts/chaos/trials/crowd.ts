import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api.ts";
import type { Caller } from "../ledger.ts";
import { fresh } from "../load/load.ts";
import { until } from "../pace.ts";
import type { Trial } from "./trial.ts";

const PLANS = 250;
const QUIET_ASKS = 40;
/** How much longer a user's ask may take beside somebody else's crowd. */
const SLOWER = 3;
/** Between two looks at all runs: looking is load, too. */
const LOOK_MS = 3_000;
const ENDED_MS = 110_000;

/** One user starts very many plans at once; another one goes on asking. The gateways learn how much the agent takes. */
export const crowd: Trial = {
  name: "plans of one user, all at once",
  async run({ api, ledger, size }) {
    const quiet: Caller = { user: "quiet", tenant: "south", roles: [] };
    const loud: Caller = { user: "loud", tenant: "north", roles: [] };
    const question = async (at: number) => {
      const body = { message: "learn", session_id: fresh("s"), inputs: { ms: 20, beats: 1 } };
      const since = performance.now();
      const replica = api.replicas[at % api.replicas.length] ?? "";
      const { status } = await ask(replica, "POST", "/chat", quiet, { body });
      if (status !== 200) ledger.violate("ask refused beside a crowd", `${status}`);
      return performance.now() - since;
    };
    const alone: number[] = [];
    while (alone.length < QUIET_ASKS) alone.push(await question(alone.length));

    const count = PLANS * size;
    const starting = Array.from({ length: count }, async () => {
      const body = { session_id: fresh("s"), flow: "toil", inputs: { ms: 20, beats: 1 } };
      const { body: answer } = await api.settle("POST", "/runs", loud, { body, key: fresh("run") });
      const run = String(answer.run_id);
      ledger.acknowledge(run, loud, "crowd");
      return run;
    });
    let left = await Promise.all(starting);
    const beside: number[] = [];
    let failed = 0;
    let over = false;
    const asking = (async () => {
      while (!over) {
        beside.push(await question(beside.length));
        await sleep(20);
      }
    })();
    await until(async () => {
      const states = await Promise.all(
        left.map(async (run) => (await api.settle("GET", `/runs/${run}`, loud)).body.state),
      );
      failed += states.filter((state) => state === "failed" || state === "needs_review").length;
      left = left.filter((_, at) => states[at] === "queued" || states[at] === "running");
      await sleep(LOOK_MS);
      return left.length === 0;
    }, ENDED_MS);
    over = true;
    await asking;
    ledger.count("plans at once", count);
    if (failed + left.length > 0)
      ledger.violate("plan failed", "crowd", `${failed} failed, ${left.length} did not end`);
    const [before, after] = [p95(alone), p95(beside)];
    if (after > SLOWER * before)
      ledger.violate("ask slow beside a crowd", `${Math.round(after)} ms`, `${Math.round(before)} ms alone`);
    return [
      ["plans of a crowd that ended ok", `${count - failed - left.length} of ${count}`],
      ["another user's ask, p95: alone, beside", `${Math.round(before)}, ${Math.round(after)} ms`],
    ];
  },
};

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}
