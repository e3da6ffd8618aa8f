import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { anyItem } from "../../test/arbitrary.ts";
import { same } from "../compare.ts";
import { PricingError } from "../errors.ts";
import { proposeItem } from "../proposal.ts";
import { standardRulePack } from "../rule-pack.ts";
import { settingsFor } from "../settings.ts";
import type { ConstraintFamily, PricingInputs, ProposedItem, ResolvedItem } from "../types.ts";
import { applyConstraints, type Constrained } from "./apply.ts";
import type { OrderConstraint } from "./constraint.ts";
import { judgeOrder } from "./judge.ts";

const IDS = ["A", "B", "C", "D"];
const REGIONS = ["EMEA", "APAC"];
const TIERS = ["new", "exchange", "repair", "usm"];

type Inputs = Omit<PricingInputs, "items"> & { items: ResolvedItem[]; proposed?: ProposedItem[] };

const some = (names: readonly string[]) => fc.subarray([...names], { minLength: 1 });
const op = fc.constantFrom("only" as const, "except" as const, "freeze" as const);
const scope = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.record({ scope: fc.record({ items: some(IDS) }) }),
  fc.record({ scope: fc.record({ tiers: some(TIERS) }) }),
  fc.record({ scope: fc.record({ region: fc.constantFrom(...REGIONS) }) }),
);
const share = (most: number) => fc.integer({ min: 0, max: most * 1000 }).map((value) => value / 1000);
const amount = (
  slot: string,
  value: fc.Arbitrary<number>,
  ...directions: string[]
): fc.Arbitrary<OrderConstraint> =>
  fc
    .tuple(value, scope, fc.constantFrom(...directions))
    .map(([size, where, direction]) => ({ slot, op: "set" as const, value: size, direction, ...where }));

const anyConstraint: fc.Arbitrary<OrderConstraint> = fc.oneof(
  fc.record({ slot: fc.constant("items"), op, value: some([...IDS, "unknown"]) }),
  fc.record({ slot: fc.constant("region"), op, value: some([...REGIONS, "LATAM"]) }),
  fc
    .tuple(fc.record({ slot: fc.constant("tiers"), op, value: some([...TIERS, "NEW"]) }), scope)
    .map(([constraint, where]) => ({ ...constraint, ...where })),
  amount("max_change_pct", share(0.4), "most", "up", "down"),
  amount("min_price", fc.integer({ min: 1, max: 60 }), "least"),
  amount("max_price", fc.integer({ min: 20, max: 200 }), "most"),
  amount("min_margin", share(0.5), "least"),
  amount("cost_move", share(0.2), "up", "down"),
  amount("price_move", share(0.2), "up", "down"),
  fc.constant({ slot: "only_violating", op: "set" as const, value: true }),
  fc.constantFrom("profit", "revenue").map((value) => ({ slot: "objective", op: "set" as const, value })),
);

const anyInputs: fc.Arbitrary<Inputs> = fc
  .record({
    items: fc.tuple(
      ...IDS.map((item_id) =>
        fc
          .tuple(anyItem, fc.constantFrom(undefined, ...REGIONS))
          .map(([item, region]): ResolvedItem => ({ ...item, item_id, ...(region && { region }) })),
      ),
    ),
    constraints: fc.array(anyConstraint, { minLength: 1, maxLength: 4 }),
    region: fc.constantFrom(undefined, undefined, ...REGIONS),
    price_increment: fc.constantFrom(0, 0.01, 0.5),
    enforce: fc.option(fc.subarray<ConstraintFamily>(["bounds", "max_change", "ordering", "gaps"]), {
      nil: undefined,
    }),
  })
  .map(({ enforce, region, ...inputs }) => ({
    ...inputs,
    ...(enforce && { enforce }),
    ...(region && { region }),
  }));

