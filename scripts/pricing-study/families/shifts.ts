import {
  ELASTICITY,
  effect,
  type Family,
  oneTier,
  persistent,
  range,
  table,
  weekly,
  weeklyTable,
} from "./market.ts";

/** What changes while the rows are written: levels, money, stock, habits. */
export const SHIFTS: readonly Family[] = [
  {
    name: "a level break as prices rise",
    kind: "troubled",
    make(draw) {
      const at = 40 + Math.floor(40 * draw.uniform());
      const jump = draw.uniform() < 0.5 ? 0.5 : -0.5;
      const rows = weekly(draw, 120, { spread: 0.08 }).map(({ week, price, quantity }) => {
        const later = week > at;
        const shown = later ? price * 1.2 : price;
        return { week, price: shown, quantity: quantity * (later ? 1.2 ** ELASTICITY * Math.exp(jump) : 1) };
      });
      return oneTier(draw, weeklyTable(rows), 50);
    },
  },
  {
    name: "inflation",
    kind: "troubled",
    make(draw) {
      // Money loses 40% over three years. Demand depends on real prices; today's money is that of the last week.
      const weeks = 156;
      const money = (week: number) => 1.65 ** (week / weeks);
      const rows = weekly(draw, weeks, { spread: 0.12 }).map(({ week, price, quantity }) => ({
        week,
        price: price * money(week),
        quantity,
      }));
      return oneTier(draw, weeklyTable(rows), 50, { unit: money(weeks) });
    },
  },
  ...(["", ",stock"] as const).map(
    (column): Family => ({
      name: column === "" ? "stock-outs without a column" : "stock-outs with a stock column",
      kind: "troubled",
      make(draw) {
        const rows = range(156).map((week) => {
          const price = 100 * Math.exp(0.2 * draw.normal());
          const wanted = draw.poisson(30 * Math.exp(effect(price) + 0.2 * draw.normal()));
          // Deliveries are for regular weeks, so that cheap weeks sell out.
          const stock = 38;
          return [week + 1, price.toFixed(2), Math.min(wanted, stock), ...(column === "" ? [] : [stock])];
        });
        return oneTier(draw, table(`week,price,quantity${column}`, rows), 30);
      },
    }),
  ),
  {
    name: "stockpiling in promotions",
    kind: "troubled",
    make(draw) {
      // Of what a promotion adds, 60% is taken from the next two weeks: the lasting elasticity is smaller.
      let [owed, next] = [0, 0];
      const rows = range(156).map((week) => {
        const promoted = draw.uniform() < 0.2;
        const price = 100 * (promoted ? 0.75 : 1) * Math.exp(0.04 * draw.normal());
        const base = 50 * Math.exp(effect(price) + 0.15 * draw.normal());
        const extra = promoted ? 50 * (0.75 ** -4.5 - 0.75 ** ELASTICITY) : 0;
        const sold = Math.max(1, base + extra - owed);
        [owed, next] = [next + 0.5 * extra, 0.5 * extra];
        return { week: week + 1, price, quantity: sold };
      });
      return oneTier(draw, weeklyTable(rows), 50);
    },
  },
  {
    name: "zero-inflated: closed in 25% of the weeks",
    kind: "troubled",
    make(draw) {
      const rows = range(200).map((week) => {
        const price = 100 * Math.exp(0.2 * draw.normal());
        return [
          week + 1,
          price.toFixed(2),
          draw.uniform() < 0.25 ? 0 : draw.poisson(12 * Math.exp(effect(price))),
        ];
      });
      return oneTier(draw, table("week,price,quantity", rows), 9);
    },
  },
  {
    name: "endogenous: prices follow demand",
    kind: "hidden",
    make(draw) {
      const shocks = persistent(draw, 156);
      const rows = shocks.map((shock, week) => {
        const price = 100 * Math.exp(0.12 * shock + 0.12 * draw.normal());
        return { week: week + 1, price, quantity: 50 * Math.exp(effect(price) + 0.3 * shock) };
      });
      return oneTier(draw, weeklyTable(rows), 50);
    },
  },
  ...([undefined, ["rivals"]] as const).map(
    (said): Family => ({
      name: `a rival whose prices move along${said ? ", as the user says" : ""}`,
      kind: "hidden",
      ...(said === undefined && { open: "no data tell: the answer asks, and nobody answers here" }),
      make(draw) {
        const rows = range(156).map((week) => {
          const rival = 0.15 * draw.normal();
          const price = 100 * Math.exp(0.7 * rival + 0.08 * draw.normal());
          return {
            week: week + 1,
            price,
            quantity: 50 * Math.exp(effect(price) + 1.2 * rival + 0.2 * draw.normal()),
          };
        });
        return oneTier(draw, weeklyTable(rows), 50, said && { fit: { prices_follow: [...said] } });
      },
    }),
  ),
];
