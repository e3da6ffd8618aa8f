import { type Gap, gapOf, type MinGap, merged, stated } from "./gap.ts";
import { type RulePack, resolveGap } from "./rule-pack.ts";
import type { ConstraintFamily, Objective, PricingInputs } from "./types.ts";

export const DEFAULT_TIER_ORDER: readonly string[] = ["new", "exchange", "repair", "usm"];
export const DEFAULT_INCREMENT = 0.01;
export const DEFAULT_OBSERVED_MARGIN = 0;
export const CONSTRAINT_FAMILIES: readonly ConstraintFamily[] = ["bounds", "max_change", "ordering", "gaps"];

/** The minimum gap between two tiers adjacent in the tier order; shares are in [0, 1). */
export type GapFor = (
  item: { readonly segment?: string; readonly region?: string },
  higher: string,
  lower: string,
) => MinGap;

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
  /**
   * How far prices may leave the range observed in the data of a `fit`, as a share of its ends; undefined if
   * that range does not limit them.
   */
  readonly observedMargin: number | undefined;
  readonly gapFor: GapFor;
  /** Position of each tier name, in lower case, from the highest. */
  readonly rank: ReadonlyMap<string, number>;
};

/**
 * Settings with defaults: profit, increment 0.01, all constraint families, prices within the observed range, the
 * default tier order, no gaps.
 */
export function makeSettings(
  given: {
    tierOrder?: readonly string[] | undefined;
    objective?: Objective | undefined;
    increment?: number | undefined;
    maxChange?: number | undefined;
    minimumMargin?: number | undefined;
    enforce?: Iterable<ConstraintFamily> | undefined;
    extrapolate?: boolean | undefined;
    observedMargin?: number | undefined;
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
    observedMargin: given.extrapolate ? undefined : (given.observedMargin ?? DEFAULT_OBSERVED_MARGIN),
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
    extrapolate: inputs.extrapolate,
    observedMargin: inputs.observed_margin,
    gapFor: rememberedGaps(pack, thresholdsOf(inputs)),
  });
}

/** The minimum gaps that a run used (wire shape), for one combination of segment and region. */
export type GapsUsed = { segment?: string; region?: string; gaps: Record<string, MinGap> };

/** The minimum gaps for each combination of segment and region among the items, at most 50. */
export function gapsUsed(
  items: readonly { readonly segment?: string; readonly region?: string }[],
  settings: OptimizeSettings,
): GapsUsed[] {
  if (!settings.enforce.has("gaps")) return [];
  return scopesOf(items).map((scope) => ({ ...scope, gaps: gapsOf(scope, settings) }));
}

const MOST_SCOPES = 50;

type Scope = { readonly segment?: string; readonly region?: string };

function scopesOf(items: readonly Scope[]): Scope[] {
  const found = new Map<string, Scope>();
  for (const { segment, region } of items) {
    const key = `${segment ?? ""}\n${region ?? ""}`;
    if (found.has(key)) continue;
    found.set(key, { ...(segment !== undefined && { segment }), ...(region !== undefined && { region }) });
    if (found.size === MOST_SCOPES) break;
  }
  return [...found.values()];
}

/** By pair of tiers adjacent in the tier order. */
function gapsOf(scope: Scope, settings: OptimizeSettings): Record<string, MinGap> {
  const order = [...settings.rank.keys()];
  const pairs = order.slice(1).map((lower, i): [string, MinGap] => {
    const higher = order[i] ?? "";
    return [`${higher}_${lower}`, stated(gapOf(settings.gapFor(scope, higher, lower)))];
  });
  return Object.fromEntries(pairs);
}

/** The rules that a run kept, for one combination of segment and region (wire shape). Absent: no such rule. */
export type EffectiveRules = {
  segment?: string;
  region?: string;
  /** `<higher>_<lower>`: a share of the higher price, or a share and an amount of money. */
  minimum_gaps: Record<string, MinGap>;
  /** A share of the unit cost. */
  minimum_margin_pct?: number;
  /** A share of the current price. */
  max_change_pct?: number;
  /** Whether each tier must be priced below the next higher one. */
  strict_order: boolean;
};

/** What thresholds, rule pack and request come to, for each combination of segment and region, at most 50. */
export function effectiveRules(
  items: readonly { readonly segment?: string; readonly region?: string }[],
  settings: OptimizeSettings,
): EffectiveRules[] {
  const { enforce, minimumMargin, maxChange } = settings;
  const common = {
    ...(minimumMargin !== undefined && enforce.has("bounds") && { minimum_margin_pct: minimumMargin }),
    ...(maxChange !== undefined && enforce.has("max_change") && { max_change_pct: maxChange }),
    strict_order: enforce.has("ordering"),
  };
  return scopesOf(items).map((scope) => ({
    ...scope,
    minimum_gaps: enforce.has("gaps") ? gapsOf(scope, settings) : {},
    ...common,
  }));
}

/** The request's gaps by pair: `min_gap` is that of all pairs, after a `default` among the thresholds. */
function thresholdsOf({
  min_gap,
  thresholds = {},
}: Pick<PricingInputs, "min_gap" | "thresholds">): Record<string, MinGap> {
  if (min_gap === undefined) return thresholds;
  const key = Object.keys(thresholds).find((name) => name.toLowerCase() === "default") ?? "default";
  return { ...thresholds, [key]: merged(thresholds[key], min_gap) };
}

/** Caches gaps: a large catalogue has few combinations of segment, region and pair. */
function rememberedGaps(pack: RulePack, thresholds: Record<string, MinGap>): GapFor {
  const known = new Map<string, Map<string, Gap>>();
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
