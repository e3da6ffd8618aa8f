import { type RulePack, resolveGap } from "./rule-pack.ts";
import type { ConstraintFamily, Objective, PricingInputs } from "./types.ts";

export const DEFAULT_TIER_ORDER: readonly string[] = ["new", "exchange", "repair", "usm"];
export const DEFAULT_INCREMENT = 0.01;
export const CONSTRAINT_FAMILIES: readonly ConstraintFamily[] = ["bounds", "max_change", "ordering", "gaps"];

/**
 * The minimum gap between two tiers adjacent in the tier order, as a share of the higher price, in [0, 1).
 */
export type GapFor = (
  item: { readonly segment?: string; readonly region?: string },
  higher: string,
  lower: string,
) => number;

/**
 * Everything that an optimization needs besides the item. Create one with `settingsFor` or `makeSettings`.
 */
export type OptimizeSettings = {
  readonly objective: Objective;
  /** Money; 0 means no rounding. */
  readonly increment: number;
  /** Share of the current price. */
  readonly maxChange: number | undefined;
  /** price ≥ unit cost · (1 + share); belongs to the family `bounds`. */
  readonly minimumMargin: number | undefined;
  readonly enforce: ReadonlySet<ConstraintFamily>;
  readonly gapFor: GapFor;
  /** Position of each tier name, in lower case, from the highest. */
  readonly rank: ReadonlyMap<string, number>;
};

/**
 * Settings with defaults: profit, increment 0.01, all constraint families, the default tier order, no gaps.
 */
export function makeSettings(
  given: {
    tierOrder?: readonly string[] | undefined;
    objective?: Objective | undefined;
    increment?: number | undefined;
    maxChange?: number | undefined;
    minimumMargin?: number | undefined;
    enforce?: Iterable<ConstraintFamily> | undefined;
    gapFor?: GapFor | undefined;
  } = {},
): OptimizeSettings {
  const order = given.tierOrder ?? DEFAULT_TIER_ORDER;
  return {
    objective: given.objective ?? "profit",
    increment: given.increment ?? DEFAULT_INCREMENT,
    maxChange: given.maxChange,
    minimumMargin: given.minimumMargin,
    enforce: new Set(given.enforce ?? CONSTRAINT_FAMILIES),
    gapFor: given.gapFor ?? (() => 0),
    rank: new Map(order.map((name, position) => [name.toLowerCase(), position])),
  };
}

/**
 * The settings of a request under a rule pack. The optimizer and the policy check both use them, so proposals
 * are made under the rules that they are checked against. If both request and pack limit the change, the
 * tighter limit applies.
 */
export function settingsFor(inputs: Omit<PricingInputs, "items">, pack: RulePack): OptimizeSettings {
  const changes = [inputs.max_change_pct, pack.maximumChange].filter((share) => share !== undefined);
  return makeSettings({
    tierOrder: inputs.tier_order,
    objective: inputs.objective,
    increment: inputs.price_increment,
    maxChange: changes.length === 0 ? undefined : Math.min(...changes),
    minimumMargin: pack.minimumMargin,
    enforce: inputs.enforce,
    gapFor: rememberedGaps(pack, inputs.thresholds),
  });
}

/** The minimum gaps that a run used (wire shape), for one combination of segment and region. */
export type GapsUsed = { segment?: string; region?: string; gaps: Record<string, number> };

/** The minimum gaps for each combination of segment and region among the items, at most 50. */
export function gapsUsed(
  items: readonly { readonly segment?: string; readonly region?: string }[],
  settings: OptimizeSettings,
): GapsUsed[] {
  if (!settings.enforce.has("gaps")) return [];
  const order = [...settings.rank.keys()];
  const found = new Map<string, GapsUsed>();
  for (const item of items) {
    const scope = `${item.segment ?? ""}\n${item.region ?? ""}`;
    if (found.has(scope)) continue;
    const pairs = order.slice(1).map((lower, i): [string, number] => {
      const higher = order[i] ?? "";
      return [`${higher}_${lower}`, settings.gapFor(item, higher, lower)];
    });
    found.set(scope, {
      ...(item.segment !== undefined && { segment: item.segment }),
      ...(item.region !== undefined && { region: item.region }),
      gaps: Object.fromEntries(pairs),
    });
    if (found.size === 50) break;
  }
  return [...found.values()];
}

/** Caches gaps: a large catalogue has few combinations of segment, region and pair. */
function rememberedGaps(pack: RulePack, thresholds: Record<string, number> | undefined): GapFor {
  const known = new Map<string, Map<string, number>>();
  return (item, higher, lower) => {
    const scope = `${item.segment ?? ""}\n${item.region ?? ""}`;
    let gaps = known.get(scope);
    if (gaps === undefined) {
      gaps = new Map();
      known.set(scope, gaps);
    }
    const pair = `${higher}\n${lower}`;
    let gap = gaps.get(pair);
    if (gap === undefined) {
      gap = resolveGap(pack, { segment: item.segment, region: item.region, thresholds }, higher, lower);
      gaps.set(pair, gap);
    }
    return gap;
  };
}
