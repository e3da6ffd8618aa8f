import { type Gain, gainOf } from "./certainty.ts";
import { stepPrices } from "./limit-moves.ts";
import type { ItemOptimum } from "./optimize-item.ts";
import { type PriceTest, priceTests } from "./price-test.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

/** What to do in place of prices that the data do not show to be better than today's (wire shape). */
export type SafeStep = {
  /** How much of the way, as a share of the change of the logarithm of each price; 0: every step may lose. */
  share: number;
  /** On the increment, all rules kept; today's where the share is 0. */
  prices: Record<string, number>;
  /** The gain over today's objective per period (money), as estimated and at the cautious end of its interval. */
  expected_gain: number;
  cautious_gain: number;
  /** Price tests that would settle whether the full move gains; of a large catalogue, for items with whole reports. */
  to_test?: PriceTest[];
};

/** Steps of a twentieth: finer ones differ by less than what an interval means. */
const PARTS = 20;

/**
 * The largest step from today's prices towards the recommended ones that gains even at the cautious end of the
 * interval (`gainOf`), and what to test. Undefined if the whole move does, if it is not even expected to gain, or if
 * nothing moves or nothing is fitted. If today's prices break a rule, only steps that keep the rules count, and there
 * may be none.
 */
export function safeStep(
  item: ResolvedItem,
  { tiers }: Pick<ItemOptimum, "tiers">,
  settings: OptimizeSettings,
): SafeStep | undefined {
  const entries = Object.entries(tiers);
  const isFitted = entries.some(([name]) => item.tiers[name]?.fit !== undefined);
  if (!isFitted || entries.every(([, { price, current_price }]) => price === current_price)) return undefined;
  const goal = Object.fromEntries(entries.map(([name, { price }]) => [name, price]));
  const whole = gainOf(item, goal, settings.objective);
  if (whole.cautious >= 0 || whole.expected < 0) return undefined;
  const to_test = priceTests(item, goal, settings.objective);
  for (let part = Math.min(PARTS - 1, reachOf(item, goal, settings) + 1); part > 0; part--) {
    const share = part / PARTS;
    const prices = stepPrices(item, goal, share, settings);
    if (prices === undefined) continue;
    const gain = gainOf(item, prices, settings.objective);
    if (gain.cautious > 0) return stepOf(share, prices, gain, to_test);
  }
  const today = Object.fromEntries(entries.map(([name, { current_price }]) => [name, current_price]));
  return stepOf(0, today, { expected: 0, cautious: 0 }, to_test);
}

/** The last part of the way that gains at the unfavourable end, before rounding and rules: no solving is needed. */
function reachOf(
  item: ResolvedItem,
  goal: Readonly<Record<string, number>>,
  settings: OptimizeSettings,
): number {
  for (let part = PARTS - 1; part > 0; part--) {
    const prices = Object.fromEntries(
      Object.entries(item.tiers).map(([name, { current_price }]) => {
        const end = goal[name] ?? current_price;
        return [name, current_price * (end / current_price) ** (part / PARTS)];
      }),
    );
    if (gainOf(item, prices, settings.objective).cautious > 0) return part;
  }
  return 0;
}

function stepOf(
  share: number,
  prices: Record<string, number>,
  { expected, cautious }: Gain,
  to_test: PriceTest[],
): SafeStep {
  return { share, prices, expected_gain: expected, cautious_gain: cautious, to_test };
}
