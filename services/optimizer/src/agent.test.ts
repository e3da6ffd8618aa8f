import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startAgent, type TestAgent } from "@interlock/agent-kit/testing";
import { makeRng, type PricingInputs, type Tier } from "@interlock/pricing";
import { datasetsUnder, readRulePack, sampleInputs } from "@interlock/pricing/datasets";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { optimizerAgent } from "./agent.ts";

const TASK = "PRICE_OPTIMIZATION";

let agent: TestAgent;
beforeAll(async () => {
  agent = await startAgent(
    optimizerAgent({
      datasets: datasetsUnder(process.env.DATASETS_DIR),
      rulePack: readRulePack(undefined),
      sample: sampleInputs,
    }),
  );
});
afterAll(() => agent.close());

function tierOf(elasticity: number, more: Partial<Tier> = {}): Tier {
  return {
    current_price: 10,
    unit_cost: 6,
    demand: { model: "constant_elasticity", reference_price: 10, reference_quantity: 100, elasticity },
    ...more,
  };
}

async function ask(inputs: object) {
  return (await agent.sync({ task_type: TASK, mode: "LIVE", inputs })).body;
}

test("it prices the sample, with all parts of the answer", async () => {
  const { body } = await agent.sync({ task_type: TASK });
  expect(body).toMatchObject({ status: "ok", ok: true });
  expect(body.warnings).toEqual([
    expect.stringMatching(/ran on the agent's sample/),
    expect.stringMatching(
      /^Item GEARBOX-A1: the data leave it open whether the recommended prices beat today's/,
    ),
    expect.stringMatching(/^Item CONTROLLER-K8, tier usm: the elasticity is not identified/),
    expect.stringMatching(/^Item CONTROLLER-K8: its tiers are assumed to be independent/),
  ]);
  expect(body.outputs).toMatchObject({
    objective: "profit",
    totals: { change: { profit: expect.any(Number) } },
    constraints: { price_increment: 0.01, max_change_pct: 0.15, rule_pack: { name: "standard" } },
    items: expect.arrayContaining([
      expect.objectContaining({
        item_id: "CONTROLLER-K8",
        tiers: expect.objectContaining({
          usm: expect.objectContaining({
            price: 1480,
            change_pct: 0,
            binding: ["held"],
            demand_model: expect.objectContaining({ model: "fit", identified: false, n: 24 }),
          }),
        }),
      }),
    ]),
  });
});

test("the rules in effect are named by segment and region", async () => {
  const items = [
    { item_id: "A", region: "EMEA", tiers: { new: tierOf(-3), exchange: tierOf(-3, { current_price: 9 }) } },
    { item_id: "B", segment: "premium", tiers: { new: tierOf(-3) } },
  ];
  const { outputs } = await ask({ items, max_change_pct: 0.2, thresholds: { repair_usm: 0.1 } });
  const rules = (gap: number) => ({
    ...{ strict_order: true, max_change_pct: 0.2 },
    minimum_gaps: { new_exchange: gap, exchange_repair: gap, repair_usm: 0.1 },
  });
  expect(outputs).toMatchObject({
    constraints: {
      effective: [
        { region: "EMEA", ...rules(0.04) },
        { segment: "premium", ...rules(0.05) },
      ],
    },
  });
});

describe("the summary has the prices and what they are expected to do", () => {
  const items = [{ item_id: "A", tiers: { new: tierOf(-3) } }];
  const unbounded = { item_id: "B", tiers: { new: tierOf(-0.8) } };
  const about = { items, catalogue: "Pumps", currency: "EUR" };

  test("in English", async () => {
    const { outputs } = await ask(about);
    expect(outputs).toMatchObject({
      catalogue: { name: "Pumps", items: 1, sample: false },
      summary:
        "Proposed prices\n- A, new: €10.00 → €9.00 (−10%)\n\nProfit €400 → €412, revenue €1,000 → €1,235.",
    });
  });

  test("in Korean", async () => {
    const { outputs } = await ask({ ...about, language: "ko" });
    expect(outputs).toMatchObject({
      summary: "제안 가격\n- A, new: €10.00 → €9.00 (−10%)\n\n이익 €400 → €412, 매출 €1,000 → €1,235.",
    });
  });

  test("in the language of the run where the inputs name none", async () => {
    const task = { task_type: TASK, mode: "LIVE", inputs: about } as const;
    expect((await agent.sync({ ...task, language: "ko-KR" })).body.outputs).toMatchObject({
      summary: expect.stringMatching(/^제안 가격/),
    });
    const english = { ...about, language: "en" };
    expect((await agent.sync({ ...task, inputs: english, language: "ko" })).body.outputs).toMatchObject({
      summary: expect.stringMatching(/^Proposed prices/),
    });
  });

  test("of a what-if: what it would do to profit", async () => {
    const said = (slot: string, value: number) => ({
      ...about,
      constraints: [{ slot, op: "set", value, unit: "share", direction: "up" }],
    });
    expect((await ask(said("price_move", 0.1))).outputs).toMatchObject({
      summary: expect.stringMatching(
        /^At today's prices profit is €400\.00 a period; after this move it would be €375\.66 \(−6\.09%\)\.\nApplied: price change \+10% /,
      ),
    });
    expect((await ask(said("cost_move", 0.1))).outputs).toMatchObject({
      totals: { at_todays_costs: { profit: 400 } },
      summary: expect.stringMatching(
        /^At today's prices profit would go from €400\.00 to €340\.00 a period \(−15%\)\. With prices set anew for these costs it would be €/,
      ),
    });
  });

  test("with every item that has no price, and why", async () => {
    const { outputs } = await ask({ ...about, items: [...items, unbounded] });
    expect(outputs).toMatchObject({
      summary: expect.stringMatching(
        /^Proposed prices for 1 of 2 items\n[\s\S]*\n1 item could not be worked on:\n- B: Item B: the profit of tier new has no largest value/,
      ),
    });
    const korean = await ask({ ...about, items: [...items, unbounded], language: "ko" });
    expect(korean.outputs).toMatchObject({
      summary: expect.stringMatching(
        /^제안 가격 \(품목 2개 중 1개\)\n[\s\S]*\n품목 1개는 처리하지 못했습니다:\n- B: 가격을 제한하는 규칙이 없어/,
      ),
    });
  });
});

test("price, change, demand, revenue and profit are consistent", async () => {
  const { outputs } = await ask({ items: [{ item_id: "A", tiers: { new: tierOf(-3) } }] });
  const demand = 100 * 0.9 ** -3;
  expect(outputs).toMatchObject({
    items: [
      {
        item_id: "A",
        tiers: {
          new: {
            price: 9,
            current_price: 10,
            change_pct: expect.closeTo(-0.1, 9),
            expected: {
              demand: expect.closeTo(demand, 5),
              revenue: expect.closeTo(9 * demand, 5),
              profit: expect.closeTo(3 * demand, 5),
            },
            current: { demand: 100, revenue: 1000, profit: 400 },
            demand_model: { model: "constant_elasticity", elasticity: -3 },
            binding: [],
          },
        },
      },
    ],
    totals: { change: { profit: expect.closeTo((3 * demand) / 400 - 1, 6) } },
  });
});

describe("business errors have item and constraint", () => {
  test.each([
    ["UNBOUNDED", { tiers: { new: tierOf(-0.8) } }, { tiers: ["new"], constraint: "upper_bound" }],
    [
      "INFEASIBLE",
      { tiers: { new: tierOf(-3, { bounds: { max: 8 } }), exchange: tierOf(-3, { bounds: { min: 9 } }) } },
      { tiers: ["new", "exchange"], constraint: "ordering, gaps, bounds" },
    ],
    ["INVALID_ITEM", { tiers: { old: tierOf(-3) } }, { tiers: ["old"], constraint: "tier_order" }],
    [
      "UNKNOWN_DATASET",
      {
        tiers: {
          new: tierOf(-3, {
            demand: { model: "fit", dataset: "nowhere", price: "price", quantity: "quantity" },
          }),
        },
      },
      { tiers: ["new"], dataset: "nowhere" },
    ],
  ])("%s", async (code, item, details) => {
    const body = await ask({ items: [{ item_id: "B-2", ...item }] });
    expect(body).toMatchObject({ status: "error", ok: false, outputs: {}, error: { code } });
    expect(body).toMatchObject({
      error: { message: expect.stringMatching(/B-2/), details: { item_id: "B-2", ...details } },
    });
  });

  const three = ["A", "B", "C"].map((id) => ({
    item_id: id,
    tiers: { new: tierOf(id === "A" ? -3 : -0.8) },
  }));

  test("items that fail cost the others nothing", async () => {
    expect(await ask({ items: three })).toMatchObject({
      ok: true,
      outputs: {
        items: [{ item_id: "A", tiers: { new: { price: 9 } } }],
        failures: [
          { item_id: "B", code: "UNBOUNDED", message: expect.stringMatching(/^Item B: /) },
          { item_id: "C", code: "UNBOUNDED", message: expect.stringMatching(/^Item C: /) },
        ],
      },
    });
  });

  test("if all items fail, so does the request, with a list", async () => {
    expect(await ask({ items: three.slice(1) })).toMatchObject({
      ok: false,
      error: {
        code: "UNBOUNDED",
        details: { item_id: "B", failed_items: 2, failures: [{ item_id: "B" }, { item_id: "C" }] },
      },
    });
  });
});

test("a maximum change of 500% is refused with a hint at shares", async () => {
  const { status, body } = await agent.sync({
    task_type: TASK,
    mode: "LIVE",
    inputs: { items: [{ item_id: "A", tiers: { new: tierOf(-3) } }], max_change_pct: 5 },
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: { code: "INVALID_INPUTS", message: expect.stringMatching(/max_change_pct .* 0\.05 is 5%/) },
  });
});

test("an item's name, the currency and the locale are accepted; the name is in the answer", async () => {
  const items = [{ item_id: "A", name: "Gear pump", tiers: { new: tierOf(-3) } }];
  const { outputs } = await ask({ items, currency: "EUR", locale: "de-DE" });
  expect(outputs).toMatchObject({ items: [{ item_id: "A", name: "Gear pump" }], failures: [] });
});

describe("invalid inputs are refused without repeating their values", () => {
  const withTier = (tier: object) => ({ items: [{ item_id: "A", tiers: { new: tier } }] });
  const good = tierOf(-3);
  const cases: [string, unknown][] = [
    ["no items", { items: [] }],
    ["a negative price", withTier({ ...good, current_price: -4711 })],
    ["a price of 0", withTier({ ...good, current_price: 0 })],
    ["a negative cost", withTier({ ...good, unit_cost: -4711 })],
    ["an unknown model", withTier({ ...good, demand: { model: "4711" } })],
    [
      "a model without its numbers",
      withTier({ ...good, demand: { model: "constant_elasticity", elasticity: -2 } }),
    ],
    ["a positive elasticity", withTier({ ...good, demand: { ...good.demand, elasticity: 0.4711 } })],
    ["a misspelt field", withTier({ ...good, bound: { max: 4711 } })],
    ["a misspelt setting", { ...withTier(good), objetive: "4711" }],
    ["an unknown objective", { ...withTier(good), objective: "4711" }],
    ["an unknown constraint family", { ...withTier(good), enforce: ["4711"] }],
    ["a gap of 100%", { ...withTier(good), thresholds: { default: 1 } }],
    ["a negative increment", { ...withTier(good), price_increment: -0.4711 }],
    [
      "a path for a dataset",
      withTier({ ...good, demand: { model: "fit", dataset: "../4711", price: "p", quantity: "q" } }),
    ],
    ["an invalid tier name", { items: [{ item_id: "A", tiers: { __proto__x: good } }] }],
  ];
  test.each(cases)("%s", async (_, inputs) => {
    const { status, body } = await agent.sync({ task_type: TASK, mode: "LIVE", inputs });
    expect(status).toBe(400);
    expect(body).toMatchObject({ ok: false, error: { code: "INVALID_INPUTS" } });
    expect(JSON.stringify(body)).not.toMatch(/4711/);
  });

  test("a number that overflows to Infinity", async () => {
    const text = JSON.stringify({ request_id: "r", task_type: TASK, inputs: withTier(good) });
    const response = await fetch(`${agent.url}/agents/run/sync`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: text.replace('"current_price":10', '"current_price":1e999'),
    });
    expect(response.status).toBe(400);
  });
});

