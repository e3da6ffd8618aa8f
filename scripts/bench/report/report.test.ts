import { expect, test } from "@jest/globals";
import { XMLValidator } from "fast-xml-parser";
import { charts } from "./charts.ts";
import { replaceSection } from "./document.ts";
import { figureOf, merge, type Results } from "./results.ts";
import { figure, goalsTable } from "./tables.ts";

const machine = {
  cpu: "A processor",
  cores: 2,
  memoryGib: 8,
  system: "Linux",
  node: "24.0.0",
  redis: "7.0.0",
  openFiles: 20_000,
  pinned: undefined,
  commit: "abc1234",
};

function resultsOf(run: string, measure: string, all: readonly Record<string, number>[]): Results {
  return {
    runs: { [run]: { at: run, seconds: 90, repetitions: all.length, machine } },
    measures: {
      [measure]: { run, repetitions: all.map((values) => ({ values, foreign: 0 })), failures: [] },
    },
  };
}

const asks = resultsOf("2026-01-01T00:00:00Z", "ask32", [
  { share: 0.1, cpuUs: 150, p50Ms: 5, p99Ms: 20 },
  { share: 0.2, cpuUs: 100, p50Ms: 5, p99Ms: 20 },
  { share: 0.12, cpuUs: 210, p50Ms: 5, p99Ms: 20 },
]);

test("the table says what was reached, with the range of the repetitions", () => {
  const table = goalsTable(asks);
  expect(table).toContain("| 0.09 | 0.16 | 0.12 | 0.1 – 0.2 | reached |");
  expect(table).toContain("| 200 | 110 | 150 µs | 100 – 210 | reached |");
});

test("a measure that failed has no figure", () => {
  const failed = { run: "x", repetitions: [], failures: ["an ask failed"] };
  expect(goalsTable({ runs: {}, measures: { burst: failed } })).toContain("| 0.35 | 0.55 | – |  | failed |");
});

test("what was measured anew replaces the old, and the rest stays with its run", () => {
  const paced = resultsOf("2026-01-02T00:00:00Z", "paced", [{ cpuUs: 50 }]);
  const again = resultsOf("2026-01-03T00:00:00Z", "ask32", [{ share: 0.3 }]);
  const merged = merge(merge(asks, paced), again);
  expect(Object.keys(merged.runs)).toEqual(["2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"]);
  expect(figureOf(merged.measures.ask32, "share")?.median).toBe(0.3);
  expect(figureOf(merged.measures.paced, "cpuUs")?.median).toBe(50);
});

test("charts draw what was measured", async () => {
  const drawn = await charts(asks);
  for (const [name, title] of [
    ["goals.svg", "CPU per simple ask"],
    ["latency.svg", "Simple ask, 32 at once: p50 to p99"],
  ] as const) {
    expect(XMLValidator.validate(drawn[name] ?? "")).toBe(true);
    expect(drawn[name]).toContain(title);
    expect(drawn[name]).not.toMatch(/NaN|undefined/);
  }
});

test("only what stands between its marks is replaced", () => {
  const document = "before\n<!-- bench:machine -->\nold\n<!-- /bench:machine -->\nafter";
  expect(replaceSection(document, "machine", "new")).toBe(
    "before\n<!-- bench:machine -->\nnew\n<!-- /bench:machine -->\nafter",
  );
  expect(() => replaceSection(document, "gone", "new")).toThrow("bench:gone");
});

test("figures have three digits, and all of those before the decimal point", () => {
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
