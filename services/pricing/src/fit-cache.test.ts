import { expect, test } from "@jest/globals";
import type { Dataset } from "./csv.ts";
import { directoryDatasets, sampleDirectory, sampleInputs } from "./datasets.ts";
import { fitDemand } from "./fit.ts";
import { FitCache } from "./fit-cache.ts";
import { itemResolver } from "./resolve.ts";

const dataset = (): Dataset => ({ rows: 0, columns: new Map() });

/** The fit of the sample's first tier. */
async function firstFit() {
  const sample = await directoryDatasets([sampleDirectory]).load("sample_scanner");
  const spec = { model: "fit", dataset: "sample_scanner", price: "price", quantity: "quantity" } as const;
  return fitDemand(spec, sample, [...Array(sample.rows).keys()]);
}

test("the second request finds the fits of the first, and they are the same", async () => {
  const datasets = directoryDatasets([sampleDirectory]);
  const [item] = sampleInputs().items;
  if (!item) throw new Error("the sample has no item");
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  const first = await itemResolver(datasets, pause)(item);
  expect(pauses).toBeGreaterThan(0);
  pauses = 0;
  const second = await itemResolver(datasets, pause)(item);
  expect(pauses).toBe(0);
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
});

test("a fit that failed is made again, and one of another dataset is another", async () => {
  const cache = new FitCache();
  const [one, other] = [dataset(), dataset()];
  await expect(cache.once("tier", one, "spec", () => Promise.reject(new Error("cancelled")))).rejects.toThrow(
    "cancelled",
  );
  const fit = await firstFit();
  expect(await cache.once("tier", one, "spec", async () => fit)).toBe(fit);
  expect(await cache.once("tier", one, "spec", () => Promise.reject(new Error("again")))).toBe(fit);
  await expect(cache.once("tier", other, "spec", () => Promise.reject(new Error("other")))).rejects.toThrow(
    "other",
  );
  await expect(cache.once("joint", one, "spec", () => Promise.reject(new Error("joint")))).rejects.toThrow(
    "joint",
  );
});
