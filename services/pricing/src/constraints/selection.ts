import type { PolicyItem } from "../policy-types.ts";
import type { OrderConstraint } from "./constraint.ts";

/** Reads names; undefined where the value is none. */
export function namesOf({ value }: OrderConstraint): ReadonlySet<string> | undefined {
  const names = [value].flat().filter((name) => typeof name === "string");
  return names.length > 0 && names.length === [value].flat().length ? new Set(names) : undefined;
}

/** Whether a constraint selects an item; `frozen`: it may be included, at today's prices. */
export type ItemSelector = (item: PolicyItem) => "wanted" | "unwanted" | "frozen";

/** Of a constraint on items by their id, region or segment. An item without a region is in every region. */
export function itemSelector(constraint: OrderConstraint): ItemSelector | undefined {
  const names = namesOf(constraint);
  const memberOf = MEMBERS[constraint.slot];
  if (!names || !memberOf || constraint.scope) return undefined;
  const has = (item: PolicyItem, otherwise: boolean) => {
    const name = memberOf(item);
    return name === undefined ? otherwise : names.has(name);
  };
  switch (constraint.op) {
    case "set":
    case "only":
      return (item) => (has(item, true) ? "wanted" : "unwanted");
    case "except":
      return (item) => (has(item, false) ? "unwanted" : "wanted");
    case "freeze":
      return (item) => (has(item, false) ? "frozen" : "wanted");
    default:
      return undefined;
  }
}

const MEMBERS: Readonly<Record<string, (item: PolicyItem) => string | undefined>> = {
  items: ({ item_id }) => item_id,
  region: ({ region }) => region,
  segment: ({ segment }) => segment,
};

/** Whether a tier may change. Names of tiers differ in case. */
export type TierSelector = (item: PolicyItem, tier: string) => boolean;

export function tierSelector(constraint: OrderConstraint): TierSelector | undefined {
  const names = namesOf(constraint);
  const inScope = scopeOf(constraint);
  if (constraint.slot !== "tiers" || !names) return undefined;
  const listed = new Set([...names].map((name) => name.toLowerCase()));
  const has = (tier: string) => listed.has(tier.toLowerCase());
  switch (constraint.op) {
    case "set":
    case "only":
      return (item, tier) => !inScope(item, tier) || has(tier);
    case "except":
    case "freeze":
      return (item, tier) => !inScope(item, tier) || !has(tier);
    default:
      return undefined;
  }
}

/** Whether a constraint is about a tier of an item. */
export function scopeOf({ scope }: OrderConstraint): (item: PolicyItem, tier: string) => boolean {
  if (!scope) return () => true;
  const items = scope.items && new Set(scope.items);
  const tiers = scope.tiers && new Set(scope.tiers.map((tier) => tier.toLowerCase()));
  const regions = scope.region === undefined ? undefined : new Set([scope.region].flat());
  const segments = scope.segment === undefined ? undefined : new Set([scope.segment].flat());
  return (item, tier) =>
    (items?.has(item.item_id) ?? true) &&
    (tiers?.has(tier.toLowerCase()) ?? true) &&
    (item.region === undefined || (regions?.has(item.region) ?? true)) &&
    (item.segment === undefined || (segments?.has(item.segment) ?? true));
}
