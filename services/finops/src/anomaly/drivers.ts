/** What was used of one thing that has a price, and what it cost: a day's average of two times. */
export type Item = {
  readonly unit: string | null;
  readonly quantity: number;
  readonly cost: number;
  readonly quantityBefore: number;
  readonly costBefore: number;
};

/**
 * Why costs changed. `quantity`: more was used, at the mix of before; `mix`: dearer things were used in place of cheaper ones, new
 * things among them; `price`: the same things cost more. `other` are charges without a quantity. They add up to the change.
 */
export type Drivers = {
  readonly quantity: number;
  readonly mix: number;
  readonly price: number;
  readonly other: number;
};

/**
 * The price, volume and mix variance of management accounting, by unit, as units of different kinds have no sum. With Q = Σq, and P the
 * average price of before: quantity is (Q₁ − Q₀)P₀, mix is Σ(q₁ − q₀·Q₁/Q₀)p₀, price is Σq₁(p₁ − p₀). Something new has no price of
 * before: its own counts.
 */
export function driversOf(items: readonly Item[]): Drivers {
  let [quantity, mix, price, other] = [0, 0, 0, 0];
  const byUnit = Map.groupBy(items, ({ unit, quantity: now, quantityBefore }) =>
    now + quantityBefore > 0 ? unit : null,
  );
  for (const [unit, own] of byUnit) {
    const change = own.reduce((sum, { cost, costBefore }) => sum + cost - costBefore, 0);
    const now = own.reduce((sum, item) => sum + item.quantity, 0);
    const before = own.reduce((sum, item) => sum + item.quantityBefore, 0);
    if (unit === null) other += change;
    // Nothing was used before, or nothing is now: all of it is quantity.
    else if (before === 0 || now === 0) quantity += change;
    else {
      const ownPrice = own.reduce((sum, item) => sum + priceChange(item), 0);
      const ownQuantity =
        ((now - before) * own.reduce((sum, { costBefore }) => sum + costBefore, 0)) / before;
      price += ownPrice;
      quantity += ownQuantity;
      mix += change - ownPrice - ownQuantity;
    }
  }
  return { quantity, mix, price, other };
}

function priceChange({ quantity, cost, quantityBefore, costBefore }: Item): number {
  return quantityBefore > 0 ? cost - (quantity * costBefore) / quantityBefore : 0;
}

/** The one that accounts for most of the change. */
export function mainDriver(drivers: Drivers): keyof Drivers {
  const change = Object.values(drivers).reduce((sum, part) => sum + part, 0);
  const names = ["quantity", "price", "mix", "other"] as const;
  return names.reduce(
    (best, name) => (drivers[name] * Math.sign(change) > drivers[best] * Math.sign(change) ? name : best),
    names[0],
  );
}
