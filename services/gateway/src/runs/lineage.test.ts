import type { ToolCallRecord } from "@interlock/contracts";
import { describe, expect, test } from "@jest/globals";
import type { JournaledCall } from "../store/index.ts";
import { lineageOf, mermaidOf, parentsOf, shownCalls, summaryOf } from "./lineage.ts";

function call(
  id: string,
  more: Partial<ToolCallRecord> & { output?: unknown; text?: string } = {},
): JournaledCall {
  const { output, text = "", ...record } = more;
  const [node = "", round = "1"] = id.split(".");
  return {
    record: {
      ...{ id, step: 1, node, round: Number(round), parents: [], tool_name: "query", mcp_server: "sql" },
      ...{ input: {}, result_summary: "", outcome: "ok", timestamp: "2026-01-01T00:00:00.000Z" },
      ...{ duration_ms: 1, cached: "miss" },
      ...record,
    },
    ...{ output, text, signature: id, acts: false },
  };
}

const SALES = call("a.1.1", { output: { rows: [{ account: "Contoso", amount: 5_000_000 }] } });
const STAFF = call("a.1.2", { output: { rows: [{ employees: 10 }] } });
const about = { round: 2, message: "Get the sales" };
const ids = (parents: ToolCallRecord["parents"]) => parents.map(({ id, by }) => `${id} ${by}`);

describe("the parents of a call", () => {
  test("are the calls whose results have a value of its arguments, in whatever form", () => {
    const args = { query: "Revenue per employee: $5,000,000 / 10 employees" };
    expect(ids(parentsOf(args, [SALES, STAFF], about))).toEqual(["a.1.1 data", "a.1.2 data"]);
    expect(ids(parentsOf({ n: [{ amount: 5e6 }] }, [SALES, STAFF], about))).toEqual(["a.1.1 data"]);
    expect(ids(parentsOf({ of: "Contoso" }, [SALES, STAFF], about))).toEqual(["a.1.1 data"]);
  });

  test("are the round before where no value tells, and a value that the user said does not", () => {
    const args = { expression: "7 * 6" };
    expect(ids(parentsOf(args, [SALES, STAFF], about))).toEqual(["a.1.1 round", "a.1.2 round"]);
    const said = { round: 2, message: "Is 5,000,000 much?" };
    expect(ids(parentsOf({ n: 5_000_000 }, [SALES, STAFF], said))).toEqual(["a.1.1 round", "a.1.2 round"]);
    expect(parentsOf({ n: 5_000_000 }, [SALES], { ...about, round: 1 })).toEqual([]);
  });
});

test("a call stands behind those whose results it was given, though all began in one millisecond", () => {
  const last = call("a.1.1", { parents: [{ id: "b.1.1", by: "data" }] });
  const middle = call("b.1.1", { parents: [{ id: "c.1.1", by: "data" }] });
  const shown = shownCalls({ "a.1.1": last, "b.1.1": middle, "c.1.1": call("c.1.1") });
  expect(shown.map(({ id, step }) => `${step} ${id}`)).toEqual(["1 c.1.1", "2 b.1.1", "3 a.1.1"]);
});

test("the graph has the calls in their order, and the drawing no values", () => {
  const last = call("a.10.1", {
    parents: [{ id: "a.2.1", by: "round" }],
    tool_name: 'odd"] --> x[',
    outcome: "failed",
    input: { secret: "hunter2" },
  });
  const middle = call("a.2.1", { parents: [{ id: "a.1.1", by: "data" }], cached: "run" });
  const graph = lineageOf("r1", { "a.10.1": last, "a.2.1": middle, "a.1.1": SALES });
  expect(graph.calls.map(({ id, step }) => [id, step])).toEqual([
    ["a.1.1", 1],
    ["a.2.1", 2],
    ["a.10.1", 3],
  ]);
  expect(graph.edges).toEqual([
    { from: "a.1.1", to: "a.2.1", by: "data" },
    { from: "a.2.1", to: "a.10.1", by: "round" },
  ]);
  expect(mermaidOf(graph)).toBe(`flowchart TD
  c1["1. sql.query"]
  c2["2. sql.query, run"]
  c3["3. sql.odd -- x, failed"]
  c1 --> c2
  c2 -.-> c3
`);
});

test("large results are told by their size", () => {
  const [large] = shownCalls({ "a.1.1": call("a.1.1", { output: { text: "x".repeat(20_000) } }) });
  expect(large).toMatchObject({ output_bytes: 20_011 });
  expect(large).not.toHaveProperty("output");
});

test("a summary counts what is data, and shows the first line of what is text", () => {
  expect(summaryOf({ row_count: 3, rows: [] }, "")).toBe("3 rows");
  expect(summaryOf({ items: [1, 2], total: 2 }, "")).toBe("2 items");
  expect(summaryOf(undefined, `${"word ".repeat(50)}\nmore`)).toHaveLength(120);
});
