import type { Numbers } from "./numbers.ts";

type Counts = { items: (count: number) => string; prices: (count: number) => string };

const SLOTS: Readonly<Record<string, string>> = {
  items: "items",
  tiers: "tiers",
  region: "region",
  segment: "segment",
  max_change_pct: "maximum change",
  min_margin: "minimum margin",
  min_price: "lowest price",
  max_price: "highest price",
  price_move: "price change",
  cost_move: "cost change",
  only_violating: "only items that break a rule",
  top: "length of lists",
  objective: "objective",
  period: "period",
  rounding: "price increment",
  gap: "minimum gap",
};

/** Constraints as summaries name them. */
export function constraintsInEnglish(n: Numbers, { items, prices }: Counts) {
  return {
    /** Undefined for a slot that has no name; it is printed as it is called. */
    slot: (slot: string): string | undefined => (Object.hasOwn(SLOTS, slot) ? SLOTS[slot] : undefined),
    said: {
      only: (name: string, values: string) => `${name}: only ${values}`,
      except: (name: string, values: string) => `${name}: all but ${values}`,
      freeze: (name: string, values: string) => `${name}: ${values} as today`,
      set: (name: string, value: string) => (value === "" ? name : `${name} ${value}`),
    },
    inScope: (said: string, scope: string) => `${said} for ${scope}`,
    others: (count: number) => `${n.count(count)} others`,
    values: { profit: "profit", revenue: "revenue" },
    about: (said: string, count: number) => `${said} (${items(count)})`,
    binds: (said: string, bound: number, limited: number) =>
      `${said} (stops ${n.count(bound)} of ${prices(limited)})`,
    applied: (all: readonly string[]) => `Applied: ${all.join("; ")}.`,
    notApplied: (all: readonly string[]) =>
      `Not applied, since nothing here can apply it: ${all.join("; ")}.`,
  };
}
