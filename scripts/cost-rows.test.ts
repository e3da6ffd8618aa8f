import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { type DataSets, dataSets, samplePlace } from "@interlock/finops/data";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { costAgent } from "../services/cost/src/agent.ts";
import { savingsAgent } from "../services/savings/src/agent.ts";

/** Every task of both agents, asked by callers who may see some of the bills, and by callers who mean harm. */
const scratch = mkdtempSync(join(tmpdir(), "interlock-rows-"));
const sets = dataSets(undefined);
let rows: Record<string, string[]> | undefined;
const verifyCaller = async () => ({
  subject: "kim",
  issuer: "test",
  tenant: "default",
  roles: [],
  ...(rows ? { rows } : {}),
});

type Agents = Readonly<Record<"cost" | "savings", TestAgent>>;
const started: TestAgent[] = [];
async function agentsOver(dataSets: DataSets): Promise<Agents> {
  const cost = await startAgent(costAgent({ dataSets }), { verifyCaller });
  const savings = await startAgent(savingsAgent({ dataSets }), { verifyCaller });
  started.push(cost, savings);
  return { cost, savings };
}

let agents: Agents;
beforeAll(async () => {
  agents = await agentsOver(sets);
});
afterAll(async () => {
  await Promise.all(started.map((agent) => agent.close()));
  await sets.close();
  rmSync(scratch, { recursive: true, force: true });
});

type Answer = {
  status: string;
  outputs: Record<string, unknown>;
  error?: { code: string; message: string };
};

async function ask(of: Agents, task: string, inputs: object): Promise<{ status: number; body: Answer }> {
  const agent = /^(?:SAVINGS|ALERT_CHECK)$/.test(task) ? of.savings : of.cost;
  const { status, body } = await agent.sync({ task_type: task, mode: "LIVE", inputs });
  return { status, body: body as unknown as Answer };
}

