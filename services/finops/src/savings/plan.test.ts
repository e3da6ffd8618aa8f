import { describe, expect, test } from "@jest/globals";
import { type Resource, SavingsError, type SavingsRequest, savingsPlan } from "./index.ts";

function planOf(resources: readonly Resource[], more: Partial<SavingsRequest> = {}) {
  return savingsPlan({ resources, ...more });
}

function ids(resources: readonly Resource[], more: Partial<SavingsRequest> = {}) {
  return planOf(resources, more).recommendations.map(({ id }) => id);
}

const machine: Resource = { resource_id: "m", kind: "compute", monthly_cost: 100 };
const asleep = { days: 30, cpu_peak: 0.02, cpu_p95: 0.01, memory_p95: 0.1, network_mb_per_day: 1 };
const sizes = [
  { name: "quarter", cpu: 0.25, memory: 0.25, monthly_cost: 25 },
  { name: "half", cpu: 0.5, memory: 0.5, monthly_cost: 50 },
  { name: "half, same memory", cpu: 0.5, memory: 1, monthly_cost: 70 },
];

describe("idle", () => {
  test("is what was measured and did nothing: it is proposed to stop it, as an effect to approve", () => {
    const { recommendations, joint } = planOf([{ ...machine, usage: asleep, sizes }]);
    expect(recommendations).toEqual([
      expect.objectContaining({
        id: "idle:m",
        monthly_saving: 100,
        joint_saving: 100,
        confidence: "high",
        overlaps: [],
        evidence: expect.arrayContaining([{ measure: "cpu_peak", value: 0.02, threshold: 0.05 }]),
        action: { type: "stop", target: "m", parameters: {}, reversible: true, requires_approval: true },
      }),
    ]);
    expect(joint).toBe(100);
  });

  test.each<[string, Partial<Resource>, string]>([
    ["was never measured", {}, "NO_USAGE_DATA"],
    ["was measured in part", { usage: { days: 30, network_mb_per_day: 0 } }, "NO_USAGE_DATA"],
    ["was measured for a few days", { usage: { ...asleep, days: 3 } }, "TOO_FEW_DAYS"],
  ])("is not said of what %s", (_, more, reason) => {
    const { recommendations, not_judged } = planOf([{ ...machine, ...more }]);
    expect(recommendations).toEqual([]);
    expect(not_judged).toContainEqual({ subject: "m", about: "idle", reason });
  });

  test("is not what has traffic, or a busy moment", () => {
    expect(ids([{ ...machine, usage: { ...asleep, network_mb_per_day: 50 } }])).toEqual([]);
    expect(ids([{ ...machine, usage: { ...asleep, cpu_peak: 0.6 } }])).toEqual([]);
  });
});

describe("rightsizing", () => {
  const busy = { days: 30, cpu_peak: 0.5, cpu_p95: 0.3, memory_p95: 0.35 };

  test("proposes the cheapest size that the usage fits", () => {
    const [found] = planOf([{ ...machine, usage: busy, sizes }]).recommendations;
    expect(found).toMatchObject({
      id: "rightsizing:m",
      monthly_saving: 50,
      action: { parameters: { size: "half" } },
    });
  });

  test("leaves memory alone that nobody has measured", () => {
    const { memory_p95: _, ...without } = busy;
    const [found] = planOf([{ ...machine, usage: without, sizes }]).recommendations;
    expect(found).toMatchObject({
      confidence: "medium",
      action: { parameters: { size: "half, same memory" } },
    });
  });

  test("proposes nothing that would be too small, or dearer", () => {
    expect(ids([{ ...machine, usage: { ...busy, cpu_p95: 0.6 }, sizes }])).toEqual([]);
    expect(ids([{ ...machine, monthly_cost: 20, usage: busy, sizes }])).toEqual([]);
  });

  test("is not judged without sizes", () => {
    expect(planOf([{ ...machine, usage: busy }]).not_judged).toEqual([
      { subject: "m", about: "rightsizing", reason: "NO_SIZES" },
    ]);
  });
});

