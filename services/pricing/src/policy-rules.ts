import { atLeast, atMost, gapHolds, gapShare, orderHolds } from "./compare.ts";
import type { Format } from "./format.ts";
import type { Gap } from "./gap.ts";
import type { RuleName, Violation, ViolationType } from "./policy-types.ts";

/** A limit on one tier's price, with the rule it comes from. */
export type PriceLimit = { readonly rule: RuleName; readonly min?: number; readonly max?: number };

/** One item to check: its tiers from high to low, their prices and all rules that apply. */
export type RuledItem = {
  readonly itemId: string;
  readonly names: readonly string[];
  readonly prices: readonly number[];
  /** Current prices, which a fix uses if a proposed price is invalid. */
  readonly fallback: readonly (number | undefined)[];
  /** Minimum gap between neighbours; undefined if they are not adjacent in the tier order. */
  readonly gaps: readonly (Gap | undefined)[];
  readonly limits: readonly (readonly PriceLimit[])[];
  /** Money; strict ordering requires at least this distance. */
  readonly increment: number;
  /** Prints the messages' numbers. */
  readonly format: Format;
};

/** Whether the value is finite and above 0. Gaps and changes are shares of a price, so 0 cannot be one. */
export function isPrice(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}

/**
 * All violations of an item, from the highest tier to the lowest.
 *
 * An inverted pair is reported once, as an inversion, although it also lacks its gap. A pair with an invalid
 * price is not compared; the invalid price is a violation of its own.
 */
export function findViolations(item: RuledItem): Violation[] {
  return item.names.flatMap((name, i) => [
    ...tierViolations(item, name, item.prices[i] ?? Number.NaN, item.limits[i] ?? []),
    ...pairViolations(item, i),
  ]);
}

function tierViolations(
  item: RuledItem,
  name: string,
  price: number,
  limits: readonly PriceLimit[],
): Violation[] {
  const finding = { item_id: item.itemId, tiers: [name], current: { [name]: price } };
  if (!isPrice(price)) {
    return [{ type: "invalid_price", ...finding, message: item.format.texts.violation.needsPrice(name) }];
  }
  const found: Violation[] = [];
  const { price: print, texts } = item.format;
  for (const { rule, min, max } of limits) {
    const kind = LIMIT_VIOLATIONS[rule];
    if (kind === undefined) continue;
    const { type, words } = kind;
    const allows = texts.violation.rules[words];
    if (min !== undefined && !atLeast(price, min)) {
      const message = texts.violation.below(name, print(price), print(min), allows);
      found.push({ type, ...finding, limit: min, message });
    }
    if (max !== undefined && !atMost(price, max)) {
      const message = texts.violation.above(name, print(price), print(max), allows);
      found.push({ type, ...finding, limit: max, message });
    }
  }
  return found;
}

type LimitViolation = { type: ViolationType; words: keyof Format["texts"]["violation"]["rules"] };

const LIMIT_VIOLATIONS: Partial<Record<RuleName, LimitViolation>> = {
  bounds: { type: "out_of_bounds", words: "bounds" },
  minimum_margin: { type: "below_minimum_margin", words: "minimum_margin" },
  max_change: { type: "above_maximum_change", words: "max_change" },
};

export const LIMIT_WORDS: Partial<Record<RuleName, string>> = {
  bounds: "its bounds",
  minimum_margin: "the minimum margin over unit cost",
  max_change: "the maximum change",
  anchor: "its anchor",
};

function pairViolations(item: RuledItem, i: number): Violation[] {
  const [higher, lower] = [item.names[i] ?? "", item.names[i + 1] ?? ""];
  const [high, low] = [item.prices[i], item.prices[i + 1]];
  if (!isPrice(high) || !isPrice(low)) return [];
  const gap = item.gaps[i];
  const finding = {
    item_id: item.itemId,
    tiers: [higher, lower],
    current: { [higher]: high, [lower]: low },
    actual_gap_pct: gapShare(high, low),
    required_gap_pct: Math.max(gap?.share ?? 0, (gap?.amount ?? 0) / high),
    ...(gap !== undefined &&
      gap.amount > 0 && { actual_gap_amount: high - low, required_gap_amount: gap.amount }),
  };
  const { price: print, texts } = item.format;
  const pair = { higher, high: print(high), lower, low: print(low) };
  if (!orderHolds(high, low, item.increment)) {
    const message =
      low < high
        ? texts.violation.withinIncrement(pair, print(item.increment))
        : texts.violation.inverted(pair);
    return [{ type: "hierarchy_inversion", ...finding, message }];
  }
  if (gap === undefined || gapHolds(high, low, gap)) return [];
  const { actual, required } = gapHolds(high, low, gap.share)
    ? amountTexts(high - low, gap.amount, item.format)
    : shareTexts(finding.actual_gap_pct, gap.share, item.format);
  const message = texts.violation.gap(pair, actual, required);
  return [{ type: "insufficient_tier_margin", ...finding, message }];
}

function shareTexts(actual: number, required: number, format: Format) {
  // Print more digits if the actual gap would otherwise look equal to the required one.
  const short = format.share(actual);
  const own = short === format.share(required) ? format.share(actual, 9) : short;
  return { actual: own, required: format.share(required) };
}

function amountTexts(actual: number, required: number, format: Format) {
  return { actual: format.price(actual), required: format.price(required) };
}
