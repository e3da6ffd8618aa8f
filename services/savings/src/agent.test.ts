import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { dataSets } from "@interlock/finops/data";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { savingsAgent } from "./agent.ts";
import { sampleInputs } from "./inputs.ts";
import { isEnabled } from "./settings.ts";

const sets = dataSets(undefined);

const TASK = "SAVINGS";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(savingsAgent({ dataSets: sets }));
});
afterAll(async () => {
  await agent.close();
  await sets.close();
});

async function ask(inputs: object, more: object = {}) {
  return agent.sync({ task_type: TASK, mode: "LIVE", inputs, ...more });
}

test("it judges the sample: what to change, what is counted once, and what cannot be judged", async () => {
  const { body } = await ask(sampleInputs());
  expect(body).toMatchObject({ status: "ok", ok: true });
  const outputs = body.outputs as {
    sum: number;
    joint: number;
    recommendations: { id: string; overlaps: string[] }[];
  };
  const ids = outputs.recommendations.map(({ id }) => id);
  expect(ids.toSorted()).toEqual([
    "commitment:compute",
    "data_transfer:nat-to-storage",
    "idle:batch-7",
    "orphaned:disk-9",
    "rightsizing:web-1",
    "storage_tier:archive",
    "untagged:spend",
  ]);
  expect(outputs.joint).toBeLessThan(outputs.sum);
  expect(outputs).toMatchObject({
    currency: "USD",
    summary: expect.stringMatching(/^Together they save \$\d/),
    not_judged: expect.arrayContaining([{ subject: "legacy-3", about: "idle", reason: "NO_USAGE_DATA" }]),
  });
  const commitment = outputs.recommendations.find(({ id }) => id === "commitment:compute");
  expect(commitment?.overlaps.toSorted()).toEqual(["idle:batch-7", "rightsizing:web-1"]);
});

test("it answers in the language of the run", async () => {
  const { body } = await ask(sampleInputs(), { language: "ko-KR" });
  expect(body.outputs).toMatchObject({ summary: expect.stringMatching(/^모두 실행하면 월 US\$/) });
});

describe("it refuses", () => {
  const resource = { resource_id: "a", kind: "compute", monthly_cost: 1 };

  test.each([
    ["resources together with a question", { resources: [], query: {} }],
    ["a negative cost", { resources: [{ ...resource, monthly_cost: -1 }] }],
    ["an unknown kind", { resources: [{ ...resource, kind: "boat" }] }],
    ["a field that it does not know", { resources: [{ ...resource, idle: true }] }],
  ])("%s", async (_, inputs) => {
    expect((await ask(inputs)).status).toBe(400);
  });

  test("a resource twice, and names it", async () => {
    expect((await ask({ resources: [resource, resource] })).body).toMatchObject({
      status: "error",
      error: { code: "INVALID_RESOURCE", details: { resource_id: "a" } },
    });
  });

  test("everything, when it is switched off", async () => {
    const off = await startAgent(savingsAgent({ enabled: false, dataSets: sets }));
    try {
      const { body } = await off.sync({ task_type: TASK });
      expect(body).toMatchObject({ status: "error", error: { code: "SAVINGS_OFF" } });
    } finally {
      await off.close();
    }
  });
});