test("orphaned is what is known to be attached to nothing", () => {
  const disk = (resource_id: string, attached?: boolean): Resource => ({
    ...{ resource_id, kind: "disk", monthly_cost: 10 },
    ...(attached === undefined ? {} : { attached }),
  });
  const { recommendations, not_judged } = planOf([disk("lost", false), disk("used", true), disk("unknown")]);
  expect(recommendations.map(({ id }) => id)).toEqual(["orphaned:lost"]);
  expect(recommendations[0]?.action).toMatchObject({ type: "delete", reversible: false });
  expect(not_judged).toEqual([{ subject: "unknown", about: "orphaned", reason: "ATTACHMENT_UNKNOWN" }]);
});

describe("storage tiers", () => {
  const tiers = [
    { name: "hot", gb_month: 0.02, gb_read: 0 },
    { name: "cool", gb_month: 0.01, gb_read: 0.01 },
    { name: "cold", gb_month: 0.004, gb_read: 0.05 },
  ];
  const bucket = (read?: number, tier = "hot"): Resource => ({
    ...{ resource_id: "b", kind: "object_storage", monthly_cost: 20 },
    storage: { gb: 1000, tier, ...(read === undefined ? {} : { read_gb_per_month: read }) },
  });

  test("are chosen by what storing and reading cost together", () => {
    const tierFor = (read: number) => planOf([bucket(read)], { tiers }).recommendations[0];
    expect(tierFor(0)).toMatchObject({
      monthly_saving: expect.closeTo(16, 9),
      action: { parameters: { tier: "cold" } },
    });
    expect(tierFor(500)).toMatchObject({
      monthly_saving: expect.closeTo(5, 9),
      action: { parameters: { tier: "cool" } },
    });
    expect(tierFor(5000)).toBeUndefined();
  });

  test("are not judged where reads or the tier are not known", () => {
    const reason = (resource: Resource) => planOf([resource], { tiers }).not_judged[0]?.reason;
    expect([reason(bucket()), reason(bucket(0, "tape"))]).toEqual(["NO_READ_DATA", "UNKNOWN_TIER"]);
  });
});

test("data are sent another way where that is cheaper", () => {
  const transfer = (per_gb: number) => ({
    ...{ transfer_id: "nat", gb_per_month: 1000, monthly_cost: 45 },
    alternative: { name: "private endpoint", per_gb, monthly_fee: 7 },
  });
  expect(planOf([], { transfers: [transfer(0.01)] }).recommendations).toMatchObject([
    { id: "data_transfer:nat", monthly_saving: 28, action: { type: "reroute" } },
  ]);
  expect(ids([], { transfers: [transfer(0.05)] })).toEqual([]);
});

test("untagged spend is named, and saves nothing", () => {
  const resources: Resource[] = [
    { ...machine, resource_id: "tagged", kind: "other", tags: { team: "a" } },
    { ...machine, resource_id: "bare", kind: "other", monthly_cost: 300, tags: { team: "" } },
  ];
  const { untagged, recommendations, sum } = planOf(resources, { rules: { required_tags: ["team"] } });
  expect(untagged).toEqual({ monthly_cost: 300, share: 0.75 });
  expect(recommendations).toMatchObject([
    { kind: "untagged", monthly_saving: 0, action: { parameters: { tags: ["team"], resources: ["bare"] } } },
  ]);
  expect(sum).toBe(0);
});

