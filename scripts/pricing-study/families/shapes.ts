import { COST, effect, type Family, range, table, underDemand } from "./market.ts";

/** Weekly sales under a demand, at prices around a centre. */
function sales(
  draw: Parameters<Family["make"]>[0],
  demand: (price: number) => number,
  { centre, spread, noise }: { centre: number; spread: number; noise: number },
): string {
  const rows = range(150).map((week) => {
    const price = centre * Math.exp(spread * draw.normal());
    return [week + 1, price.toFixed(2), (demand(price) * Math.exp(noise * draw.normal())).toFixed(1)];
  });
  return table("week,price,quantity", rows);
}

/** Demands of another form than the fit's: seen around today's price, which scatters around the best one. */
function shaped(
  name: string,
  { demand, best }: { demand: (price: number) => number; best: number },
  { spread = 0.15, noise = 0.15 } = {},
): Family {
  return {
    name,
    kind: "troubled",
    make(draw) {
      const today = best * Math.exp(0.1 * draw.normal());
      return underDemand(draw, sales(draw, demand, { centre: today, spread, noise }), demand, { today });
    },
  };
}

const linear = (price: number) => Math.max(0.1, 100 * (1 - price / 160));

export const SHAPES: readonly Family[] = [
  shaped("linear demand", { demand: linear, best: (160 + COST) / 2 }),
  shaped(
    "linear demand, prices seen ±10%",
    { demand: linear, best: (160 + COST) / 2 },
    { spread: 0.05, noise: 0.05 },
  ),
  shaped("logit demand", { demand: (price) => 200 / (1 + Math.exp(0.06 * (price - 95))), best: 90 }),
  {
    name: "a kink at today's price",
    kind: "troubled",
    make(draw) {
      // Buyers notice rises and overlook cuts: the best price is today's or near it.
      const today = 100 * Math.exp(0.1 * draw.normal());
      const demand = (price: number) =>
        50 * Math.exp(effect(100)) * (price / today) ** (price > today ? -4.5 : -1.6);
      const csv = sales(draw, demand, { centre: today, spread: 0.12, noise: 0.15 });
      return underDemand(draw, csv, demand, { today });
    },
  },
];
