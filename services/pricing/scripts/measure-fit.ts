import { fitDemand } from "../src/fit.ts";
import { makeRng } from "../src/rng.ts";
import type { Fit } from "../src/types.ts";

/**
 * CPU seconds of fits of n and of 2n rows, and by how many bytes a row the process grew beside the data:
 * `node --expose-gc services/pricing/scripts/measure-fit.ts 100000`. Prices and quantities are rounded, so that rows repeat.
 */
const n = Number(process.argv[2] ?? 100_000);
const repeats = 3;
const spec: Fit = { model: "fit", dataset: "measured", price: "price", quantity: "quantity" };

function datasetOf(rows: number) {
  const rng = makeRng(1, "measure");
  const prices: string[] = [];
  const quantities: string[] = [];
  for (let r = 0; r < rows; r++) {
    const price = 2 + 2 * rng();
    prices.push(price.toFixed(2));
    quantities.push(Math.exp(4 - 2 * Math.log(price) + rng()).toFixed(2));
  }
  return {
    rows,
    columns: new Map([
      ["price", prices],
      ["quantity", quantities],
    ]),
  };
}

function measure(rows: number) {
  const dataset = datasetOf(rows);
  const positions = Array.from({ length: rows }, (_, r) => r);
  let seconds = Number.POSITIVE_INFINITY;
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  for (let k = 0; k < repeats; k++) {
    const start = process.cpuUsage();
    fitDemand(spec, dataset, positions);
    const { user, system } = process.cpuUsage(start);
    seconds = Math.min(seconds, (user + system) / 1e6);
    globalThis.gc?.();
  }
  return { rows, seconds, bytesPerRow: (1024 * process.resourceUsage().maxRSS - before) / rows };
}

console.log(JSON.stringify([measure(n), measure(2 * n)]));