describe("of the bills", () => {
  type Plan = {
    sum: number;
    joint: number;
    rows: number;
    restricted: boolean;
    recommendations: { id: string; kind: string; monthly_saving: number }[];
    actions: { id: string; requires_approval: boolean; monthly_saving: number }[];
    coverage: { provider: string; coverage: number; utilisation: number | null }[];
    not_judged: { subject: string; reason: string }[];
    applied: { slot: string }[];
    not_applied: { slot: string }[];
    summary: string;
  };
  const plan = async (inputs: object, of = agent): Promise<Plan> =>
    (await of.sync({ task_type: TASK, mode: "LIVE", inputs })).body.outputs as Plan;

  test("it finds what stands idle and what a commitment would save, and counts nothing twice", async () => {
    const found = await plan({ query: {} });
    expect(found.recommendations.filter(({ kind }) => kind === "idle").map(({ id }) => id)).toEqual([
      "idle:111122223333/app/4a31",
      "idle:111122223333/app/6920",
      "idle:111122223333/app/880f",
    ]);
    const ids = found.recommendations.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(["commitment:AWS compute", "commitment:Microsoft compute"]));
    expect(found.joint).toBeGreaterThan(0);
    expect(found.joint).toBeLessThanOrEqual(found.sum + 1e-6);
    expect(found.actions.every((one) => one.requires_approval && one.monthly_saving > 0)).toBe(true);
    // Nothing in the bills says what a commitment of Google Cloud would cost.
    expect(found.not_judged).toContainEqual({
      subject: "Google Cloud",
      about: "commitment",
      reason: "NO_OFFERS",
    });
    expect(found.summary).toMatch(/Commitments of AWS cover \d+(\.\d)?% of what they could/);
    expect(found.summary).toMatch(/Judged by 48,112 charges of 2026-06-21 to 2026-09-18/);
  });

  test("it applies what was said, and names what it cannot apply", async () => {
    const found = await plan({
      constraints: [
        { slot: "provider", op: "only", value: ["AWS"] },
        { slot: "saving_kind", op: "only", value: ["idle"] },
        { slot: "metric", op: "set", value: "billed" },
      ],
    });
    expect(found.recommendations.map(({ kind }) => kind)).toEqual(["idle", "idle", "idle"]);
    expect(found.applied.map(({ slot }) => slot)).toEqual(["provider", "saving_kind"]);
    expect(found.summary).toMatch(/Only: provider AWS\.\n.*Not applied: metric/);
    const offered = await plan({
      query: {
        filter: [{ field: "provider", op: "only", values: ["Google Cloud"] }],
        offers: [{ provider: "Google Cloud", name: "one year", term_months: 12, discount: 0.28 }],
      },
    });
    expect(offered.recommendations.map(({ id }) => id)).toContain("commitment:Google Cloud compute");
  });

  test("a period that has not come is named, and what there is is judged", async () => {
    const found = await plan({ constraints: [{ slot: "period", op: "set", value: "next month" }] });
    expect(found.not_applied.map(({ slot }) => slot)).toEqual(["period"]);
    expect(found.rows).toBe(48_112);
  });

  test("somebody who sees some accounts is told of no other one", async () => {
    const caller = {
      ...{ subject: "kim", issuer: "test", tenant: "default", roles: [] },
      rows: { sub_account: ["333344445555", "444455556666"] },
    };
    const restricted = await startAgent(savingsAgent({ dataSets: sets }), {
      verifyCaller: async () => caller,
    });
    try {
      const found = await plan({ query: {} }, restricted);
      expect(found.restricted).toBe(true);
      expect(JSON.stringify(found)).not.toMatch(
        /111122223333|222233334444|sub-7f21|analytics-prod|ml-research/,
      );
      expect(found.rows).toBeGreaterThan(0);
    } finally {
      await restricted.close();
    }
  });
});

test.each([
  [{}, true],
  [{ SAVINGS_AGENT: "off" }, false],
  [{ D1_OPTIMIZATION_AGENT: "false" }, false],
  [{ SAVINGS_AGENT: "on", D1_OPTIMIZATION_AGENT: "true" }, true],
])("it is switched by %j", (env, enabled) => {
  expect(isEnabled(env)).toBe(enabled);
  expect(() => isEnabled({ ...env, SAVINGS_AGENT: "perhaps" })).toThrow(/SAVINGS_AGENT must be/);
});

test("a long analysis ends at its deadline", async () => {
  const on_demand = Array.from({ length: 8760 }, (_, hour) => hour % 24);
  const pool = {
    grain: "hour",
    usage: [{ group: "a", on_demand }],
    options: [{ name: "o", term_months: 12, discounts: { a: 0.3 } }],
  };
  const pools = Array.from({ length: 20 }, (_, i) => ({ name: `pool ${i}`, ...pool }));
  const { body } = await ask({ resources: [], pools }, { budgets: { timeout_ms: 200 } });
  expect(body).toMatchObject({ error: { code: "DEADLINE_EXCEEDED" } });
});
