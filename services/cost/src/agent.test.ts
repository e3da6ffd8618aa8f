import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import type { CostAnswer } from "@interlock/finops";
import { dataSets } from "@interlock/finops/data";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { costAgent } from "./agent.ts";

const sets = dataSets(undefined);
let agent: TestAgent;
/** Serves somebody who sees the sandbox and the staging account alone. */
let restricted: TestAgent;
beforeAll(async () => {
  agent = await startAgent(costAgent({ dataSets: sets }));
  const caller = {
    subject: "kim",
    issuer: "test",
    tenant: "default",
    roles: [],
    rows: { sub_account: ["333344445555", "444455556666"] },
  };
  restricted = await startAgent(costAgent({ dataSets: sets }), { verifyCaller: async () => caller });
});
afterAll(async () => {
  await Promise.all([agent.close(), restricted.close()]);
  await sets.close();
});

type Answered = CostAnswer & {
  summary: string;
  not_applied: { slot: string }[];
  applied: { slot: string }[];
};

async function ask(
  inputs: object,
  { task = "COST_QUERY", language, of = agent }: { task?: string; language?: string; of?: TestAgent } = {},
) {
  const { body } = await of.sync({
    task_type: task,
    mode: "LIVE",
    inputs,
    ...(language ? { language } : {}),
  });
  return body as unknown as {
    status: string;
    outputs: Answered & Record<string, unknown>;
    error?: { code: string; message: string };
    artifacts?: string[];
  };
}

