import { changeUnder } from "./demand-form.ts";
import { studentTQuantile } from "./student-t.ts";
import type { ResolvedItem, ResolvedTier } from "./types.ts";

/** A move of the logarithm of a price below this has no arc. */
const LEAST_MOVE = 1e-6;

/**
 * The item with the elasticities of its tiers over the arc from today's to these prices: what a constant elasticity has to be
 * for demand there to be that of the forms that the rows do not reject, with the error of each and the differences between
 * them (Rubin's rule, 1987). Tiers of which the constant elasticity alone is left, and tiers that do not move, stay as they are.
 */
export function alongArc(item: ResolvedItem, prices: ReadonlyMap<string, number>): ResolvedItem {
  const tiers = Object.entries(item.tiers).map(
    ([name, tier]) => [name, arcTier(tier, prices.get(name) ?? tier.current_price)] as const,
  );
  return { ...item, tiers: Object.fromEntries(tiers) };
}

function arcTier(tier: ResolvedTier, price: number): ResolvedTier {
  const { demand, forms = [], current_price, held } = tier;
  const move = Math.log(price / current_price);
  const plausible = forms.filter((one) => one.plausible);
  const [only] = plausible;
  if (held || only === undefined || demand.model !== "constant_elasticity" || Math.abs(move) < LEAST_MOVE)
    return tier;
  if (plausible.length === 1 && only.form === "constant_elasticity") return tier;
  const arcs = plausible.map((form) => {
    const { low, expected, high } = changeUnder(form, current_price, price);
    const reach = studentTQuantile(0.975, form.degrees_of_freedom);
    return { elasticity: expected / move, error: (high - low) / (2 * reach * Math.abs(move)) };
  });
  const mean = arcs.reduce((sum, { elasticity }) => sum + elasticity, 0) / arcs.length;
  const count = arcs.length;
  const within = arcs.reduce((sum, { error }) => sum + error ** 2, 0) / count;
  const apart = arcs.reduce((sum, { elasticity }) => sum + (elasticity - mean) ** 2, 0);
  const variance = within + (count > 1 ? ((1 + 1 / count) * apart) / (count - 1) : 0);
  return {
    ...tier,
    demand: {
      ...demand,
      elasticity: Math.min(mean, -1e-6),
      elasticity_se: Math.sqrt(variance),
      elasticity_df: Math.min(...plausible.map(({ degrees_of_freedom }) => degrees_of_freedom)),
    },
  };
}
