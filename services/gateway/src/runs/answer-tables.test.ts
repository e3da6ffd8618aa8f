import { expect, test } from "@jest/globals";
import { JsonText } from "../json-text.ts";
import type { Step } from "../mesh/index.ts";
import { tablesOf } from "./answer-tables.ts";
import type { Plan } from "./plan.ts";

const TABLE = { title: "Prices", columns: [{ name: "item", label: "Item" }], rows: [["A"], ["B"]] };
const step = (id: string, kind: Step["kind"], needs: readonly string[] = []) => ({ id, kind, needs }) as Step;
const STEPS = [
  step("price", "agent"),
  step("report", "agent", ["price"]),
  step("told", "render", ["report"]),
];
const planOf = (answer: string): Pick<Plan, "steps" | "answer"> => ({
  steps: STEPS,
  answer: { step: answer, text: async () => "" },
});
const result = (outputs: object) => ({ outputs, warnings: [] });

test("the tables are those of the step that answers, or of those that it joins", async () => {
  const results = { price: result({ tables: [] }), report: result({ tables: [TABLE] }) };
  expect(await tablesOf(planOf("told"), results)).toEqual([{ node: "report", ...TABLE }]);
  expect(await tablesOf(planOf("report"), results)).toEqual([{ node: "report", ...TABLE }]);
  expect(await tablesOf(planOf("price"), results)).toEqual([]);
});

test("outputs that stayed text are read, and what is no table is left out", async () => {
  const outputs = new JsonText(JSON.stringify({ tables: [{ title: 1 }, TABLE] }));
  expect(await tablesOf(planOf("report"), { report: result(outputs) })).toHaveLength(1);
  expect(await tablesOf(planOf("report"), { report: result({ tables: "none" }) })).toEqual([]);
});

test("rows beyond 64 KiB are left out, and their number is kept", async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => [`item-${at}-${"x".repeat(20)}`]);
  const tables = [{ ...TABLE, rows, total_rows: rows.length }, TABLE];
  const [first, ...more] = await tablesOf(planOf("report"), { report: result({ tables }) });
  expect(JSON.stringify(first).length).toBeLessThanOrEqual(64 * 1024);
  expect([first?.total_rows, first?.rows[0], first?.rows.length]).toEqual([
    5_000,
    rows[0],
    expect.any(Number),
  ]);
  expect(more.every(({ rows }) => rows.length <= 2)).toBe(true);
});
