import type { Format } from "./format.ts";
import type { ItemProposal, ProposalTotals, ProposedTier } from "./proposal.ts";
import { MOST_FIT_REPORTS } from "./proposal-details.ts";
import type { Objective } from "./types.ts";

const MOST_LISTED = 10;

/** What the proposal gains against today's prices, and its prices: those that move most. */
export function proposalSummary(
  proposals: readonly ItemProposal[],
  { current, expected, change }: ProposalTotals,
  objective: Objective,
  format: Format,
): string {
  const tiers = proposals.flatMap(({ item_id, tiers: own }) =>
    Object.entries(own).map(([name, tier]) => ({ item_id, name, tier })),
  );
  const moved = tiers.filter(({ tier }) => tier.price !== tier.current_price);
  const share = change[objective];
  const gain = share === null ? "" : ` (${format.signedShare(share)})`;
  const head =
    moved.length === 0
      ? `All ${format.count(tiers.length)} prices stay as they are.`
      : `${format.count(moved.length)} of ${format.count(tiers.length)} prices change. Expected ${objective} per period goes from ${format.money(current[objective])} at today's prices to ${format.money(expected[objective])}${gain}, if demand is as estimated.`;
  const size = ({ tier }: { tier: ProposedTier }) => Math.abs(tier.change_pct);
  const listed = moved.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_LISTED);
  const lines = listed.map(
    ({ item_id, name, tier }) =>
      `- ${item_id}, ${name}: ${format.price(tier.current_price)} → ${format.price(tier.price)} (${format.signedShare(tier.change_pct)})`,
  );
  const more = moved.length - listed.length;
  const fitted = proposals.filter(({ tiers: own }) =>
    Object.values(own).some(({ demand_model }) => demand_model.model === "fit"),
  ).length;
  return [
    head,
    ...lines,
    ...(more > 0 ? [`- and ${format.count(more)} smaller changes`] : []),
    ...(fitted > 0 && proposals.length > MOST_FIT_REPORTS
      ? [
          `Whole reports of fits are given for the ${format.count(MOST_FIT_REPORTS)} items whose prices move most.`,
        ]
      : []),
  ].join("\n");
}