/** What the optimizer proposes; items without a price are left out. Undefined where the request is refused. */
function proposalsOf(
  inputs: Inputs,
): { constrained: Constrained<Inputs>; proposed: ProposedItem[] } | undefined {
  let constrained: Constrained<Inputs>;
  try {
    constrained = applyConstraints(inputs, standardRulePack);
  } catch (error) {
    if (!(error instanceof PricingError)) throw error;
    expect(["NOTHING_SELECTED", "CONFLICTING_CONSTRAINTS"]).toContain(error.code);
    return undefined;
  }
  const settings = settingsFor(constrained.inputs, standardRulePack);
  const moves = new Map(constrained.move?.map((move) => [move.item_id, move]));
  const proposed = constrained.inputs.items.flatMap((item): ProposedItem[] => {
    try {
      const { item_id, tiers } = proposeItem(item, settings, [], moves.get(item.item_id));
      const prices = Object.entries(tiers).map(([name, { price }]) => [name, { price }] as const);
      return [{ item_id, tiers: Object.fromEntries(prices) }];
    } catch (error) {
      if (error instanceof PricingError) return [];
      throw error;
    }
  });
  return { constrained, proposed };
}

test("whatever is said, the optimizer's prices are judged to be what was said", () => {
  let judged = 0;
  fc.assert(
    fc.property(anyInputs, (inputs) => {
      const made = proposalsOf(inputs);
      if (!made) return;
      const { applied } = made.constrained.effects(made.proposed);
      const constraints = inputs.constraints ?? [];
      const { verdicts } = judgeOrder(
        { ...inputs, constraints: applied, proposed: made.proposed },
        standardRulePack,
      );
      for (const { verdict } of verdicts) expect(["kept", "not_checkable", "incomplete"]).toContain(verdict);
      if (made.proposed.length < inputs.items.length || applied.length < constraints.length) return;
      judged += 1;
      const whole = judgeOrder({ ...inputs, constraints, proposed: made.proposed }, standardRulePack);
      expect(
        whole.verdicts.filter(({ verdict }) => verdict !== "kept" && verdict !== "not_checkable"),
      ).toEqual([]);
    }),
    { numRuns: 600 },
  );
  expect(judged).toBeGreaterThan(50);
});

test("whatever is said, no price of an item that is left out or of what is frozen moves", () => {
  fc.assert(
    fc.property(anyInputs, (inputs) => {
      const made = proposalsOf(inputs);
      if (!made) return;
      const today = new Map(inputs.items.map((item) => [item.item_id, item]));
      for (const { slot, op: how, value, scope: where } of made.constrained.effects(made.proposed).applied) {
        const names = new Set([value ?? []].flat().map((name) => String(name).toLowerCase()));
        for (const { item_id, tiers } of made.proposed) {
          const item = today.get(item_id);
          const named = slot === "items" ? item_id : slot === "region" ? item?.region : undefined;
          const isNamed = named !== undefined && names.has(named.toLowerCase());
          if (how === "except" && slot !== "tiers") expect(isNamed).toBe(false);
          for (const [name, { price }] of Object.entries(tiers)) {
            const stays =
              slot === "tiers"
                ? !where && names.has(name.toLowerCase()) !== (how === "only")
                : how === "freeze" && isNamed;
            if (stays) expect(price).toBe(item?.tiers[name]?.current_price);
          }
        }
      }
    }),
  );
});

test("whatever is said, every price keeps every limit that was applied", () => {
  const ABOVE: Record<string, (limit: number, cost: number) => number> = {
    min_price: (limit) => limit,
    min_margin: (limit, cost) => cost / (1 - limit),
  };
  fc.assert(
    fc.property(anyInputs, (inputs) => {
      const made = proposalsOf(inputs);
      if (!made) return;
      const items = new Map(made.constrained.inputs.items.map((item) => [item.item_id, item]));
      for (const { slot, value, scope: where } of made.constrained.effects(made.proposed).applied) {
        if (typeof value !== "number" || where) continue;
        for (const { item_id, tiers } of made.proposed)
          for (const [name, { price }] of Object.entries(tiers)) {
            const tier = items.get(item_id)?.tiers[name];
            if (!tier || tier.frozen) continue;
            const least = ABOVE[slot]?.(value, tier.unit_cost);
            if (least !== undefined) expect(price >= least || same(price, least)).toBe(true);
            if (slot === "max_price") expect(price <= value || same(price, value)).toBe(true);
          }
      }
    }),
  );
});
