import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startMesh } from "../../lib/mesh.ts";
import { SERVICES } from "../../lib/services.ts";
import { pin } from "../os/cores.ts";
import { usageOf } from "../os/proc.ts";
import { requestOf, syntheticCatalogue } from "../pricing/catalogue.ts";
import type { Bench, Measure, Values } from "./measure.ts";

const ITEMS = 10_000;
const TIER_PRICES = ITEMS * 4;
const POSTS = 3;

export const optimizer: Measure = {
  name: "optimizer",
  title: "Optimizer: 10,000 items of four tiers under all rules, on one core",
  async run(bench) {
    return { ...(await throughLibrary(bench)), ...(await throughAgent(bench)) };
  },
};

async function throughLibrary({ cores, signal }: Bench): Promise<Values> {
  const program = fileURLToPath(new URL("../pricing/library.ts", import.meta.url));
  const running = promisify(execFile)(process.execPath, [program, String(ITEMS), "1.5"], { signal });
  if (cores && running.child.pid !== undefined) pin([running.child.pid], [cores.sut]);
  const { perS, cpuPerS, boundShare } = JSON.parse((await running).stdout) as Record<string, number>;
  return { libraryPerS: perS ?? 0, libraryCpuPerS: cpuPerS ?? 0, boundShare: boundShare ?? 0 };
}

/** Everything in between included: reading and checking the request, checking and writing the answer. */
async function throughAgent({ cores, signal, load }: Bench): Promise<Values> {
  const mesh = await startMesh({
    services: SERVICES.filter(({ name }) => name === "optimizer"),
    env: { NODE_ENV: "production" },
    signal,
  });
  const scratch = mkdtempSync(join(tmpdir(), "interlock-bench-optimizer-"));
  try {
    const agent = [mesh.find("optimizer").pid ?? 0];
    if (cores) pin(agent, [cores.sut]);
    const file = join(scratch, "request.json");
    writeFileSync(file, JSON.stringify(requestOf(syntheticCatalogue(ITEMS))));
    const post = (times: number) =>
      load.call("postDocument", mesh.urls.optimizer ?? "", "/agents/run/sync", file, times);
    await post(1);
    const before = usageOf(agent).cpuS;
    const { ms, answerBytes } = await post(POSTS);
    const cpuS = usageOf(agent).cpuS - before;
    return {
      agentPerS: TIER_PRICES / (ms.p50 / 1000),
      agentCpuPerS: (TIER_PRICES * POSTS) / cpuS,
      agentMs: ms.p50,
      answerMib: answerBytes / 2 ** 20,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    await mesh.stop();
  }
}
