import { leastOver, mostUnder } from "./gap.ts";
import { gridOf, gridPriceAt } from "./grid.ts";
import { isPrice, LIMIT_WORDS, type PriceLimit, type RuledItem } from "./policy-rules.ts";
import type { Conflict, RuleName, Suggestion, Violation } from "./policy-types.ts";
import { type Repair, type RepairProblem, repairCost, repairPrices } from "./price-repair.ts";

/**
 * Preferences for a fix: the tiers whose prices should stay,
 * and the weight of a relative change of each tier.
 */
export type FixPreferences = {
  /** Indexes of the tiers whose prices should stay. */
  readonly anchors: readonly number[];
  readonly weights: readonly number[];
};

/** The fixed prices. If no fix exists, they are the item's own prices and an unresolved conflict says why. */
export type Fix = { readonly prices: readonly number[]; readonly conflicts: readonly Conflict[] };

const NO_GAP = { share: 0, amount: 0 };

/**
 * With more anchors than this, anchors are kept greedily from the
 * highest tier instead of comparing all subsets.
 */
const MOST_ANCHOR_SETS = 8;

/**
 * The least joint change of an item's prices that satisfies all rules (see `repairPrices`).
 *
 * Anchored tiers keep their prices. If not all of them can, the largest feasible set of anchors is kept
 * (among several, the one with the least change), and each released anchor is reported as a resolved
 * conflict. If the other rules are infeasible by themselves, there is no fix: the prices are returned
 * unchanged, with an unresolved conflict. An invalid price is replaced before the repair: by the tier's
 * current price if that is valid, else by a price as close to its neighbours as the rules allow.
 */
export function fixItem(item: RuledItem, preferences: FixPreferences): Fix {
  const start = startingPrices(item);
  if (start === undefined) {
    const message = "No tier of the item has a valid price to start from.";
    return unfixed(item, conflict(item, ["invalid_price"], item.names, message));
  }
  const wanted = preferences.anchors.filter((i) => isPrice(item.prices[i]));
  const kept = keepableAnchors(item, start, wanted, preferences.weights);
  const best = attempt(item, start, kept, preferences.weights);
  if (!best.ok) return unfixed(item, contradiction(item, start, kept, best));
  const released = preferences.anchors
    .filter((i) => !kept.includes(i))
    .map((i) => releasedAnchor(item, start, kept, i, preferences.weights));
  return { prices: best.prices, conflicts: released };
}

/** One suggestion for each price that changes. */
export function suggest(
  item: RuledItem,
  fixed: readonly number[],
  violations: readonly Violation[],
): Suggestion[] {
  return item.names.flatMap((name, i) => {
    const [current, next] = [item.prices[i] ?? Number.NaN, fixed[i] ?? Number.NaN];
    if (Object.is(current, next) || current === next) return [];
    const action = !isPrice(current) ? "set" : next > current ? "increase" : "decrease";
    const own = violations.filter((violation) => violation.tiers.includes(name));
    const removed = own.map(({ type, tiers }) => `${type} (${tiers.join(", ")})`).join(" and ");
    const reason =
      own.length > 0
        ? `Removes ${removed} with the least joint relative change.`
        : "Makes room for the fixes of the neighbouring tiers.";
    return [{ item_id: item.itemId, field: name, action, current, new_value: next, reason }];
  });
}

function attempt(
  item: RuledItem,
  start: readonly number[],
  anchors: readonly number[],
  weights: readonly number[],
): Repair {
  return repairPrices(stated(item, start, anchors, weights));
}

function stated(
  item: RuledItem,
  start: readonly number[],
  anchors: readonly number[],
  weights: readonly number[],
): RepairProblem {
  const limits = start.map((price, i) => tightest(item, start, anchors, i, price));
  return {
    prices: start,
    weights,
    gaps: item.gaps.map((gap) => gap ?? NO_GAP),
    low: limits.map(({ low }) => low.price),
    high: limits.map(({ high }) => high.price),
    increment: item.increment,
  };
}

type Limit = { readonly price: number; readonly rule: RuleName | undefined };

/** The tightest lower and upper limit of a tier, each with its rule. */
function tightest(
  item: RuledItem,
  start: readonly number[],
  anchors: readonly number[],
  i: number,
  price = start[i] ?? 0,
) {
  const own: PriceLimit[] = [...(item.limits[i] ?? [])];
  if (anchors.includes(i)) own.push({ rule: "anchor", min: price, max: price });
  let low: Limit = { price: 0, rule: undefined };
  let high: Limit = { price: Number.POSITIVE_INFINITY, rule: undefined };
  for (const { rule, min, max } of own) {
    if (min !== undefined && min > low.price) low = { price: min, rule };
    if (max !== undefined && max < high.price) high = { price: max, rule };
  }
  return { low, high };
}