describe("a commitment", () => {
  const hours = 4 * 168;
  const steady = { group: "family", on_demand: new Array(hours).fill(2) };
  const option = { name: "one year", term_months: 12, discounts: { family: 0.3 } };
  const pool = { name: "compute", grain: "hour", usage: [steady], options: [option] } as const;

  test("comes with its level, break-even and risk", () => {
    const { recommendations, joint_commitments } = planOf([], { pools: [pool] });
    expect(recommendations).toEqual([
      expect.objectContaining({
        id: "commitment:compute",
        monthly_saving: expect.closeTo(730 * 0.6, 6),
        confidence: "high",
        evidence: expect.arrayContaining([
          { measure: "utilisation", value: expect.closeTo(1, 9), threshold: 0.7 },
          { measure: "chance_of_loss", value: 0 },
        ]),
        action: expect.objectContaining({
          type: "buy_commitment",
          parameters: {
            option: "one year",
            term_months: 12,
            per_period: expect.closeTo(1.4, 9),
            grain: "hour",
          },
        }),
      }),
    ]);
    expect(joint_commitments).toMatchObject([{ pool: "compute", option: "one year" }]);
  });

  test("is the better of two options, and none where none saves", () => {
    const three = { name: "three years", term_months: 36, discounts: { family: 0.5 } };
    const [found] = planOf([], { pools: [{ ...pool, options: [option, three] }] }).recommendations;
    expect(found).toMatchObject({ risk: "high", action: { parameters: { option: "three years" } } });
    const rare = {
      group: "family",
      on_demand: Array.from({ length: hours }, (_, i) => (i % 3 === 0 ? 9 : 0)),
    };
    expect(ids([], { pools: [{ ...pool, usage: [rare] }] })).toEqual([]);
  });

  test("overlaps with what lowers the usage of its pool, and is bought last", () => {
    const usage = [{ ...steady, resource_id: "m" }, steady];
    const plan = planOf([{ ...machine, usage: asleep }], { pools: [{ ...pool, usage }] });
    expect(plan.recommendations.map(({ id, overlaps }) => [id, overlaps])).toEqual([
      ["idle:m", ["commitment:compute"]],
      ["commitment:compute", ["idle:m"]],
    ]);
    expect(plan.sum).toBeCloseTo(730 * (2 + 1.2), 6);
    expect(plan.joint).toBeCloseTo(730 * (2 + 0.6), 6);
  });

  test("leaves out hours without data, and says how many", () => {
    const gappy = { group: "family", on_demand: steady.on_demand.map((cost, i) => (i < 10 ? null : cost)) };
    const [found] = planOf([], { pools: [{ ...pool, usage: [gappy] }] }).recommendations;
    expect(found?.evidence).toContainEqual({ measure: "periods_without_data", value: 10 });
    expect(found?.monthly_saving).toBeCloseTo(730 * 0.6, 6);
  });

  test("is not judged by less than two weeks", () => {
    const short = { group: "family", on_demand: new Array(300).fill(2) };
    const plan = planOf([{ ...machine, usage: asleep }], {
      pools: [{ ...pool, usage: [{ ...short, resource_id: "m" }] }],
    });
    expect(plan.recommendations).toMatchObject([{ id: "idle:m", monthly_saving: 100 }]);
    expect(plan.not_judged).toContainEqual({
      subject: "compute",
      about: "commitment",
      reason: "TOO_FEW_DAYS",
    });
  });
});

test.each<[string, SavingsRequest, string]>([
  ["a resource twice", { resources: [machine, machine] }, "INVALID_RESOURCE"],
  ["a negative cost", { resources: [{ ...machine, monthly_cost: -1 }] }, "INVALID_RESOURCE"],
  [
    "usage of unequal length",
    {
      resources: [],
      pools: [
        {
          name: "p",
          grain: "day",
          options: [],
          usage: [[1], [1, 2]].map((on_demand) => ({ group: "a", on_demand })),
        },
      ],
    },
    "INVALID_POOL",
  ],
  [
    "a discount of all",
    {
      resources: [],
      pools: [
        {
          name: "p",
          grain: "day",
          usage: [],
          options: [{ name: "o", term_months: 12, discounts: { a: 1 } }],
        },
      ],
    },
    "INVALID_POOL",
  ],
])("%s is refused", (_, request, code) => {
  expect(() => savingsPlan(request)).toThrow(expect.objectContaining({ code, name: SavingsError.name }));
});
