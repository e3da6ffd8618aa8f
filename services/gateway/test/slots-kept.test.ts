import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { testRedis } from "./support/redis.ts";
import { shippedMesh } from "./support/shipped-mesh.ts";
import { answering, type Call, type StandIn, standIn } from "./support/stand-in.ts";

/** The shipped manifest, whose agents only note what they are asked. */
const keep = closingAtEnd();
let agent: StandIn;
let gateway: TestGateway;

type Tier = { current_price: number; unit_cost: number; bounds?: { min?: number; max?: number } };
type Item = { item_id: string; region?: string; segment?: string; tiers: Record<string, Tier> };
type Inputs = {
  items?: Item[];
  max_change_pct?: number;
  objective?: string;
  proposed?: { item_id: string; tiers: Record<string, { price: number }> }[];
};

const tier = (current_price: number, unit_cost: number) => ({
  current_price,
  unit_cost,
  demand: {
    model: "constant_elasticity",
    reference_price: current_price,
    reference_quantity: 10,
    elasticity: -2,
  },
});
const ITEMS = [
  {
    item_id: "LATHE-L1",
    region: "EMEA",
    segment: "premium",
    tiers: { new: tier(500, 300), repair: tier(310, 150) },
  },
  {
    item_id: "DRILL-D2",
    region: "APAC",
    segment: "standard",
    tiers: { new: tier(120, 70), repair: tier(75, 40) },
  },
  {
    item_id: "SAW-S3",
    region: "EMEA",
    segment: "standard",
    tiers: { new: tier(80, 50), repair: tier(50, 30) },
  },
];
const byId = new Map(ITEMS.map((item) => [item.item_id, item]));

const effect = { demand: 1, revenue: 1, profit: 1 };
const OUTPUTS = {
  PRICE_OPTIMIZATION: ({ body }: Call) => ({
    items: (inputsOf(body).items ?? []).map(({ item_id, tiers }) => ({
      item_id,
      tiers: Object.fromEntries(
        Object.entries(tiers).map(([name, { current_price }]) => [
          name,
          { price: current_price, current_price, change_pct: 0, expected: effect, current: effect },
        ]),
      ),
    })),
    totals: { current: effect, expected: effect, change: effect },
  }),
  POLICY_CHECK: () => ({
    passed: true,
    violations: [],
    suggestions: [],
    current: { violations: [], suggestions: [] },
  }),
  PRICE_EXPLANATION: () => ({
    items: [{ item_id: "LATHE-L1", profit: { from: 1, to: 1 } }],
    omitted: 0,
    summary: "why",
  }),
  SENSITIVITY_ANALYSIS: () => ({ summary: "how sure", totals: { robustness: {} } }),
};

const inputsOf = ({ inputs }: Call["body"]): Inputs => (inputs ?? {}) as Inputs;

beforeAll(async () => {
  agent = keep(
    await standIn(
      Object.fromEntries(Object.entries(OUTPUTS).map(([task, outputs]) => [task, answering(outputs)])),
    ),
  );
  gateway = keep(
    await testGateway({ manifest: shippedMesh(agent.url), redisUrl: keep(await testRedis()).url }),
  );
});

/**
 * A constraint as a user may say it, and how the agents' inputs show it. What selects from the results shows in the first line of the
 * answer, which names it in either case.
 */
type Constraint = { says: string; slot: RegExp; shows?: (calls: readonly Inputs[]) => boolean };

const items = (calls: readonly Inputs[]) => calls.flatMap((inputs) => inputs.items ?? []);
const tiers = (calls: readonly Inputs[]) =>
  items(calls).flatMap(({ item_id, tiers: own }) =>
    Object.entries(own).map(([name, one]) => ({ item_id, name, ...one })),
  );
const some = (calls: readonly Inputs[], is: (inputs: Inputs) => boolean) => calls.some(is);
/** A call that asks for the state of today, to compare with, has none of the limits. */
const someTiers = (calls: readonly Inputs[], are: (all: ReturnType<typeof tiers>) => boolean) =>
  some(calls, (inputs) => inputs.items !== undefined && are(tiers([inputs])));
const near = (one: number | undefined, other: number) =>
  one !== undefined && Math.abs(one / other - 1) < 1e-9;