function keepableAnchors(
  item: RuledItem,
  start: readonly number[],
  wanted: readonly number[],
  weights: readonly number[],
): readonly number[] {
  if (wanted.length > MOST_ANCHOR_SETS) {
    const kept: number[] = [];
    for (const i of wanted) {
      if (repairCost(stated(item, start, [...kept, i], weights)) !== undefined) kept.push(i);
    }
    return kept;
  }
  let best: { kept: number[]; cost: number } = { kept: [], cost: Number.POSITIVE_INFINITY };
  for (let set = 2 ** wanted.length - 1; set > 0; set--) {
    const kept = wanted.filter((_, k) => (set >> k) & 1);
    if (kept.length < best.kept.length) continue;
    const repair = attempt(item, start, kept, weights);
    if (repair.ok && (kept.length > best.kept.length || repair.cost < best.cost))
      best = { kept, cost: repair.cost };
  }
  return best.kept;
}

/** The resolved conflict that says why this anchor could not be kept. */
function releasedAnchor(
  item: RuledItem,
  start: readonly number[],
  kept: readonly number[],
  i: number,
  weights: readonly number[],
): Conflict {
  const name = item.names[i] ?? "";
  if (!isPrice(item.prices[i])) {
    return conflict(
      item,
      ["anchor", "invalid_price"],
      [name],
      `${name} has no valid price to stay at.`,
      true,
    );
  }
  const anchors = [...kept, i];
  const failed = attempt(item, start, anchors, weights);
  if (failed.ok) return conflict(item, ["anchor"], [name], `${name} is not kept.`, true);
  const { rules, tiers, message } = contradiction(item, start, anchors, failed);
  return conflict(item, rules, tiers, `${name} cannot stay at its price: ${message}`, true);
}

/**
 * The conflict of an infeasible repair: the two limits that leave no room, and the rules between their tiers.
 */
function contradiction(
  item: RuledItem,
  start: readonly number[],
  anchors: readonly number[],
  failed: Extract<Repair, { ok: false }>,
): Conflict {
  const { lowerOf, upperOf, onGrid } = failed;
  const low = tightest(item, start, anchors, lowerOf).low;
  const high = tightest(item, start, anchors, upperOf).high;
  const tiers = item.names.slice(upperOf, lowerOf + 1);
  if (onGrid) {
    const rules = rulesOf([
      high.rule,
      "price_increment",
      tiers.length > 1 || item.names.length > 1 ? "ordering" : undefined,
    ]);
    const message = `No multiple of ${item.format.price(item.increment)} for ${item.names[upperOf]} satisfies the other rules.`;
    return conflict(item, rules, tiers, message);
  }
  const gapped = item.gaps
    .slice(upperOf, lowerOf)
    .some((gap) => gap !== undefined && (gap.share > 0 || gap.amount > 0));
  const rules = rulesOf([
    low.rule,
    high.rule,
    lowerOf > upperOf ? "ordering" : undefined,
    gapped ? "gaps" : undefined,
  ]);
  const floor = `${item.names[lowerOf]} may not go below ${item.format.price(low.price)} (${LIMIT_WORDS[low.rule ?? "bounds"]})`;
  const ceiling = `${item.names[upperOf]} may not go above ${item.format.price(high.price)} (${LIMIT_WORDS[high.rule ?? "bounds"]})`;
  const between =
    lowerOf > upperOf ? `, which leaves no room for the ${gapped ? "gaps" : "order"} between them` : "";
  return conflict(item, rules, tiers, `${floor} and ${ceiling}${between}.`);
}

function rulesOf(rules: readonly (RuleName | undefined)[]): RuleName[] {
  return [...new Set(rules.filter((rule) => rule !== undefined))];
}

function conflict(
  item: RuledItem,
  rules: readonly RuleName[],
  tiers: readonly string[],
  message: string,
  resolved = false,
): Conflict {
  return { item_id: item.itemId, rules: [...rules], tiers: [...tiers], resolved, message };
}

function unfixed(item: RuledItem, reason: Conflict): Fix {
  return { prices: item.prices, conflicts: [reason] };
}

/** Replaces invalid prices, as `fixItem` describes; undefined if the item has no valid price at all. */
function startingPrices(item: RuledItem): number[] | undefined {
  const grid = item.increment === 0 ? undefined : gridOf(item.increment);
  const onGrid = (price: number) =>
    grid === undefined ? price : gridPriceAt(grid, Math.max(1, Math.round(price / grid.increment)));
  const filled = item.prices.map((price, i) => {
    if (isPrice(price)) return price;
    const fallback = item.fallback[i];
    return isPrice(fallback) ? onGrid(fallback) : undefined;
  });
  if (filled.every((price) => price === undefined)) return undefined;
  for (let i = 1; i < filled.length; i++) {
    const above = filled[i - 1];
    if (filled[i] !== undefined || above === undefined) continue;
    const gapBelow = Math.min(mostUnder(item.gaps[i - 1] ?? NO_GAP, above), above - item.increment);
    // A large increment must not make the price 0 or negative.
    filled[i] = onGrid(Math.max(gapBelow, above / 2));
  }
  for (let i = filled.length - 2; i >= 0; i--) {
    const below = filled[i + 1];
    if (filled[i] !== undefined || below === undefined) continue;
    filled[i] = onGrid(Math.max(leastOver(item.gaps[i] ?? NO_GAP, below), below + item.increment));
  }
  return filled.filter((price) => price !== undefined);
}
