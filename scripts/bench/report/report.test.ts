import { expect, test } from "@jest/globals";
import { XMLValidator } from "fast-xml-parser";
import type { Machine } from "../os/machine.ts";
import { charts } from "./charts.ts";
import { replaceSection } from "./document.ts";
import { figure } from "./format.ts";
import { figureOf, merge, type Results } from "./results.ts";
import { detailsTables, goalsTable, machineText, noiseTable } from "./tables.ts";

const machine: Machine = {
  cpu: "A <fast> processor",
  cores: 2,
  virtual: true,
  memoryGib: 8,
  system: "Linux",
  node: "24.0.0",
  redis: "7.0.0",
  openFiles: 20_000,
  pinned: { sut: 1, harness: 0, more: [] },
  commit: "abc1234",
};

const noise = { foreign: 0.02, loopMs: 30, callsMs: 10 };

function resultsOf(run: string, measure: string, all: readonly Record<string, number>[]): Results {
  return {
    runs: { [run]: { at: run, seconds: 90, repetitions: all.length, machine } },
    measures: { [measure]: { run, repetitions: all.map((values) => ({ values, noise })), failures: [] } },
  };
}

const asks = resultsOf("2026-01-01T00:00:00Z", "ask32", [
  { share: 0.1, cpuUs: 150, storeCpuUs: 20, directCpuUs: 17, p50Ms: 5, p99Ms: 20 },
  { share: 0.2, cpuUs: 100, storeCpuUs: 20, directCpuUs: 17, p50Ms: 5, p99Ms: 20 },
  { share: 0.12, cpuUs: 210, storeCpuUs: 20, directCpuUs: 17, p50Ms: 5, p99Ms: 20 },
]);

test("the table says what was reached, with the range of the repetitions", () => {
  const table = goalsTable(asks);
  expect(table).toContain("| 0.09 | 0.16 | 0.12 | 0.1 – 0.2 | reached |");
  expect(table).toContain("| 200 | 110 | 150 µs | 100 – 210 | reached |");
});

test("what was measured anew takes the place of the old, and the rest stays with its run", () => {
  const paced = resultsOf("2026-01-02T00:00:00Z", "paced", [{ cpuUs: 50 }]);
  const again = resultsOf("2026-01-03T00:00:00Z", "ask32", [{ share: 0.3 }]);
  const merged = merge(merge(asks, paced), again);
  expect(Object.keys(merged.runs)).toEqual(["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"]);
  expect(figureOf(merged.measures.ask32, "share")?.median).toBe(0.3);
  expect(figureOf(merged.measures.paced, "cpuUs")?.median).toBe(50);
  expect(machineText(merged.runs).split("\n")).toHaveLength(2);
});

test("a failed measure shows its failure and no figure", () => {
  const failed: Results = {
    runs: {},
    measures: { burst: { run: "x", repetitions: [], failures: ["3 went wrong"] } },
  };
  expect(figureOf(failed.measures.burst, "share")).toBeUndefined();
  expect(detailsTables(failed)).toContain("Failed: 3 went wrong");
  expect(noiseTable(failed)).not.toContain("burst");
});

test("every chart is a drawing that can be read", () => {
  const samples = [0, 1, 2].map((minute) => ({ minute, gatewayMib: 100, storeMib: 20 + minute }));
  const drawn = charts({
    ...asks,
    soak: { run: "x", minutes: 2, asks: 1, events: 1, gatewaySlope: 0, storeSlope: 1, samples },
    peers: {
      run: "x",
      repetitions: 1,
      targets: [
        { target: "direct", measures: { sync: { rps: 50_000 } } },
        { target: "interlock", measures: { sync: { rps: 5_000 } } },
      ],
    },
  });
  expect(Object.keys(drawn)).toEqual(["goals.svg", "cpu.svg", "latency.svg", "peers.svg", "soak.svg"]);
  for (const drawing of Object.values(drawn)) {
    expect(XMLValidator.validate(drawing)).toBe(true);
    expect(drawing).not.toMatch(/NaN|undefined/);
  }
});

test("only what stands between its marks is replaced", () => {
  const document = "before\n<!-- bench:noise -->\nold\n<!-- /bench:noise -->\nafter";
  expect(replaceSection(document, "noise", "new")).toBe(
    "before\n<!-- bench:noise -->\nnew\n<!-- /bench:noise -->\nafter",
  );
  expect(() => replaceSection(document, "gone", "new")).toThrow("bench:gone");
});

test("figures have three digits", () => {
  expect([0, 0.01234, 0.5678, 1.234, 12.34, 123.4, 12_345.6].map(figure)).toEqual([
    "0",
    "0.0123",
    "0.568",
    "1.23",
    "12.3",
    "123",
    "12,346",
  ]);
});