const CONSTRAINTS: readonly Constraint[] = [
  {
    says: "for LATHE-L1",
    slot: /LATHE/,
    shows: (calls) => items(calls).every(({ item_id }) => item_id === "LATHE-L1"),
  },
  { says: "in EMEA", slot: /EMEA/, shows: (calls) => items(calls).every(({ region }) => region === "EMEA") },
  {
    says: "in the standard segment",
    slot: /standard/,
    shows: (calls) => items(calls).every(({ segment }) => segment === "standard"),
  },
  {
    says: "for the repair tier only",
    slot: /repair/,
    shows: (calls) =>
      someTiers(calls, (all) =>
        all.every(
          ({ name, bounds, current_price }) =>
            name === "repair" || (bounds?.min === current_price && bounds.max === current_price),
        ),
      ),
  },
  {
    says: "with at most 4% change",
    slot: /4 ?%/,
    shows: (calls) => some(calls, (inputs) => inputs.max_change_pct === 0.04),
  },
  {
    says: "maximising revenue",
    slot: /revenue/,
    shows: (calls) => some(calls, (inputs) => inputs.objective === "revenue"),
  },
  {
    says: "with a margin of at least 20%",
    slot: /20 ?%/,
    shows: (calls) =>
      someTiers(calls, (all) =>
        all.every(
          ({ bounds, unit_cost, current_price }) =>
            bounds?.min !== undefined &&
            (bounds.min >= unit_cost / 0.8 - 1e-9 || bounds.min === current_price),
        ),
      ),
  },
  {
    says: "with a floor price of 45",
    slot: /45/,
    shows: (calls) => someTiers(calls, (all) => all.every(({ bounds }) => (bounds?.min ?? 0) >= 45)),
  },
  {
    says: "with a price ceiling of 620",
    slot: /620/,
    shows: (calls) => someTiers(calls, (all) => all.every(({ bounds }) => (bounds?.max ?? 1e9) <= 620)),
  },
  { says: "for the items that break a rule only", slot: /items that break a rule/ },
  { says: "for the top 2 by upside", slot: /top 2/i },
  {
    says: "if costs rise by 7%",
    slot: /7 ?%/,
    shows: (calls) =>
      some(calls, (inputs) =>
        tiers([inputs]).every(({ item_id, name, unit_cost }) => {
          const own = byId.get(item_id)?.tiers;
          return near(unit_cost, (own && name in own ? Reflect.get(own, name).unit_cost : 0) * 1.07);
        }),
      ),
  },
  {
    says: "after we raise prices by 6%",
    slot: /6 ?%/,
    shows: (calls) =>
      some(calls, ({ proposed = [] }) =>
        proposed.some(({ item_id, tiers: own }) =>
          Object.entries(own).some(([name, { price }]) => {
            const before = byId.get(item_id)?.tiers;
            return near(
              price,
              (before && name in before ? Reflect.get(before, name).current_price : 0) * 1.06,
            );
          }),
        ),
      ),
  },
  { says: "keeping sales volume above 500 units", slot: /volume/ },
  { says: "without going above the competitor", slot: /competitor/ },
];

const GOALS = [
  "Propose the best prices",
  "Check the pricing rules",
  "How robust are the best prices",
  "Explain the best prices",
  "Propose prices and explain the drivers",
  "Do a full pricing review",
  "Find the best prices and tell me how robust they are",
];

test("whatever constraints a message holds, each shows in the inputs of the agents, or the answer names it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...GOALS),
      fc.subarray([...CONSTRAINTS], { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (goal, said, comma) => {
        const message = [goal, ...said.map(({ says }) => says)].join(comma ? ", " : " ");
        const before = agent.calls.length;
        const answer = await ask(`${gateway.url}/api/v1/chat`, {
          body: { message, session_id: randomUUID(), inputs: { items: ITEMS } },
        });
        // Nothing is both of one segment and of another.
        if (answer.status === 422) return expect(answer.text).toContain("Nothing in the inputs fits");
        const { message: text = "", ui_hint } = answer.json() as {
          message?: string;
          ui_hint?: { buttons: string[] };
        };
        // A question drops nothing: it comes before everything else.
        if (ui_hint) return;
        const calls = agent.calls
          .slice(before)
          .flatMap(({ path, body }) => (path.startsWith("/agents/run/") ? [inputsOf(body)] : []));
        const first = text.split("\n", 1)[0] ?? "";
        const left = /Not applied: (.*)$/.exec(first)?.[1] ?? "";
        const dropped = said.filter(({ slot, shows }) =>
          shows ? !(calls.length > 0 && shows(calls)) && !slot.test(left) : !slot.test(first),
        );
        expect({ message, text, dropped: dropped.map(({ says }) => says) }).toEqual({
          message,
          text,
          dropped: [],
        });
      },
    ),
    { numRuns: 120 },
  );
});
