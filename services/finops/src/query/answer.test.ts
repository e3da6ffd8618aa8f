import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Bill, bill, billFiles, csv } from "../../test/bills.ts";
import { type FocusData, openFocus } from "../data/open.ts";
import { answerQuery } from "./answer.ts";
import type { RowFilters } from "./filters.ts";
import type { CostQuery, Filter } from "./types.ts";

const PROVIDERS = ["AWS", "Azure", "Google Cloud"];
const SERVICES = ["Compute", "Storage", 'O\'Reilly "DB"; --', "네트워크"];
const REGIONS = ["us-east-1", "eu-central-1", null];
const ACCOUNTS = ["acc-1", "acc-2", "acc-3"];
const TEAMS = ["search", "payments", "a'); DROP TABLE charges; --", null];
const CHARGES = ["Usage", "Usage", "Usage", "Credit", "Adjustment", "Purchase"];
const CURRENCIES = ["USD", "USD", "EUR"];

/** Bills that mix everything, the same each time. */
const BILLS: readonly Bill[] = Array.from({ length: 600 }, (_, index) => {
  const of = <T>(from: readonly T[], step: number): T =>
    from[Math.floor(index / step + index * 7) % from.length] as T;
  const charge = of(CHARGES, 3);
  const sign =
    charge === "Credit" || (charge === "Adjustment" && index % 2 === 0) || index % 41 === 0 ? -1 : 1;
  const team = of(TEAMS, 11);
  return bill({
    ChargePeriodStart: `2026-${String(3 + (index % 4)).padStart(2, "0")}-${String(1 + ((index * 5) % 28)).padStart(2, "0")} 00:00:00`,
    BillingPeriodStart: `2026-${String(3 + (index % 4)).padStart(2, "0")}-01 00:00:00`,
    ChargeCategory: charge,
    ChargeClass: index % 41 === 0 ? "Correction" : null,
    BillingCurrency: of(CURRENCIES, 5),
    ProviderName: of(PROVIDERS, 2),
    ServiceName: of(SERVICES, 13),
    RegionId: of(REGIONS, 17),
    SubAccountId: of(ACCOUNTS, 19),
    SubAccountName: `name of ${of(ACCOUNTS, 19)}`,
    ResourceId: `vm-${index % 50}`,
    BilledCost: (sign * (1 + ((index * 37) % 1000))) / 100,
    EffectiveCost: (sign * (1 + ((index * 91) % 1000))) / 1000,
    ListCost: (sign * (1 + ((index * 53) % 1000))) / 10,
    ContractedCost: index % 29 === 0 ? null : (sign * (1 + ((index * 53) % 1000))) / 20,
    ConsumedQuantity: charge === "Usage" ? index % 25 : null,
    ConsumedUnit: charge === "Usage" ? of(["Hours", "GB"], 4) : null,
    Tags: team === null ? null : JSON.stringify({ team }),
  });
});

let data: FocusData;
let remove: () => void;
beforeAll(async () => {
  const half = BILLS.length / 2;
  const files = billFiles({ "a.csv": csv(BILLS.slice(0, half)), "b.csv": csv(BILLS.slice(half)) });
  remove = files.remove;
  data = await openFocus(files.place);
});
afterAll(() => {
  data.close();
  remove();
});

/** What the table of charges is made from, read again without it. */
const FIELDS: Readonly<Record<string, (one: Bill) => string | null>> = {
  provider: (one) => String(one.ProviderName),
  service: (one) => String(one.ServiceName),
  region: (one) => (one.RegionId === null ? null : String(one.RegionId)),
  account: (one) => String(one.SubAccountId),
  charge: (one) => String(one.ChargeCategory),
  "tag:team": (one) => (one.Tags === null ? null : JSON.parse(String(one.Tags)).team),
  month: (one) => `${String(one.ChargePeriodStart).slice(0, 7)}-01`,
};
const COLUMNS = {
  effective: "EffectiveCost",
  billed: "BilledCost",
  list: "ListCost",
  contracted: "ContractedCost",
} as const;

/** Thousandths, so that sums are exact. */
const amountOf = (one: Bill, metric: keyof typeof COLUMNS) =>
  Math.round(1000 * Number(one[COLUMNS[metric]] ?? 0));

function matches(one: Bill, { field, op, values }: Filter): boolean {
  const own = FIELDS[field]?.(one) ?? null;
  const isAmong = values.some((value) =>
    value === null ? own === null : own?.toLowerCase() === value.toLowerCase(),
  );
  return isAmong === (op === "only");
}

function isVisible(one: Bill, rows: RowFilters | undefined): boolean {
  return Object.entries(rows ?? {}).every(([field, values]) => {
    const own =
      FIELDS[
        field.startsWith("tag_") ? `tag:${field.slice(4)}` : field === "sub_account" ? "account" : field
      ]?.(one);
    return own !== null && own !== undefined && (values as string[]).includes(own);
  });
}

const metrics = fc.constantFrom("effective", "billed", "list", "contracted") as fc.Arbitrary<
  keyof typeof COLUMNS