/** These take some ten seconds of a whole core, of which a shared machine may give little. */
const SLOW_MACHINE_MS = 240_000;

describe("a large catalogue", () => {
  const rng = makeRng(1, "catalogue");
  const NAMES = ["new", "exchange", "repair", "usm"];
  const items = Array.from({ length: 10_000 }, (_, i) => {
    const base = 20 + 5000 * rng();
    const tiers = NAMES.map((name, k) => {
      const price = Math.round(100 * base * (1 - 0.05 * k) * (0.95 + 0.1 * rng())) / 100;
      const cost = Math.round(100 * price * (0.45 + 0.2 * rng())) / 100;
      const demand = {
        model: "constant_elasticity" as const,
        reference_price: price,
        reference_quantity: 10 + Math.floor(300 * rng()),
        elasticity: -1.6 - 2 * rng(),
      };
      return [name, { current_price: price, unit_cost: cost, demand }] as const;
    });
    return {
      item_id: `part-${i}`,
      region: ["EMEA", "APAC", "NA"][i % 3] ?? "NA",
      tiers: Object.fromEntries(tiers),
    };
  });
  const inputs: PricingInputs = { items, max_change_pct: 0.3 };

  test(
    "of 10,000 items with four tiers fits in one request, with progress",
    async () => {
      const { events, final } = await agent.stream({ task_type: TASK, mode: "LIVE", inputs });
      expect(final).toMatchObject({ status: "ok", ok: true });
      const progress = events.filter(({ event }) => event === "progress").map(({ data }) => data);
      expect(progress.length).toBeGreaterThan(20);
      expect(progress.at(-1)).toMatchObject({ message: "prices", completed: 10_000, total: 10_000 });
      expect(JSON.stringify(final).length).toBeLessThan(16 * 1024 * 1024);
    },
    SLOW_MACHINE_MS,
  );

  test(
    "stops at its deadline",
    async () => {
      const body = await agent.sync({ task_type: TASK, mode: "LIVE", inputs, budgets: { timeout_ms: 5 } });
      expect(body.body).toMatchObject({ error: { code: "DEADLINE_EXCEEDED" } });
    },
    SLOW_MACHINE_MS,
  );
});