describe("COST_QUERY", () => {
  test("tells what was spent, by what, and that it ties out", async () => {
    const { outputs, artifacts } = await ask({
      query: { group_by: ["service"], period: "last_month", compare_to: "previous", top: 3 },
    });
    const [part] = outputs.parts;
    expect(part).toMatchObject({ currency: "USD", tie_out: { difference: 0 } });
    expect(part?.groups).toHaveLength(3);
    const shown = [...(part?.groups ?? []), ...(part?.other ? [part.other] : [])];
    expect(shown.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(part?.total ?? Number.NaN, 6);
    expect(shown.reduce((sum, { percent }) => sum + (percent ?? 0), 0)).toBeCloseTo(100, 9);
    expect(outputs.summary).toMatch(
      /^Effective cost, 2026-08-01 to 2026-08-31 \(last month, as the data end on 2026-09-18\): \$/,
    );
    expect(outputs.summary).toMatch(/other \(\d+ more\)/);
    expect(artifacts?.[0]).toMatch(/^data:application\/vnd\.vegalite/);
  });

  test("shows what is credited and refunded beside gross and net", async () => {
    const { outputs } = await ask({ query: { metric: "billed", period: "2026-03" } });
    const [part] = outputs.parts;
    expect(part).toMatchObject({ credits: -1500, refunds: -1240.75 });
    expect((part?.gross ?? 0) - 1500 - 1240.75).toBeCloseTo(part?.total ?? Number.NaN, 6);
    expect(outputs.summary).toContain("credits −$1,500.00, refunds −$1,240.75");
  });

  test("applies what was said, in Korean", async () => {
    const constraints = [
      { slot: "provider", op: "only", value: ["aws"] },
      { slot: "region", op: "except", value: ["us-east-1"] },
      { slot: "team", op: "only", value: ["search", "payments"] },
      { slot: "period", op: "set", value: "2026-Q2" },
      { slot: "metric", op: "set", value: "billed" },
      { slot: "group_by", op: "set", value: "team" },
      { slot: "top", op: "set", value: 1 },
    ];
    const { outputs } = await ask({ constraints }, { language: "ko" });
    expect(outputs.query).toMatchObject({
      metric: "billed",
      period: "2026-Q2",
      group_by: ["tag:team"],
      top: 1,
      filter: [
        { field: "provider", op: "only", values: ["aws"] },
        { field: "region", op: "except", values: ["us-east-1"] },
        { field: "tag:team", op: "only", values: ["search", "payments"] },
      ],
    });
    expect(outputs.applied).toHaveLength(7);
    expect(outputs.not_applied).toEqual([]);
    expect(outputs.summary).toMatch(/^2026-04-01 ~ 2026-06-30 청구 비용: \$/);
    expect(outputs.summary).toContain("us-east-1 제외");
  });

  test("names what it cannot apply, and never drops it", async () => {
    const constraints = [
      { slot: "colour", op: "set", value: "red" },
      { slot: "period", op: "set", value: "some day" },
      { slot: "region", op: "only", value: ["us-east-1"], scope: { service: ["AWS Lambda"] } },
      { slot: "top", op: "set", value: 0 },
    ];
    const { outputs } = await ask({ constraints });
    expect(outputs.not_applied.map(({ slot }) => slot)).toEqual(["colour", "period", "region", "top"]);
    expect(outputs.summary).toContain("Not applied: colour, period, region, top.");
  });

  test("says what there is, where something is asked for that there is not", async () => {
    const { status, error } = await ask({
      constraints: [{ slot: "provider", op: "only", value: ["Oracle"] }],
    });
    expect(status).toBe("error");
    expect(error).toMatchObject({ code: "UNKNOWN_VALUE", message: expect.stringContaining("AWS") });
    expect(error?.message).not.toContain("Oracle");
  });

  test("is asked only what its schema has", async () => {
    for (const query of [
      { sql: "SELECT 1" },
      { group_by: ["effective"] },
      { period: "some_day" },
      { metric: "profit" },
    ]) {
      const { status } = await agent.sync({ task_type: "COST_QUERY", mode: "LIVE", inputs: { query } });
      expect(status).toBe(400);
    }
  });
});

describe("a caller who sees some accounts", () => {
  const TASKS = [
    ["COST_QUERY", "last_month"],
    ["RESOURCE_INFO", "last_month"],
    ["ANOMALY", "last_month"],
    ["REPORT", "last_month"],
    ["COST_FORECAST", "next_month"],
    ["ALERT_CONFIG", "next_month"],
  ];

  test.each(TASKS)("is told of no other one, and that this is a part: %s", async (task, period) => {
    const { status, outputs } = await ask({ query: { period } }, { task, of: restricted });
    expect(status).toBe("ok");
    expect(outputs.restricted).toBe(true);
    const text = JSON.stringify(outputs);
    expect(text).not.toMatch(/prod-web|prod-data|erp-production|ml-research|analytics-prod|111122223333/);
  });

  test("gets what his accounts come to, however he asks", async () => {
    const own = await ask({ query: { period: "last_month", group_by: ["account"] } }, { of: restricted });
    expect(own.outputs.parts[0]?.groups.map(({ keys }) => keys.account).sort()).toEqual([
      "333344445555",
      "444455556666",
    ]);
    const other = await ask(
      { query: { period: "last_month", filter: [{ field: "account", op: "only", values: ["prod-web"] }] } },
      { of: restricted },
    );
    expect(other.error).toMatchObject({ code: "UNKNOWN_VALUE" });
    expect(other.error?.message).not.toContain("prod-web");
  });
});

describe("COST_FORECAST", () => {
  type Forecast = {
    period: { from: string; to: string };
    parts: {
      total: { expected: number; p80: [number, number]; p95: [number, number]; chance_exceeded?: number };
      totals: { period: string; expected: number }[];
      components: { name: string; method: string; compared: object[]; costs: number[] }[];
      points: { cost: number }[];
    }[];
  };
  const forecast = async (inputs: object, more: Parameters<typeof ask>[1] = {}) => {
    const { outputs, ...rest } = await ask(inputs, { task: "COST_FORECAST", ...more });
    return { ...rest, outputs: outputs as unknown as Forecast & Answered };
  };

  test("tells what a month will cost, how sure that is, and by which of which methods", async () => {
    const { outputs } = await forecast({ query: { period: "next_month" } });
    expect(outputs.period).toMatchObject({ from: "2026-10-01", to: "2026-10-31" });
    const [part] = outputs.parts;
    const { expected = 0, p80 = [0, 0], p95 = [0, 0] } = part?.total ?? {};
    expect(part?.totals.find(({ period }) => period === "2026-10")?.expected).toBeCloseTo(expected, 6);
    const october = part?.points.slice(-31).reduce((sum, { cost }) => sum + cost, 0);
    expect(expected).toBeCloseTo(october ?? 0, 6);
    expect(p95[0] < p80[0] && p80[0] < expected && expected < p80[1] && p80[1] < p95[1]).toBe(true);
    expect(part?.components.map(({ name }) => name)).toEqual(["usage", "commitments", "fees", "credits"]);
    expect(part?.components[0]?.compared.length).toBeGreaterThan(2);
    expect(outputs.summary).toMatch(/^Forecast of effective cost, 2026-10-01 to 2026-10-31: \$/);
    expect(outputs.summary).toMatch(/usage: .*, by .* \(MASE/);
  });

  test("credits that have ended are not expected to come again", async () => {
    const { outputs } = await forecast({ query: { period: "next_month" } });
    const credits = outputs.parts[0]?.components.find(({ name }) => name === "credits");
    expect(credits?.costs.every((cost) => Math.abs(cost) === 0)).toBe(true);
  });

  test("tells the chance of a budget, of the month that is not over, and takes what was said", async () => {
    const constraints = [
      { slot: "budget", op: "set", value: 200_000 },
      { slot: "period", op: "set", value: "september" },
      { slot: "provider", op: "only", value: ["AWS"] },
    ];
    const { outputs } = await forecast({ constraints });
    expect(outputs.applied.map(({ slot }) => slot).sort()).toEqual(["budget", "period", "provider"]);
    expect(outputs.period).toMatchObject({ from: "2026-09-01", to: "2026-09-30" });
    expect(outputs.parts[0]?.total).toMatchObject({ budget: 200_000, chance_exceeded: expect.closeTo(0, 6) });
    expect(outputs.summary).toMatch(/Budget \$200,000.00: the chance of exceeding it is (0%|< 1 %)/);
    expect(outputs.summary).toContain("Only: provider AWS");
    const [low] = (await forecast({ constraints: [{ slot: "budget", op: "set", value: 1 }] })).outputs.parts;
    expect(low?.total.chance_exceeded).toBe(1);
  });

  test("names a limit that it cannot hold, and refuses what is over or too far ahead", async () => {
    const { outputs } = await forecast({
      constraints: [
        { slot: "budget", op: "set", value: 5, unit: "EUR" },
        { slot: "top", op: "set", value: 3 },
      ],
    });
    expect(outputs.not_applied.map(({ slot }) => slot).sort()).toEqual(["budget", "top"]);
    expect((await forecast({ query: { period: "last_month" } })).error).toMatchObject({
      code: "PERIOD_OVER",
    });
    expect((await forecast({ query: { period: "2031" } })).error).toMatchObject({ code: "HORIZON_TOO_LONG" });
  });

  test("lets other questions go first while it computes", async () => {
    const order: string[] = [];
    await Promise.all([
      forecast({ query: { period: "2026" } }).then(() => order.push("forecast")),
      ask({ query: { period: "last_month" } }).then(() => order.push("query")),
    ]);
    expect(order).toEqual(["query", "forecast"]);
  });
});

test("RESOURCE_INFO tells what is idle from what has no usage data", async () => {
  const { outputs } = await ask({ query: { period: "last_30_days", top: 2 } }, { task: "RESOURCE_INFO" });
  const [part] = outputs.parts as unknown as {
    idle: { resources: number; examples: string[] };
    without_usage_data: { resources: number };
    listed: object[];
    untagged: { share: number };
  }[];
  expect(part?.idle.examples.sort()).toEqual(["app/4a31", "app/6920", "app/880f"]);
  expect(part?.without_usage_data.resources).toBe(0);
  expect(part?.listed).toHaveLength(2);
  expect(part?.untagged.share).toBeGreaterThan(0);
  expect(outputs.summary).toContain("Idle, by their usage data: 3 resources");
});

test("ANOMALY says what, since when, and why", async () => {
  const { outputs } = await ask({ query: { period: "last_90_days" } }, { task: "ANOMALY" });
  expect(outputs.anomalies).toContainEqual(
    expect.objectContaining({
      keys: { provider: "Google Cloud", service: "BigQuery" },
      first_day: "2026-08-20",
      main_driver: "mix",
    }),
  );
  expect(outputs.summary).toMatch(
    /Google Cloud, BigQuery: a higher level from 2026-08-20 .*\n {2}Why: mostly what was used/,
  );
});

test("REPORT has sections, tables and pictures", async () => {
  const { outputs, artifacts } = await ask({ query: { period: "last_month" } }, { task: "REPORT" });
  const sections = outputs.sections as {
    title: string;
    text: string;
    table?: { columns: string[]; rows: unknown[][] };
  }[];
  expect(sections.map(({ title }) => title)).toEqual([
    "Summary",
    "By month",
    "By service",
    "By account",
    "What was unusual",
    "Resources and tags",
  ]);
  for (const { table } of sections.slice(1, 4))
    expect(table?.rows.every((row) => row.length === table.columns.length)).toBe(true);
  expect(artifacts?.length).toBe(2);
});

test("a question stops when its caller goes away", async () => {
  const leaving = new AbortController();
  const asked = agent.sync(
    { task_type: "REPORT", mode: "LIVE", inputs: { query: {} } },
    { signal: leaving.signal },
  );
  leaving.abort();
  await expect(asked).rejects.toThrow();
  expect((await ask({ query: {} })).status).toBe("ok");
});
