import type { PolicyItem } from "../policy-types.ts";
import type { OrderConstraint } from "./constraint.ts";
import { namesOf } from "./selection.ts";

/** The names that constraints can use: those that the items of a request have. Names of tiers are in lower case. */
export type Names = Readonly<Record<"items" | "region" | "segment" | "tiers", ReadonlySet<string>>>;

export function namesIn(items: readonly PolicyItem[]): Names {
  const names = {
    items: new Set<string>(),
    region: new Set<string>(),
    segment: new Set<string>(),
    tiers: new Set<string>(),
  };
  const tiers = new Set<string>();
  for (const item of items) {
    names.items.add(item.item_id);
    if (item.region !== undefined) names.region.add(item.region);
    if (item.segment !== undefined) names.segment.add(item.segment);
    for (const tier in item.tiers) tiers.add(tier);
  }
  for (const tier of tiers) names.tiers.add(tier.toLowerCase());
  return names;
}

/** Splits a constraint into the part whose names the items have, and the rest. */
export type Parts = { readonly known?: OrderConstraint; readonly rest?: OrderConstraint };

/**
 * Splits a constraint by the names that it uses. One that selects by names that no item has stays whole, since it selects nothing; one
 * that leaves out or freezes what is not there is no constraint on these items, and neither is one on a region where no item has any.
 */
export function partsOf(constraint: OrderConstraint, names: Names): Parts {
  const { slot, op, scope } = constraint;
  const lacks = (what: "region" | "segment") => scope?.[what] !== undefined && names[what].size === 0;
  if (lacks("region") || lacks("segment")) return { rest: constraint };
  const given = isNaming(slot) && namesOf(constraint);
  if (!given) return { known: constraint };
  const all = names[slot];
  if (all.size === 0) return { rest: constraint };
  const isKnown = (name: string) => all.has(slot === "tiers" ? name.toLowerCase() : name);
  const known = [...given].filter(isKnown);
  const unknown = [...given].filter((name) => !isKnown(name));
  if (unknown.length === 0) return { known: constraint };
  if (known.length > 0)
    return { known: { ...constraint, value: known }, rest: { ...constraint, value: unknown } };
  return op === "except" || op === "freeze" ? { rest: constraint } : { known: constraint };
}

function isNaming(slot: string): slot is keyof Names {
  return slot === "items" || slot === "region" || slot === "segment" || slot === "tiers";
}