const hasJuice = (process.env.DATASETS_DIR ?? "")
  .split(delimiter)
  .some((directory) => directory !== "" && existsSync(join(directory, "orange_juice_scanner.csv")));

/** Compares with published estimates. Runs only if DATASETS_DIR has the data, which are not ours to share. */
(hasJuice ? test : test.skip)("three brands of orange juice have the published elasticities", async () => {
  const brand = (name: string): Tier => ({
    current_price: 2.5,
    unit_cost: 1.2,
    demand: {
      model: "fit",
      dataset: "orange_juice_scanner",
      where: { brand: name },
      price: "price",
      quantity: "sales",
    },
  });
  const tiers = { new: brand("tropicana"), exchange: brand("minute.maid"), repair: brand("dominicks") };
  const { outputs } = await ask({ items: [{ item_id: "juice", tiers }] });
  const fitted = (elasticity: number) => ({
    demand_model: { model: "fit", elasticity: expect.closeTo(elasticity, 4), n: 9649, identified: true },
  });
  expect(outputs).toMatchObject({
    items: [{ tiers: { new: fitted(-2.71177), exchange: fitted(-3.32073), repair: fitted(-3.37753) } }],
  });
});

test("a locale that nobody knows is refused", async () => {
  const { body } = await agent.sync({
    task_type: "PRICE_OPTIMIZATION",
    inputs: { ...sampleInputs(), locale: "zz" },
  });
  expect(body).toMatchObject({ status: "error", error: { code: "UNKNOWN_LOCALE" } });
});