/** The bills that a caller may see, in a file of their own, written by SQL of its own. */
async function fileOf(held: Record<string, string[]>, name: string): Promise<string> {
  const columns: Record<string, string> = {
    sub_account: "SubAccountId",
    provider: "ServiceProviderName",
    service: "ServiceName",
    region: "RegionId",
    tag_team: "json_extract_string(Tags, '$.team')",
  };
  const where = Object.entries(held)
    .map(([field, values]) => `${columns[field]} IN (${values.map((value) => `'${value}'`).join(", ")})`)
    .join(" AND ");
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  const file = join(scratch, `${name}.parquet`);
  await connection.run(
    `COPY (SELECT * FROM read_parquet('${samplePlace}') WHERE ${where}) TO '${file}' (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  return file;
}

describe("an answer is about the rows that the caller may see, and no others", () => {
  const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1 });
  const HELD = fc.oneof(
    fc.record({ sub_account: some(["111122223333", "222233334444", "333344445555"]) }),
    fc.record({ provider: some(["AWS", "Microsoft", "Google Cloud"]) }),
    fc.record({ region: some(["us-east-1", "us-west-2", "westeurope", "europe-west1"]) }),
    fc.record({ service: some(["Amazon Elastic Compute Cloud", "Virtual Machines", "Compute Engine"]) }),
    fc.record({ tag_team: some(["search", "mobile"]), provider: some(["AWS", "Microsoft"]) }),
  );
  const PAST = fc.constantFrom("last_month", "2026-Q2", "last_90_days", "this_year", "2026-08-11");
  const AHEAD = fc.constantFrom("next_month", "this_month", "next_30_days");
  const BY = fc.constantFrom("service", "provider", "account", "region", "tag:team", "month", "day");
  const QUESTIONS: Readonly<Record<string, fc.Arbitrary<object>>> = {
    COST_QUERY: fc.record({
      period: PAST,
      group_by: fc.uniqueArray(BY, { maxLength: 1 }),
      metric: fc.constantFrom("effective", "billed", "list", "credits"),
      compare_to: fc.constant("previous"),
    }),
    RESOURCE_INFO: fc.record({ period: PAST, top: fc.integer({ min: 1, max: 20 }) }),
    ANOMALY: fc.record({ period: fc.constantFrom("last_month", "last_90_days") }),
    REPORT: fc.record({ period: PAST }),
    COST_FORECAST: fc.record({
      period: AHEAD,
      budget: fc.record({ amount: fc.integer({ min: 1, max: 90_000 }) }),
    }),
    SAVINGS: fc.record({ period: fc.constantFrom("last_90_days", "last_month") }),
    ALERT_CONFIG: fc.record({ every: fc.constantFrom("day", "month", "quarter") }),
  };

  /** What the caller is told beside the numbers: that they are a part. */
  const plain = (outputs: Record<string, unknown>) => {
    const { restricted, summary: _, data: __, proposed: ___, sections, ...numbers } = outputs;
    const tables = [sections ?? []].flat().map((one) => Object(one).table ?? null);
    return { restricted, numbers: { ...numbers, tables } };
  };

  type Part = { readonly held: Record<string, string[]>; readonly theirs: Agents; readonly sets: DataSets };
  const parts: Part[] = [];
  beforeAll(async () => {
    const { about } = await sets.of(undefined);
    for (const [at, held] of fc.sample(HELD, { seed: 7, numRuns: 8 }).entries()) {
      const own = dataSets(await fileOf(held, `part-${at}`));
      const { first_day, last_day } = (await own.of(undefined)).about;
      // "Last month" of bills that end earlier is another one.
      const isAlike = last_day === about.last_day && first_day === about.first_day;
      if (isAlike && parts.length < 4) parts.push({ held, theirs: await agentsOver(own), sets: own });
      else await own.close();
    }
  });
  afterAll(async () => {
    for (const part of parts) await part.sets.close();
  });

  test.each(Object.entries(QUESTIONS))("%s", async (task, question) => {
    expect(parts).toHaveLength(4);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...parts), question, async ({ held, theirs }, query) => {
        rows = held;
        const seen = await ask(agents, task, { query });
        rows = undefined;
        const whole = await ask(theirs, task, { query });
        expect(seen.body.error?.code).toBe(whole.body.error?.code);
        if (whole.body.status !== "ok") return;
        const [told, all] = [plain(seen.body.outputs), plain(whole.body.outputs)];
        expect(told.restricted).toBe(true);
        expect(rounded(told.numbers)).toEqual(rounded(all.numbers));
      }),
      { numRuns: 5, seed: 7, endOnFailure: true },
    );
  });
});

/** Sums of other rows in another order differ in the last digits, and what is left of them where they cancel out. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, one) =>
      typeof one === "number" ? Number(Number(one.toPrecision(9)).toFixed(4)) : one,
    ),
  );
}

describe("what is no text of a question is refused, or is a text like any other", () => {
  const FILE = join(scratch, "written");
  const ATTACKS = [
    "' OR 1=1 --",
    "'; DROP TABLE focus.charges; --",
    "x') UNION SELECT 1, 2, 3 --",
    "/* */ ' || (SELECT max(tags) FROM focus.charges) || '",
    "$1",
    "read_csv('/etc/passwd')",
    `'; ATTACH '${FILE}.db' AS other; --`,
    `'; COPY (SELECT 1) TO '${FILE}.csv'; --`,
  ];
  const said = {
    constraints: [
      { slot: "service", op: "only", value: ["AWS Lambda"], unit: "money", direction: "up" },
      { slot: "period", op: "set", value: "last month" },
      { slot: "budget", op: "set", value: 500, unit: "USD" },
    ],
    question: "What did it cost in 2026-08?",
  };
  const filter = [{ field: "tag:team", op: "only", values: ["search"] }];
  const alert = {
    id: "a",
    kind: "budget",
    metric: "effective",
    filter,
    amount: 5,
    currency: "USD",
    period: { from: "2026-10-01", to: "2026-10-31" },
    thresholds: [{ share: 1, of: "actual" }],
  };
  const scope = { period: "last_month", filter };
  const INPUTS: Readonly<Record<string, object>> = {
    COST_QUERY: {
      query: { ...scope, metric: "effective", group_by: ["tag:team"], order: "largest" },
      ...said,
    },
    RESOURCE_INFO: { query: scope, ...said },
    ANOMALY: { query: { ...scope, group_by: ["tag:team"] }, ...said },
    REPORT: { query: scope, ...said },
    COST_FORECAST: {
      query: {
        period: "next_month",
        filter,
        budget: { amount: 5, currency: "USD" },
        changes: [{ name: "move", from: "2026-09-01", effect: 1 }],
      },
      constraints: said.constraints.slice(0, 1),
    },
    SAVINGS: {
      query: {
        ...scope,
        required_tags: ["team"],
        offers: [{ provider: "AWS", name: "one year", term_months: 12, discount: 0.2 }],
      },
      ...said,
    },
    ALERT_CONFIG: {
      query: { period: "next_month", filter, every: "month", amount: { amount: 5, currency: "USD" } },
      constraints: said.constraints.slice(0, 1),
    },
    ALERT_CHECK: { ...said, proposed: [alert] },
    ACTION_CHECK: {
      ...said,
      judged: { from: "2026-08-01", to: "2026-08-31" },
      proposed: [
        { type: "stop", target: "111122223333/app/4a31", parameters: {} },
        { type: "buy_commitment", target: "AWS compute", parameters: { per_period: 1, grain: "day" } },
      ],
    },
  };

  /** The same inputs with another text in one place, for each place that holds one. */
  function* withText(value: unknown, text: string): Generator<unknown> {
    if (typeof value === "string") {
      yield text;
      // What begins like a name of a field may go on as anything.
      if (value.startsWith("tag:")) yield `tag:${text}`;
    } else if (Array.isArray(value))
      for (const [at, one] of value.entries())
        for (const other of withText(one, text)) yield value.with(at, other);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value))
        for (const other of withText(one, text)) yield { ...value, [name]: other };
  }

  test.each(Object.keys(INPUTS))("%s", async (task) => {
    const before = await ask(agents, "COST_QUERY", { query: { period: "all" } });
    let asked = 0;
    for (const [at, attack] of ATTACKS.entries())
      for (const [place, inputs] of [...withText(INPUTS[task], attack)].entries()) {
        // Long computations: each place is tried with some of the texts.
        if (/FORECAST|ALERT_CONFIG|REPORT/.test(task) && place % ATTACKS.length !== at) continue;
        if (/ANOMALY|RESOURCE|SAVINGS/.test(task) && (place + at) % 3 !== 0) continue;
        asked++;
        const { status, body } = await ask(agents, task, Object(inputs));
        expect([200, 400]).toContain(status);
        if (body.status === "ok") continue;
        expect(body.error?.code).not.toMatch(/QUERY_FAILED|INTERNAL|QUERY_TIMEOUT/i);
        expect(body.error?.message).not.toContain(attack);
      }
    expect(asked).toBeGreaterThan(5);
    const after = await ask(agents, "COST_QUERY", { query: { period: "all" } });
    expect(after.body.outputs).toEqual(before.body.outputs);
    expect(readdirSync(scratch).filter((name) => name.startsWith("written"))).toEqual([]);
  });
});
