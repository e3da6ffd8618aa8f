import { proposeItem, type ResolvedItem } from "@interlock/pricing";
import { startMesh } from "../../lib/mesh.ts";
import { SERVICES } from "../../lib/services.ts";
import { spreadOf } from "../load/figures.ts";
import { Connection } from "../load/http.ts";
import { pin, startUnpinned } from "../os/cores.ts";
import { usageOf } from "../os/proc.ts";
import { requestOf, settings, syntheticCatalogue } from "./catalogue.ts";
import type { Bench, Measure, Values } from "./measure.ts";

const ITEMS = 10_000;
const TIER_PRICES = ITEMS * 4;
const POSTS = 3;
const LIBRARY_MS = 1_500;

export const optimizer: Measure = {
  name: "optimizer",
  title: "Optimizer: 10,000 items of four tiers under all rules, on one core",
  async run(bench) {
    const catalogue = syntheticCatalogue(ITEMS);
    return { ...throughLibrary(catalogue), ...(await throughAgent(bench, catalogue)) };
  },
};

/** Runs in this process, which has its own core. */
function throughLibrary(catalogue: readonly ResolvedItem[]): Values {
  const priceAll = () => catalogue.flatMap((item) => Object.values(proposeItem(item, settings).tiers));
  const bound = priceAll().filter(({ binding }) => binding.length > 0);
  const cpuBefore = process.cpuUsage();
  const since = performance.now();
  let prices = 0;
  do prices += priceAll().length;
  while (performance.now() - since < LIBRARY_MS);
  const tookS = (performance.now() - since) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    libraryPerS: prices / tookS,
    libraryCpuPerS: prices / ((user + system) / 1e6),
    boundShare: bound.length / TIER_PRICES,
  };
}

/** Includes parsing and validating the request, and validating and writing the response. */
async function throughAgent({ cores, signal }: Bench, catalogue: readonly ResolvedItem[]): Promise<Values> {
  const services = SERVICES.filter(({ name }) => name === "optimizer");
  const mesh = await startUnpinned(cores, () =>
    startMesh({ services, env: { NODE_ENV: "production" }, signal }),
  );
  try {
    const pid = mesh.find("optimizer").pid ?? 0;
    if (cores) pin(pid, [cores.sut]);
    const connection = new Connection(mesh.urls.optimizer ?? "");
    const body = JSON.stringify(requestOf(catalogue));
    const post = async () => {
      const since = performance.now();
      const { status, text } = await connection.exchange({ path: "/agents/run/sync", body });
      if (status !== 200 || !text.includes('"status":"ok"'))
        throw new Error(`the optimizer answered ${status} ${text.slice(0, 300)}`);
      return { ms: performance.now() - since, bytes: text.length };
    };
    await post();
    const before = usageOf([pid]).cpuS;
    const posts = [];
    while (posts.length < POSTS) posts.push(await post());
    const cpuS = usageOf([pid]).cpuS - before;
    const { p50 } = spreadOf(posts.map(({ ms }) => ms));
    return {
      agentPerS: TIER_PRICES / (p50 / 1000),
      agentCpuPerS: (TIER_PRICES * POSTS) / cpuS,
      agentMs: p50,
      answerMib: (posts[0]?.bytes ?? 0) / 2 ** 20,
    };
  } finally {
    await mesh.stop();
  }
}
