import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "../api.ts";
import type { Caller } from "../ledger.ts";
import { fresh } from "../load/load.ts";
import { until } from "../pace.ts";
import type { Trial } from "./trial.ts";

const PLANS = 250;
const QUIET_ASKS = 40;
/** How much longer a user's ask may take beside somebody else's crowd. */
const SLOWER = 5;
const ENDED_MS = 110_000;

/** One user starts very many plans at once; another one goes on asking. The gateways learn how much the agent takes. */
export const crowd: Trial = {
  name: "plans of one user, all at once",
  async run({ api, ledger, size }) {
    const quiet: Caller = { user: "quiet", tenant: "south", roles: [] };
    const loud: Caller = { user: "loud", tenant: "north", roles: [] };
    const question = async (at: number) => {
      const body = { message: "learn", session_id: fresh("s"), inputs: { ms: 20 } };
      const since = performance.now();
      const replica = api.replicas[at % api.replicas.length] ?? "";
      const { status } = await ask(replica, "POST", "/chat", quiet, { body });
      if (status !== 200) ledger.violate("ask refused beside a crowd", `${status}`);
      return performance.now() - since;
    };
    const askAlone = async () => {
      const times: number[] = [];
      while (times.length < QUIET_ASKS) times.push(await question(times.length));
      return p95(times);
    };
    const aloneBefore = await askAlone();

    const count = PLANS * size;
    const starting = Array.from({ length: count }, async () => {
      const body = { session_id: fresh("s"), flow: "toil", inputs: { ms: 20 } };
      const { body: answer } = await api.settle("POST", "/runs", loud, { body, key: fresh("run") });
      const run = String(answer.run_id);
      ledger.acknowledge(run, loud, "crowd");
      return run;
    });
    const runs = await Promise.all(starting);
    const beside: number[] = [];
    let over = false;
    const asking = (async () => {
      while (!over) {
        beside.push(await question(beside.length));
        await sleep(20);
      }
    })();
    const deadline = Date.now() + ENDED_MS;
    const lastStateOf = async (run: string) => {
      let state: unknown;
      await until(async () => {
        ({ state } = (await api.settle("GET", `/runs/${run}`, loud)).body);
        return state !== "queued" && state !== "running";
      }, deadline - Date.now());
      return state;
    };
    // To look at all of them again and again would be a load of its own.
    for (const run of runs.filter((_, at) => at % 10 === 9)) await lastStateOf(run);
    over = true;
    await asking;
    const states = await Promise.all(runs.map(lastStateOf));
    const ended = states.filter((state) => state === "finished").length;
    ledger.count("plans at once", count);
    if (ended < count) ledger.violate("plan failed", "crowd", `${count - ended} of ${count} did not end ok`);
    // What else the machine does by then is not the crowd's.
    const [before, after] = [Math.max(aloneBefore, await askAlone()), p95(beside)];
    if (after > SLOWER * before)
      ledger.violate("ask slow beside a crowd", `${Math.round(after)} ms`, `${Math.round(before)} ms alone`);
    return [
      ["plans of a crowd that ended ok", `${ended} of ${count}`],
      ["another user's ask, p95: alone, beside", `${Math.round(before)}, ${Math.round(after)} ms`],
    ];
  },
};

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0;
}
