import { describe, expect, test } from "@jest/globals";
import type { Constraint } from "../constraint.ts";
import type { Verify } from "../mesh/index.ts";
import { OrderNotMet, verifyOrder } from "./verify.ts";

const CONSTRAINTS: Constraint[] = [
  { slot: "items", op: "only", value: ["A"] },
  { slot: "limit", op: "set", value: 0.05 },
  { slot: "period", op: "set", value: "Q1" },
];

const VERIFY: Verify = {
  agent: "judge",
  taskType: "JUDGE",
  inputs: async (context) => context,
  accept: async (context) => Object(context).outputs.passed,
  part: {
    names: async (context) => Object(context).outputs.part,
    say: { en: "Only {names}", ko: "{names}만" },
  },
};

const kept = (slot: string) => ({ slot, verdict: "kept", message: "Kept." });
const ALL = [kept("items"), kept("limit"), kept("period")];

async function verified(outputs: Record<string, unknown> | Error) {
  const signal = new AbortController().signal;
  const context = { constraints: CONSTRAINTS };
  const judged = {
    verify: VERIFY,
    flow: { uncheckable: new Set(["period"]) },
    context,
    proposal: [1],
    signal,
  };
  try {
    return await verifyOrder(judged, async () => {
      if (outputs instanceof Error) throw outputs;
      return outputs;
    });
  } catch (error) {
    if (!(error instanceof OrderNotMet)) throw error;
    const { code, differences, part } = error;
    return { code, slots: differences.map(({ slot }) => slot), ...(part ? { part } : {}) };
  }
}

describe("an effect passes", () => {
  test("where the judge accepts it and has kept every constraint", async () => {
    expect(await verified({ passed: true, verdicts: ALL })).toEqual([]);
  });

  test("where nothing could show what is declared so, which is named", async () => {
    const verdicts = [kept("items"), kept("limit"), { slot: "period", verdict: "not_checkable" }];
    expect(await verified({ passed: true, verdicts })).toEqual(["period"]);
  });
});

describe("an effect does not pass", () => {
  test.each<[why: string, outputs: Record<string, unknown> | Error, code: string, slots: string[]]>([
    ["where the judge fails", new Error("gone"), "order_not_checked", []],
    ["where it says nothing of constraints", { passed: true }, "order_not_checked", []],
    ["where its verdicts are none", { passed: true, verdicts: [...ALL, "kept"] }, "order_not_checked", []],
    [
      "where a constraint has no verdict",
      { passed: true, verdicts: [kept("items"), kept("period")] },
      "order_not_checked",
      ["limit"],
    ],
    ["where the judge does not accept it", { passed: false, verdicts: ALL }, "order_not_met", []],
    ["where it does not say so", { verdicts: ALL }, "order_not_met", []],
    [
      "where a constraint is broken, whatever else is said",
      { passed: true, verdicts: [...ALL, { slot: "items", verdict: "broken" }] },
      "order_not_met",
      ["items"],
    ],
    [
      "where something cannot be shown that is not declared so",
      {
        passed: true,
        verdicts: [kept("items"), { slot: "limit", verdict: "not_checkable" }, kept("period")],
      },
      "order_not_met",
      ["limit"],
    ],
  ])("%s", async (_why, outputs, code, slots) => {
    expect(await verified(outputs)).toEqual({ code, slots });
  });

  test("and its part is offered, unless it is too long to be said", async () => {
    const outputs = { passed: false, verdicts: ALL };
    expect(await verified({ ...outputs, part: ["A", "B", "C"] })).toMatchObject({
      part: { en: "Only A, B and C", ko: "A, B, C만" },
    });
    const many = Array.from({ length: 21 }, (_, at) => `I${at}`);
    expect(await verified({ ...outputs, part: many })).not.toHaveProperty("part");
  });
});
