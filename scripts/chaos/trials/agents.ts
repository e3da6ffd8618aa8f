import { setTimeout as sleep } from "node:timers/promises";
import { fresh } from "../load/load.ts";
import type { Trial } from "./trial.ts";

const PLANS = 20;
const AWAY_MS = 3_000;

/** Every process of the agent is killed under running plans, and comes back: the plans wait for it. */
export const agentsThatComeBack: Trial = {
  name: "agents go and come back",
  async run({ world, api, ledger, size }) {
    const ends = Array.from({ length: PLANS * size }, async (_, at) => {
      const caller = { user: `patient-${at % 4}`, tenant: "north", roles: [] };
      const inputs = { ms: 300, beats: 2, gate: false };
      const stream = api.client(caller, "agents away").chat("change", { sessionId: fresh("s"), inputs });
      return (await stream.result).status;
    });
    await ledger.during(async () => {
      await sleep(300);
      for (const worker of world.workers) worker.kill("SIGKILL");
      await Promise.all(world.workers.map((worker) => worker.exited()));
      await sleep(AWAY_MS);
      for (const worker of world.workers) worker.start();
      await Promise.all(world.workers.map((worker) => worker.ready()));
    });
    ledger.count("all agents away");
    const good = (await Promise.all(ends)).filter((status) => status === "ok").length;
    if (good < ends.length) ledger.violate("plan failed", "agents away", `${ends.length - good} of them`);
    return [["plans that went on", `${good} of ${ends.length}`]];
  },
};
