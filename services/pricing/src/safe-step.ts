import { gainOf } from "./certainty.ts";
import { type PriceTest, priceTests } from "./price-test.ts";
import type { OptimizeSettings } from "./settings.ts";
import type { ResolvedItem } from "./types.ts";

/** The step that is recommended in place of prices that the data do not show to be better than today's (wire shape). */
export type SafeStep = {
  /** How much of the way, as a share of the change of the logarithm of each price; 0: every step may lose. */
  share: number;
  /** The recommended prices. */
  prices: Record<string, number>;
  /** The gain over today's objective per period (money), as estimated and in the worst case. */
  expected_gain: number;
  cautious_gain: number;
  /** The best prices if the estimates are right, with their gain: what the step stops short of. */
  full_move: { prices: Record<string, number>; expected_gain: number; cautious_gain: number };
  /** Price tests that would settle whether the full move gains; of a large catalogue, for items with whole reports. */
  to_test?: PriceTest[];
};

/**
 * What was taken of a move that may lose (`limitMoves`), and what to test; undefined if the move was not limited for
 * that reason.
 * @param limited the item with its limits
 */
export function safeStep(
  item: ResolvedItem,
  { limited }: Pick<ResolvedItem, "limited">,
  prices: Readonly<Record<string, number>>,
  { objective }: OptimizeSettings,
): SafeStep | undefined {
  if (limited?.by !== "caution") return undefined;
  const gain = gainOf(item, prices, objective);
  return {
    share: limited.share,
    prices: { ...prices },
    expected_gain: gain.expected,
    cautious_gain: gain.cautious,
    full_move: {
      prices: { ...limited.full },
      expected_gain: limited.expected_gain,
      cautious_gain: limited.cautious_gain,
    },
    to_test: priceTests(item, limited.full, objective),
  };
}
