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

type Said = { slot: string; op: string; value?: unknown; direction?: string };
type Inputs = { items?: { item_id: string }[]; constraints?: Said[] };

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
const effect = { demand: 1, revenue: 1, profit: 1 };
const OUTPUTS = {
  PRICE_OPTIMIZATION: () => ({
    proposed: [],
    totals: { current: effect, expected: effect },
    summary: "prices",
  }),
  POLICY_CHECK: () => ({
    passed: true,
    violations: [],
    suggestions: [],
    current: { violations: [], suggestions: [] },
    summary: "rules",
  }),
  PRICE_EXPLANATION: () => ({
    items: [{ item_id: "LATHE-L1", profit: { from: 1, to: 1 } }],
    omitted: 0,
    summary: "why",
  }),
  SENSITIVITY_ANALYSIS: () => ({ summary: "how sure", totals: { robustness: {} } }),
  PRICING_REPORT: () => ({ summary: "review", proposed: [], shown: {} }),
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

/** Every agent that is asked gets the constraint. */
const given =
  (slot: string, value?: unknown, direction?: string) =>
  (calls: readonly Inputs[]): boolean =>
    calls.every(({ constraints = [] }) =>
      constraints.some(
        (said) =>
          said.slot === slot &&
          (value === undefined || JSON.stringify([said.value].flat()) === JSON.stringify([value].flat())) &&
          (direction === undefined || said.direction === direction),
      ),
    );

const CONSTRAINTS: readonly Constraint[] = [
  { says: "for LATHE-L1", slot: /LATHE/, shows: given("items", "LATHE-L1") },
  { says: "in EMEA", slot: /EMEA/, shows: given("region", "EMEA") },
  { says: "in the standard segment", slot: /standard/, shows: given("segment", "standard") },
  { says: "for the repair tier only", slot: /repair/, shows: given("tiers", "repair") },
  { says: "with at most 4% change", slot: /4 ?%/, shows: given("max_change_pct", 0.04, "most") },
  { says: "maximising revenue", slot: /revenue/, shows: given("objective", "revenue") },
  { says: "with a margin of at least 20%", slot: /20 ?%/, shows: given("min_margin", 0.2, "least") },
  { says: "with a floor price of 45", slot: /45/, shows: given("min_price", 45, "least") },
  { says: "with a price ceiling of 620", slot: /620/, shows: given("max_price", 620, "most") },
  { says: "for the items that break a rule only", slot: /items that break a rule/ },
  { says: "for the top 2 by upside", slot: /top 2/i },
  { says: "if costs rise by 7%", slot: /7 ?%/, shows: given("cost_move", 0.07, "up") },
  { says: "after we raise prices by 6%", slot: /6 ?%/, shows: given("price_move", 0.06, "up") },
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
