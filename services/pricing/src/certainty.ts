import { at } from "./at.ts";
import { constantElasticityDemand, evaluateItem, tierOf, totalOutcome } from "./demand.ts";
import { changeUnder } from "./demand-form.ts";
import { studentTQuantile } from "./student-t.ts";
import { logitModels } from "./substitution/joint.ts";
import { costFor } from "./terms.ts";
import type { CurvedFit, JointDemand, Objective, ResolvedItem } from "./types.ts";

/** What moving to other prices gains per period (money): as estimated, and at the cautious end of the 95% interval. */
export type Gain = { readonly expected: number; readonly cautious: number };

type Prices = Readonly<Record<string, number>>;

/**
 * The gain of an item over today's prices.
 *
 * Constant elasticities: the gain is monotone in each elasticity (the reference price is today's, so the level
 * only scales it), so the adverse end of its interval gives the cautious gain; the shortfalls of several tiers,
 * whose estimates have separate errors, add up in quadrature. For one tier: if the truth lies within the
 * interval, a positive cautious gain is no loss. Tiers without a fit count as known. Where independence of the
 * tiers is assumed, the smaller gain without and with plausible diversion counts.
 *
 * Tiers that were fitted together: by the delta method from the covariance of all parameters of the joint fit.
 */
export function gainOf(item: ResolvedItem, prices: Prices, objective: Objective): Gain {
  if (item.joint !== undefined) return jointGain(item, item.joint, prices, objective);
  const diversions = [
    0,
    ...(item.substitution?.diversion === undefined ? [] : [item.substitution.diversion]),
  ];
  const gains = diversions.map((diversion) => elasticGain(item, prices, objective, diversion));
  return gains.reduce((worst, one) => (one.cautious < worst.cautious ? one : worst));
}

/** Where the rows reject the model, what elasticities that change with all prices say counts, unless it is more. */
function jointGain(item: ResolvedItem, joint: JointDemand, prices: Prices, objective: Objective): Gain {
  const gain =
    joint.model === "logit"
      ? logitGain(item, joint, prices, objective)
      : crossGain(item, joint, prices, objective);
  const { curved, names } = joint;
  const rejected = joint.model === "logit" ? curved?.rejectsLogit : curved?.rejectsConstant;
  if (curved === undefined || !rejected) return gain;
  const { cautious } = curvedGain(item, curved, names, prices, objective);
  return { expected: gain.expected, cautious: Math.min(gain.cautious, cautious) };
}

/** By the delta method from the covariance of all coefficients, as for cross-price effects. */
function curvedGain(
  item: ResolvedItem,
  { centres, coefficients, factors, degreesOfFreedom }: CurvedFit,
  names: readonly string[],
  prices: Prices,
  objective: Objective,
): Gain {
  const today = evaluateItem(item, {});
  const tiers = names.map((name) => {
    const { current_price, unit_cost } = tierOf(item, name);
    const cost = costFor(objective, unit_cost);
    const price = prices[name] ?? current_price;
    return {
      sold: today[name]?.demand ?? 0,
      price,
      current_price,
      before: current_price - cost,
      after: price - cost,
    };
  });
  const [from, to] = (["current_price", "price"] as const).map((which) => {
    const z = tiers.map((tier, j) => Math.log(tier[which]) - at(centres, j));
    return [...z, ...z.flatMap((left, a) => z.slice(a).map((right) => left * right))];
  });
  const changes = (to ?? []).map((value, k) => value - at(from ?? [], k));
  let expected = 0;
  const gradient = tiers.flatMap(({ sold, before, after }, i) => {
    const log = changes.reduce((sum, change, k) => sum + change * at(at(coefficients, i), k), 0);
    const earned = sold * Math.exp(log) * after;
    expected += earned - sold * before;
    return changes.map((change) => earned * change);
  });
  const variance = factors.reduce(
    (sum, factor) => sum + factor.reduce((part, value, k) => part + value * at(gradient, k), 0) ** 2,
    0,
  );
  const reach = studentTQuantile(0.975, degreesOfFreedom) * Math.sqrt(variance);
  return { expected, cautious: expected - reach };
}

/**
 * Cross-price effects: by the delta method from the covariance of all elasticities. Where margins are positive the
 * gain is convex in the elasticities, so that its tangent lies below it.
 */
function crossGain(
  item: ResolvedItem,
  { cross, names }: Extract<JointDemand, { model: "cross_price" }>,
  prices: Prices,
  objective: Objective,
): Gain {
  const expected = gainUnder(item, prices, objective, 0);
  const next = evaluateItem(item, prices);
  const moves = names.map((name) => {
    const { current_price } = tierOf(item, name);
    return Math.log((prices[name] ?? current_price) / current_price);
  });
  const gradient = names.flatMap((name) => {
    const { current_price, unit_cost } = tierOf(item, name);
    const margin = (prices[name] ?? current_price) - costFor(objective, unit_cost);
    return moves.map((move) => (next[name]?.demand ?? 0) * margin * move);
  });
  const variance = cross.factors.reduce(
    (sum, factor) => sum + factor.reduce((part, value, k) => part + value * at(gradient, k), 0) ** 2,
    0,
  );
  const reach = studentTQuantile(0.975, cross.degreesOfFreedom) * Math.sqrt(variance);
  return { expected, cautious: expected - reach };
}

