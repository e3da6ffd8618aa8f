import { fresh } from "../load/load.ts";
import { until } from "../pace.ts";
import type { Trial } from "./trial.ts";

const RUNS = 20;
/** At once, as Redis would lose them: a job without the list that it is in stays unknown to the queue, and keeps its id taken. */
const DELETE = `for _, key in ipairs(redis.call('KEYS', '{il-queue}:*')) do redis.call('DEL', key) end`;
/** Waiting runs are looked for every 15 s. */
const FOUND_MS = 40_000;

/** The keys of the queue are deleted under runs that wait in it and an approval that is about to expire. */
export const lostJobs: Trial = {
  name: "jobs lost",
  async run({ world, api, ledger, size }) {
    const caller = { user: "jobless", tenant: "north", roles: [] };
    const start = async (flow: string, inputs: object) => {
      const body = { session_id: fresh("s"), flow, inputs };
      const { body: answer } = await api.settle("POST", "/runs", caller, { body, key: fresh("run") });
      ledger.acknowledge(String(answer.run_id), caller, "jobs lost");
      return String(answer.run_id);
    };
    const stateOf = async (run: string) => (await api.settle("GET", `/runs/${run}`, caller)).body.state;
    const brief = await start("brief", { ms: 10, beats: 1 });
    await until(async () => (await stateOf(brief)) === "paused", FOUND_MS);
    const starting = Array.from({ length: RUNS * size }, () =>
      start("change", { ms: 50, beats: 1, gate: false }),
    );
    // Again and again: jobs that come while others are deleted are lost as well.
    let deleting = true;
    const loss = (async () => {
      while (deleting) await world.observer.eval(DELETE, 0);
    })();
    const runs = await Promise.all(starting);
    deleting = false;
    await loss;
    ledger.count("keys of the queue deleted");
    let left = [brief, ...runs];
    const since = Date.now();
    await until(async () => {
      const states = await Promise.all(left.map(stateOf));
      left = left.filter((_, at) => states[at] !== "finished");
      return left.length === 0;
    }, FOUND_MS);
    for (const run of left) ledger.violate("run not found again", run);
    return [["all runs ended after", `${((Date.now() - since) / 1000).toFixed(1)} s`]];
  },
};
