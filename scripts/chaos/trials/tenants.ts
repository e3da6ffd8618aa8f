import { setTimeout as sleep } from "node:timers/promises";
import { usageOf } from "../../bench/os/proc.ts";
import { ROOM } from "../pace.ts";
import type { Trial } from "./trial.ts";

const TENANTS = 10_000;
const WATCHED_S = 5;
/** Of a core, for both gateways together. */
const MOST_CPU = 0.1;

/** Ten thousand tenants that did something once and are idle now. */
export const idleTenants: Trial = {
  name: "idle tenants",
  async run({ world, ledger }) {
    const { observer, gateways } = world;
    const names = Array.from({ length: TENANTS }, (_, n) => `idle-${n}`);
    await observer.sadd("il:tenants", ...names);
    const pids = gateways.flatMap(({ process }) => process.pid ?? []);
    const before = usageOf(pids).cpuS;
    await sleep(1_000 * WATCHED_S);
    const share = (usageOf(pids).cpuS - before) / WATCHED_S;
    await observer.srem("il:tenants", ...names);
    if (share > MOST_CPU * ROOM)
      ledger.violate("idle tenants cost", `${(100 * share).toFixed(1)} % of a core`);
    return [
      [`CPU of two gateways, ${TENANTS.toLocaleString("en")} idle tenants`, `${(100 * share).toFixed(1)} %`],
    ];
  },
};
