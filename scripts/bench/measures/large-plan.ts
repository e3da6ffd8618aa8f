import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { longestStall } from "../../lib/loop-stalls.ts";
import { type Mesh, startMesh } from "../../lib/mesh.ts";
import { GATEWAY, SERVICES } from "../../lib/services.ts";
import { Connection } from "../load/http.ts";
import { readStream } from "../load/read-stream.ts";
import { nextId } from "../load/requests.ts";
import { startUnpinned } from "../os/cores.ts";
import { usageOf } from "../os/proc.ts";
import { pidsOf } from "../sut/rig.ts";
import { requestOf, syntheticCatalogue } from "./catalogue.ts";
import type { Measure } from "./measure.ts";

const ITEMS = 10_000;
const TIERS = 3;
/** Pause between two requests to the gateway's `/healthz`. */
const PROBE_MS = 10;

/** The tasks of the full plan, one after another; those of a list work at the same time. */
const TASKS = [["PRICE_OPTIMIZATION"], ["POLICY_CHECK"], ["PRICE_EXPLANATION", "SENSITIVITY_ANALYSIS"]];
const FULL = "propose prices, check the policy, explain the drivers and test how robust they are";

/** The whole mesh as `npm start` runs it, with one plan over a large catalogue at a time. */
export const largePlan: Measure = {
  name: "large-plan",
  title: "Plan over 10,000 items of three tiers, all agents real",
  async run({ cores, signal }) {
    // The shortest stall that is logged: the longest one is a figure.
    const env = { NODE_ENV: "production", LOOP_REPORT_MS: "1" };
    const mesh = await startUnpinned(cores, () => startMesh({ env, signal }));
    const gateway = pidsOf(mesh, (name) => name === GATEWAY);
    const inputs = inputsOf(ITEMS);
    const probing = probe(mesh.url);
    try {
      const checked = await time(mesh, "propose prices and check the policy", inputs);
      const before = usageOf(gateway).cpuS;
      const full = await time(mesh, FULL, inputs);
      const gatewayS = usageOf(gateway).cpuS - before;
      return {
        checkedS: checked.wholeMs / 1000,
        fullS: full.wholeMs / 1000,
        agentsS: full.agentsMs / 1000,
        addedShare: (full.wholeMs - full.agentsMs) / full.agentsMs,
        gatewayCpuShare: (gatewayS * 1000) / full.agentsMs,
        healthzMs: await probing.stop(),
        loopStallMs: longestStall([readFileSync(mesh.find(GATEWAY).logFile, "utf8")]).ms,
        bodyMib: JSON.stringify(inputs).length / 2 ** 20,
      };
    } finally {
      await probing.stop();
      await mesh.stop();
    }
  },
};

/** Items of which the pricing flow can be asked. */
function inputsOf(count: number): object {
  const items = syntheticCatalogue(count).map(({ tiers, ...item }) => ({
    ...item,
    tiers: Object.fromEntries(Object.entries(tiers).slice(0, TIERS)),
  }));
  const { inputs } = requestOf(items) as { inputs: object };
  return inputs;
}

/** Runs one plan. @returns how long it took, and how long its agents worked, as they log it: the slowest, where several work at once */
async function time(mesh: Mesh, message: string, inputs: object) {
  const logs = SERVICES.filter(({ name }) => name !== GATEWAY).map(({ name }) => mesh.find(name).logFile);
  const textOf = (file: string) => readFileSync(file, "utf8");
  const before = logs.map((file) => textOf(file).length);
  const body = JSON.stringify({ message, session_id: nextId(), inputs });
  const connection = new Connection(mesh.url);
  const since = performance.now();
  let last = "";
  const path = "/api/v1/chat?stream=true&plan=true";
  await readStream(connection, { path, body }, "gateway", {
    any: (frame) => {
      last = frame;
    },
  });
  const wholeMs = performance.now() - since;
  connection.close();
  if (last.includes('"error"')) throw new Error(`the plan failed: ${last.slice(0, 300)}`);
  await sleep(100);
  const lines = logs.flatMap((file, index) => textOf(file).slice(before[index]).split("\n"));
  const agentsMs = TASKS.reduce(
    (sum, tasks) => sum + Math.max(...tasks.map((task) => timeOf(task, lines))),
    0,
  );
  return { wholeMs, agentsMs };
}

function timeOf(task: string, lines: readonly string[]): number {
  const own = lines.filter((line) => line.includes(`"task_type":"${task}"`));
  return own.reduce((sum, line) => sum + Number(/"duration_ms":(\d+)/.exec(line)?.[1] ?? 0), 0);
}

/** Asks `/healthz` again and again. `stop` gives the longest time that an answer took. */
function probe(url: string): { stop(): Promise<number> } {
  const connection = new Connection(url);
  let longest = 0;
  let stopped = false;
  const probing = (async () => {
    while (!stopped) {
      const since = performance.now();
      await connection.exchange({ path: "/healthz", method: "GET" });
      longest = Math.max(longest, performance.now() - since);
      await sleep(PROBE_MS);
    }
    connection.close();
  })();
  return {
    async stop() {
      stopped = true;
      await probing;
      return longest;
    },
  };
}
