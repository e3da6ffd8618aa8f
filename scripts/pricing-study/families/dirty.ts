import type { Draw } from "../draw.ts";
import { effect, type Family, oneTier, range, table, type Week, weekly, weeklyTable } from "./market.ts";
import { panelOf } from "./well-behaved.ts";

const chance = (draw: Draw, share: number) => draw.uniform() < share;

/** Clean weekly sales with some rows altered. */
function altered(name: string, alter: (row: Week, draw: Draw) => void): Family {
  return {
    name,
    kind: "troubled",
    make(draw) {
      const rows = weekly(draw, 156);
      for (const row of rows) alter(row, draw);
      return oneTier(draw, weeklyTable(rows), 50);
    },
  };
}

/** What happens to rows between the register and the file. */
export const DIRTY: readonly Family[] = [
  altered("typos in prices: a slipped point in 2% of the rows", (row, draw) => {
    if (chance(draw, 0.02)) row.price *= draw.uniform() < 0.5 ? 10 : 0.1;
  }),
  altered("typos in quantities: a slipped point in 2% of the rows", (row, draw) => {
    if (chance(draw, 0.02)) row.quantity *= draw.uniform() < 0.5 ? 10 : 0.1;
  }),
  altered("packs of six in 30% of the rows", (row, draw) => {
    if (!chance(draw, 0.3)) return;
    row.price *= 6;
    row.quantity /= 6;
  }),
  altered("packs of twelve from some week on, quantities in pieces", (row) => {
    if (row.week > 110) row.price *= 12;
  }),
  altered("prices in cents in 30% of the rows", (row, draw) => {
    if (chance(draw, 0.3)) row.price *= 100;
  }),
  {
    name: "two currencies, a column says which",
    kind: "troubled",
    make(draw) {
      const rows = weekly(draw, 156).map(({ week, price, quantity }) => {
        const foreign = chance(draw, 0.35);
        return [week, foreign ? "USD" : "EUR", (price * (foreign ? 1.4 : 1)).toFixed(2), quantity.toFixed(1)];
      });
      return oneTier(draw, table("week,currency,price,quantity", rows), 50);
    },
  },
  {
    name: "two currencies without a column",
    kind: "troubled",
    make(draw) {
      const rows = range(24).flatMap((store) =>
        range(30).map((week) => {
          const price = 100 * Math.exp(0.15 * draw.normal());
          const quantity = 50 * Math.exp(effect(price) + 0.3 * draw.normal());
          return [store, week + 1, (price * (store < 6 ? 7.5 : 1)).toFixed(2), quantity.toFixed(1)];
        }),
      );
      return oneTier(draw, table("store,week,price,quantity", rows), 50);
    },
  },
  {
    name: "every row five times",
    kind: "troubled",
    make(draw) {
      const rows = weekly(draw, 60, { noise: 0.5, spread: 0.12 }).map(({ price, quantity }) => [
        price.toFixed(2),
        quantity.toFixed(1),
      ]);
      return oneTier(
        draw,
        table(
          "price,quantity",
          range(5).flatMap(() => rows),
        ),
        50,
      );
    },
  },
  { name: "a store column that is not named so", kind: "troubled", make: (draw) => panelOf(draw, "X7") },
];
