import { effect, type Family, oneTier, persistent, range, table } from "./market.ts";

/** Rows that keep all of the method's assumptions. */
export const WELL_BEHAVED: readonly Family[] = [
  {
    name: "counts of mean 1, many of them 0",
    kind: "well-behaved",
    make(draw) {
      const rows = range(200).map(() => {
        const price = 100 * Math.exp(0.25 * draw.normal());
        return [price, draw.poisson(Math.exp(effect(price)))];
      });
      return oneTier(draw, table("price,quantity", rows), 1);
    },
  },
  {
    name: "independent rows",
    kind: "well-behaved",
    make(draw) {
      const rows = range(100).map(() => {
        const price = 100 * Math.exp(0.2 * draw.normal());
        return [price, 50 * Math.exp(effect(price) + 0.4 * draw.normal())];
      });
      return oneTier(draw, table("price,quantity", rows), 50);
    },
  },
  {
    name: "104 weeks, AR(0.8)",
    kind: "well-behaved",
    open: "the rows tell too little: no method with 95% intervals is sure of a direction in half of these worlds",
    make(draw) {
      const prices = persistent(draw, 104);
      const shocks = persistent(draw, 104);
      const rows = prices.map((x, week) => {
        const price = 100 * Math.exp(0.2 * x);
        return [week + 1, price, 50 * Math.exp(effect(price) + 0.4 * (shocks[week] ?? 0))];
      });
      return oneTier(draw, table("week,price,quantity", rows), 50);
    },
  },
  { name: "20 stores × 50 weeks", kind: "well-behaved", make: (draw) => panelOf(draw, "store") },
  {
    name: "dear stores sell more",
    kind: "well-behaved",
    make(draw) {
      const rows = range(20).flatMap((store) => {
        const size = draw.normal();
        return range(50).map((week) => {
          const price = 100 * Math.exp(0.15 * size + 0.1 * draw.normal());
          return [
            store + 1,
            week + 1,
            price,
            50 * Math.exp(effect(price) + 0.3 * size + 0.3 * draw.normal()),
          ];
        });
      });
      return oneTier(draw, table("store,week,price,quantity", rows), 50);
    },
  },
  {
    name: "tiny: 35 weeks",
    kind: "well-behaved",
    open: "the rows tell too little: no method with 95% intervals is sure of a direction in half of these worlds",
    make(draw) {
      const rows = range(35).map((week) => {
        const price = 100 * Math.exp(0.15 * draw.normal());
        return [week + 1, price, 50 * Math.exp(effect(price) + 0.3 * draw.normal())];
      });
      return oneTier(draw, table("week,price,quantity", rows), 50);
    },
  },
];

/** Stores of different sizes and habits; `store` is what the file calls the column of the store. */
export function panelOf(draw: Parameters<Family["make"]>[0], store: string) {
  const rows = range(20).flatMap((own) => {
    const [habit, size] = [draw.normal(), draw.normal()];
    const shocks = persistent(draw, 50);
    return range(50).map((week) => {
      const price = 100 * Math.exp(0.15 * habit + 0.1 * draw.normal());
      const quantity = 50 * Math.exp(effect(price) + 0.3 * habit + 0.5 * size + 0.2 * (shocks[week] ?? 0));
      return [`F${own + 101}`, week + 1, price.toFixed(2), quantity.toFixed(1)];
    });
  });
  // The mean over stores is above that of the median one.
  const level = 50 * Math.exp(0.5 * (0.3 ** 2 + 0.5 ** 2 + 0.2 ** 2));
  return oneTier(draw, table(`${store},week,price,quantity`, rows), level);
}