describe("constraints of an order", () => {
  const items = [
    { item_id: "A", tiers: { new: tierOf(-3), repair: tierOf(-3, { current_price: 9 }) } },
    { item_id: "B", tiers: { new: tierOf(-2) } },
  ];
  const said = (slot: string, value: number | boolean | string | string[], more: object = {}) => ({
    slot,
    op: "set",
    value,
    ...more,
  });
  const pricesOf = (outputs: object | undefined) => ((outputs ?? {}) as { proposed?: object }).proposed;

  test("select, freeze and limit, and the answer says what each came to", async () => {
    const constraints = [
      { slot: "items", op: "only", value: ["A"] },
      { slot: "tiers", op: "freeze", value: ["repair"] },
      said("max_price", 9.6),
      said("period", "2026"),
    ];
    const { outputs } = await ask({ items: items, constraints });
    expect(pricesOf(outputs)).toEqual([
      { item_id: "A", tiers: { new: { price: 9.01 }, repair: { price: 9 } } },
    ]);
    expect(outputs).toMatchObject({
      applied: [
        { slot: "items", items: 1, prices: 0 },
        { slot: "tiers", items: 1, prices: 1, binds: 1 },
        { slot: "max_price", items: 1, prices: 1, binds: 0 },
      ],
      not_applied: [said("period", "2026")],
      outcomes: [
        { item_id: "A", current: { profit: expect.any(Number) }, expected: { revenue: expect.any(Number) } },
      ],
    });
  });

  test("a move is looked at as it is, and no rule is kept", async () => {
    const move = said("price_move", 0.5, { direction: "up" });
    const { outputs } = await ask({ items, constraints: [move], max_change_pct: 0.1 });
    expect(outputs).toMatchObject({
      proposed: [
        { item_id: "A", tiers: { new: { price: 15 }, repair: { price: 13.5 } } },
        { item_id: "B", tiers: { new: { price: 15 } } },
      ],
      constraints: { enforce: [] },
      applied: [{ ...move, items: 2, prices: 3 }],
    });
  });

  test("`top` shortens the list of the summary", async () => {
    const { outputs } = await ask({ items, constraints: [said("top", 1), said("min_price", 12)] });
    expect(outputs).toMatchObject({
      summary: expect.stringMatching(/^Largest upside, .*\n- [AB]: .*\nApplied: /),
    });
  });

  test("an item for which they cross is a failure, and a selection of nothing the error of the request", async () => {
    const crossing = [said("min_price", 12, { scope: { items: ["A"] } }), said("max_change_pct", 0.1)];
    const { outputs } = await ask({ items, constraints: crossing });
    expect(outputs).toMatchObject({
      proposed: [{ item_id: "B" }],
      failures: [{ item_id: "A", code: "CONFLICTING_CONSTRAINTS" }],
    });
    const refused = await ask({ items, constraints: [{ slot: "items", op: "only", value: ["C"] }] });
    expect(refused).toMatchObject({ error: { code: "NOTHING_SELECTED", details: { constraint: "items" } } });
  });

  test("the limits of an order hold for a tier whose price the data make the optimizer hold", async () => {
    const { items: sample } = sampleInputs();
    const controller = sample.filter(({ item_id }) => item_id === "CONTROLLER-K8");
    const constraints = [said("min_price", 1500, { scope: { tiers: ["usm"] } })];
    const refused = await ask({ items: controller, constraints });
    expect(refused).toMatchObject({
      error: { code: "INFEASIBLE", details: { constraint: "min_price", tiers: ["usm"] } },
    });
  });

  test("fields of the other pricing tasks are taken, and one that nobody knows is refused", async () => {
    const all = {
      region: "EMEA",
      anchor: "new",
      weights: { new: 2 },
      max_items: 5,
      uncertainty: {},
      language: "ko",
    };
    expect(await ask({ items, ...all, proposed: [] })).toMatchObject({ status: "ok" });
    expect(await ask({ items, constraint: [] })).toMatchObject({ error: { code: "INVALID_INPUTS" } });
  });
});