function elasticGain(item: ResolvedItem, prices: Prices, objective: Objective, diversion: number): Gain {
  if (diversion === 0) return separateGain(item, prices, objective);
  const expected = gainUnder(item, prices, objective, diversion);
  let squares = 0;
  for (const [name, tier] of Object.entries(item.tiers)) {
    const interval = tier.fit?.interval;
    const { demand } = tier;
    if (interval === undefined || demand.model !== "constant_elasticity" || tier.held) continue;
    const reach = (interval.high - interval.low) / 2;
    const ends = [demand.elasticity - reach, demand.elasticity + reach].map((elasticity) => {
      const tiers = { ...item.tiers, [name]: { ...tier, demand: { ...demand, elasticity } } };
      return gainUnder({ ...item, tiers }, prices, objective, diversion);
    });
    squares += Math.max(0, expected - Math.min(at(ends, 0), at(ends, 1))) ** 2;
  }
  return { expected, cautious: expected - Math.sqrt(squares) };
}

/** `elasticGain` of tiers that do not affect each other, for which only the tier's own demand is needed. */
function separateGain(item: ResolvedItem, prices: Prices, objective: Objective): Gain {
  let expected = 0;
  let squares = 0;
  for (const name in item.tiers) {
    const { demand, unit_cost, current_price, fit, forms, held } = tierOf(item, name);
    const price = prices[name] ?? current_price;
    if (demand.model !== "constant_elasticity" || price === current_price) continue;
    const cost = costFor(objective, unit_cost);
    const sold = constantElasticityDemand(demand, current_price);
    const gainAt = (change: number) => sold * (Math.exp(change) * (price - cost) - (current_price - cost));
    const move = Math.log(price / current_price);
    const gain = gainAt(demand.elasticity * move);
    expected += gain;
    if (fit?.interval === undefined || held) continue;
    const reach = (fit.interval.high - fit.interval.low) / 2;
    const plausible = forms?.filter((one) => one.plausible) ?? [];
    const ends =
      plausible.length === 0
        ? [-reach, reach].map((by) => (demand.elasticity + by) * move)
        : plausible.flatMap((form) => {
            const { low, high } = changeUnder(form, current_price, price);
            return [low, high];
          });
    const worst = Math.min(...ends.map(gainAt));
    squares += Math.max(0, gain - worst) ** 2;
  }
  return { expected, cautious: expected - Math.sqrt(squares) };
}

/**
 * The gain if a share of the buyers whom each tier loses goes to the other tiers, in proportion to their sales
 * today, and pays the new prices there.
 */
function gainUnder(item: ResolvedItem, prices: Prices, objective: Objective, diversion: number): number {
  const today = evaluateItem(item, {});
  const next = evaluateItem(item, prices);
  const gain = totalOutcome(next)[objective] - totalOutcome(today)[objective];
  if (diversion === 0) return gain;
  const tiers = Object.entries(item.tiers).map(([name, tier]) => ({
    sold: today[name]?.demand ?? 0,
    lost: (today[name]?.demand ?? 0) - (next[name]?.demand ?? 0),
    margin: (prices[name] ?? tier.current_price) - costFor(objective, tier.unit_cost),
  }));
  const all = tiers.reduce((sum, { sold }) => sum + sold, 0);
  return tiers.reduce((sum, { lost, sold }, i) => {
    const others = all - sold;
    if (!(others > 0)) return sum;
    const elsewhere = tiers.reduce((total, one, j) => (j === i ? total : total + one.sold * one.margin), 0);
    return sum + (diversion * lost * elsewhere) / others;
  }, gain);
}

function logitGain(
  item: ResolvedItem,
  { logit, names }: Extract<JointDemand, { model: "logit" }>,
  prices: Prices,
  objective: Objective,
): Gain {
  const gainAt = (parameters: readonly number[]) => {
    const models = logitModels(parameters);
    const tiers = Object.entries(item.tiers).map(([name, tier]) => {
      const demand = models[names.indexOf(name)];
      return [name, demand === undefined ? tier : { ...tier, demand }] as const;
    });
    return gainUnder({ ...item, tiers: Object.fromEntries(tiers) }, prices, objective, 0);
  };
  const expected = gainAt(logit.parameters);
  const gradient = logit.parameters.map((value, k) => {
    const step = 1e-5 * Math.max(Math.abs(value), 1e-3);
    const ends = [step, -step].map((by) => gainAt(logit.parameters.with(k, value + by)));
    return (at(ends, 0) - at(ends, 1)) / (2 * step);
  });
  let variance = 0;
  logit.covariance.forEach((row, i) => {
    row.forEach((value, j) => {
      variance += value * at(gradient, i) * at(gradient, j);
    });
  });
  const reach = studentTQuantile(0.975, logit.degreesOfFreedom) * Math.sqrt(Math.max(0, variance));
  return { expected, cautious: expected - reach };
}