>;
const valuesOf: Readonly<Record<string, readonly (string | null)[]>> = {
  provider: PROVIDERS,
  service: SERVICES,
  region: REGIONS,
  account: ACCOUNTS,
  "tag:team": TEAMS,
};
const filters: fc.Arbitrary<Filter> = fc.constantFrom(...Object.keys(valuesOf)).chain((field) =>
  fc.record({
    field: fc.constant(field),
    op: fc.constantFrom("only", "except"),
    values: fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...(valuesOf[field] ?? [])) },
        { weight: 1, arbitrary: fc.string() },
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  }),
);
const queries = fc.record({
  metric: metrics,
  group_by: fc.uniqueArray(fc.constantFrom(...Object.keys(FIELDS)), { maxLength: 3 }),
  filter: fc.array(filters, { maxLength: 3 }),
  period: fc.constantFrom("all", "2026-04", "2026-05-11", "q2", { from: "2026-03-20", to: "2026-04-10" }),
  top: fc.integer({ min: 1, max: 30 }),
});
const rowFilters = fc.option(
  fc.record(
    {
      sub_account: fc.uniqueArray(fc.constantFrom(...ACCOUNTS, "acc-unknown"), { minLength: 1 }),
      tag_team: fc.uniqueArray(fc.constantFrom("search", "payments", "a'); DROP TABLE charges; --"), {
        minLength: 1,
      }),
      provider: fc.uniqueArray(fc.constantFrom(...PROVIDERS), { minLength: 1 }),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

test("every answer is what the caller's own charges come to, and ties out", async () => {
  await fc.assert(
    fc.asyncProperty(queries, rowFilters, async (query, rows) => {
      const answer = await answerQuery(data, query as CostQuery, { rows });
      const { from, to } = answer.period;
      const own = BILLS.filter(
        (one) =>
          String(one.ChargePeriodStart).slice(0, 10) >= from &&
          String(one.ChargePeriodStart).slice(0, 10) <= to &&
          query.filter.every((filter) => matches(one, filter)) &&
          isVisible(one, rows),
      );
      expect(answer.rows).toBe(own.length);
      const byCurrency = Map.groupBy(own, (one) => String(one.BillingCurrency));
      expect(answer.parts.map(({ currency }) => currency).sort()).toEqual([...byCurrency.keys()].sort());
      for (const part of answer.parts) {
        const charges = byCurrency.get(String(part.currency)) ?? [];
        const sum = (some: readonly Bill[]) =>
          some.reduce((total, one) => total + amountOf(one, query.metric), 0);
        expect(Math.round(1000 * part.total)).toBe(sum(charges));
        expect(Math.round(1000 * ((part.gross ?? 0) + (part.credits ?? 0) + (part.refunds ?? 0))) + 0).toBe(
          sum(charges),
        );
        expect(Math.round(1000 * (part.credits ?? 0))).toBe(
          sum(charges.filter((one) => one.ChargeCategory === "Credit")),
        );
        const groups = Map.groupBy(charges, (one) =>
          JSON.stringify(query.group_by.map((name) => FIELDS[name]?.(one) ?? null)),
        );
        for (const group of part.groups) {
          const key = JSON.stringify(query.group_by.map((name) => group.keys[name] ?? null));
          expect([key, Math.round(1000 * group.value), group.rows]).toEqual([
            key,
            sum(groups.get(key) ?? []),
            groups.get(key)?.length,
          ]);
        }
        if (query.group_by.length === 0) continue;
        expect(part.tie_out.groups).toBe(groups.size);
        expect(part.groups.length + (part.other?.groups ?? 0)).toBe(groups.size);
        const shown = [...part.groups, ...(part.other ? [part.other] : [])];
        expect(Math.round(1000 * shown.reduce((total, { value }) => total + value, 0))).toBe(sum(charges));
        expect(shown.reduce((total, one) => total + one.rows, 0)).toBe(part.rows);
        if (sum(charges) !== 0)
          expect(shown.reduce((total, { percent }) => total + Math.round(10 * (percent ?? 0)), 0)).toBe(1000);
      }
    }),
    { numRuns: 150 },
  );
});

describe("whatever a text holds, it is a value", () => {
  const ATTACKS = [
    "'",
    "' OR '1'='1",
    "AWS' --",
    "AWS'; DROP TABLE focus.charges; --",
    "AWS' UNION SELECT current_setting('memory_limit') --",
    "x') UNION ALL SELECT * FROM read_csv('/etc/passwd') --",
    "read_csv('/etc/passwd')",
    "'; ATTACH '/tmp/x.db' AS x; --",
    "'; COPY focus.charges TO '/tmp/x.csv'; --",
    "/* */ AWS",
    "AWS\u0000",
    "$1",
    '"provider"',
    "%",
  ];

  test.each(ATTACKS)("as a filter: %j", async (text) => {
    const before = await answerQuery(data, { period: "all" });
    for (const field of ["provider", "account", "tag:team", `tag:${text}`]) {
      const only = await answerQuery(data, {
        period: "all",
        filter: [{ field, op: "only", values: [text] }],
      });
      expect(only).toMatchObject({ rows: 0, parts: [] });
      const except = await answerQuery(data, {
        period: "all",
        filter: [{ field, op: "except", values: [text] }],
      });
      expect(except.rows).toBe(before.rows);
    }
    expect((await answerQuery(data, { period: "all" })).rows).toBe(before.rows);
  });

  test.each(ATTACKS)("as the key of a tag: %j", async (text) => {
    const answer = await answerQuery(data, { period: "all", group_by: [`tag:${text}`] });
    expect(answer.parts.map(({ groups }) => groups.map(({ keys }) => keys))).toEqual(
      answer.parts.map(() => [{ [`tag:${text}`]: null }]),
    );
  });

  test.each(ATTACKS)("in a caller's row filters: %j", async (text) => {
    expect(
      await answerQuery(data, { period: "all" }, { rows: { account: [text], tag_team: [text] } }),
    ).toMatchObject({
      rows: 0,
      restricted: true,
    });
  });

  test.each([...ATTACKS, "effective", "day; --"])("and no name of a column: %j", async (text) => {
    await expect(answerQuery(data, { group_by: [text] })).rejects.toMatchObject({ code: "INVALID_QUERY" });
    await expect(
      answerQuery(data, { filter: [{ field: text, op: "only", values: ["x"] }] }),
    ).rejects.toMatchObject({
      code: "INVALID_QUERY",
    });
    await expect(answerQuery(data, { period: text })).rejects.toMatchObject({ code: "UNKNOWN_PERIOD" });
  });
});

describe("row filters", () => {
  test("of a field that bills do not have are refused: what cannot be held to must not be taken for none", async () => {
    for (const rows of [{ segment: ["premium"] }, { account: "acc-1" }, { account: [7] }] as RowFilters[])
      await expect(answerQuery(data, { period: "all" }, { rows })).rejects.toMatchObject({
        code: "UNKNOWN_ROW_FILTER",
      });
  });

  test("go by ids, and in the same case: a name is no identity", async () => {
    for (const account of ["name of acc-1", "ACC-1"])
      expect(await answerQuery(data, { period: "all" }, { rows: { account: [account] } })).toMatchObject({
        rows: 0,
      });
  });

  test("are lifted by *", async () => {
    const all = await answerQuery(data, { period: "all" });
    expect(await answerQuery(data, { period: "all" }, { rows: { account: ["*"] } })).toMatchObject({
      rows: all.rows,
      restricted: false,
    });
  });
});

describe("compared with another period", () => {
  test("groups of either are told, with their change", async () => {
    const answer = await answerQuery(data, {
      ...{
        group_by: ["service"],
        period: "2026-05",
        compare_to: "previous",
        filter: [{ field: "currency", op: "only", values: ["USD"] }],
      },
    });
    const [part] = answer.parts;
    const april = await answerQuery(data, {
      period: "2026-04",
      filter: [{ field: "currency", op: "only", values: ["USD"] }],
    });
    expect(answer.compared_with).toMatchObject({ from: "2026-04-01", to: "2026-04-30" });
    expect(part?.previous).toBe(april.parts[0]?.total);
    expect(part?.groups.reduce((sum, { change }) => sum + (change ?? 0), 0)).toBeCloseTo(
      part?.change ?? Number.NaN,
      9,
    );
  });

  test("is refused by time, where nothing could be compared", async () => {
    await expect(
      answerQuery(data, { group_by: ["month"], compare_to: "previous", period: "2026-05" }),
    ).rejects.toMatchObject({
      code: "INVALID_QUERY",
    });
  });
});

test("usage of different units is never summed, and a unit's cost is the cost over the quantity", async () => {
  const usage = await answerQuery(data, { metric: "usage", period: "all" });
  expect(usage.parts.map(({ unit }) => unit).sort()).toEqual(["GB", "Hours"]);
  const cost = await answerQuery(data, { metric: "unit_cost", period: "all", group_by: ["provider"] });
  for (const part of cost.parts) {
    const own = BILLS.filter(
      (one) =>
        one.ChargeCategory === "Usage" &&
        one.BillingCurrency === part.currency &&
        one.ConsumedUnit === part.unit,
    );
    const spent = own.reduce((sum, one) => sum + Number(one.EffectiveCost), 0);
    expect(part.total).toBeCloseTo(
      spent / own.reduce((sum, one) => sum + Number(one.ConsumedQuantity), 0),
      12,
    );
  }
});

test("of months and services, the largest services are shown in each month", async () => {
  const answer = await answerQuery(data, { period: "all", group_by: ["month", "service"], top: 2 });
  for (const { groups, other } of answer.parts) {
    expect(new Set(groups.map(({ keys }) => keys.service)).size).toBe(2);
    expect(other?.groups).toBeGreaterThan(0);
  }
});

test("a metric that some charges have no value of says how many", async () => {
  const { parts } = await answerQuery(data, { metric: "contracted", period: "all" });
  const missing = BILLS.filter(({ ContractedCost }) => ContractedCost === null).length;
  expect(parts.reduce((sum, part) => sum + (part.rows_without_value ?? 0), 0)).toBe(missing);
});
