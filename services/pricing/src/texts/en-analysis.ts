import type { Factor, Numbers, Objective } from "./numbers.ts";

/** Each factor with the baseline that its effect is measured against. */
const FACTORS: Readonly<Record<Factor, string>> = {
  unit_cost: "unit cost, against the cost that today's prices imply",
  objective: "pricing for revenue, against pricing for profit",
  elasticity: "price sensitivity, against the one that today's prices imply",
  demand_level: "the split of demand over the tiers, against an even one",
  bounds: "the price bounds, against none",
  max_change: "the maximum change, against no limit",
  ordering: "the tier order, against no order",
  gaps: "the minimum gaps, against none",
  observed_range: "the range of prices seen in the data, against no such limit",
  substitution:
    "the caution about sales that tiers may take from each other, against tiers taken to be independent",
  caution: "the caution about what the data leave open, against the best prices by the estimates",
  rounding: "rounding to the increment, against the exact optimum",
  policy_repair: "the policy repair, against the optimum",
  proposal: "the proposal itself, against the optimum",
};

/** Factors whose words take a plural verb. */
const PLURAL: ReadonlySet<Factor> = new Set(["bounds", "gaps"]);

const LIMITS: Readonly<Record<string, string>> = {
  bounds_min: "lower bound",
  bounds_max: "upper bound",
  minimum_margin: "minimum margin over unit cost",
  max_change_down: "maximum change downwards",
  max_change_up: "maximum change upwards",
  observed_range_min: "lowest price observed in the data",
  observed_range_max: "highest price observed in the data",
};

/** The sentences of explanations and of sensitivity analyses. */
export function analysisInEnglish(n: Numbers) {
  const worth = (value: string | undefined, objective: Objective) =>
    value === undefined
      ? `alone would add nothing to ${objective}`
      : `would add about ${value} to ${objective} per period`;
  return {
    explanation: {
      factor: (factor: Factor) => FACTORS[factor],
      belief: (actual: string, baseline: string) => ` (${actual} against ${baseline})`,
      effect: (factor: Factor, size: string, rises: boolean) => {
        const [adds, takes] = PLURAL.has(factor) ? ["add", "take"] : ["adds", "takes"];
        return rises ? `${adds} ${size}` : `${takes} off ${size}`;
      },
      driver: (name: string, belief: string, effect: string) => `${name}${belief}, ${effect}`,
      stays: (tier: string, price: string) => `${tier} stays at ${price}`,
      moves: (tier: string, from: string, to: string, change: string) =>
        `${tier} moves from ${from} today to ${to} (${change})`,
      sentence: (text: string) => `${text}.`,
      heldMove: (move: string, why: string) => `${move}: ${why}.`,
      best: (move: string) => `${move}, the best price under the rules.`,
      held: (reason: string | undefined) =>
        `it is held, because the data do not tell how demand answers to its price${reason === undefined ? "" : ` (${reason})`}`,
      itemStays: (item: string, objective: Objective, amount: string) =>
        `${item}: ${objective} stays at ${amount} per period, as at today's prices.`,
      itemMoves: (
        move: { item: string; objective: Objective; from: string; to: string; change: string },
        drivers: string,
      ) =>
        `${move.item}: ${move.objective} per period moves from ${move.from} at today's prices to ${move.to} (${move.change})${drivers}.`,
      share: (amount: string, factor: string) => `${amount} from ${factor}`,
      all: (count: number, objective: Objective, amount: string, drivers: string) =>
        `${n.count(count)} items explained: against today's prices ${objective} per period changes by ${amount}${drivers}.`,
      omitted: (count: number, objective: Objective) =>
        count === 1
          ? `1 further item moves ${objective} less and is not explained.`
          : `${n.count(count)} further items move ${objective} less and are not explained.`,
      notChanged: (name: string, why: string) => `${name} is not changed: ${why}.`,
      notChangedAll: (count: number, named: readonly string[], others: boolean) =>
        `${n.count(count)} prices are not changed, because the data do not tell how demand answers to them: ${n.list([...named, ...(others ? ["others"] : [])])}.`,
      convention: (count: number) =>
        `The attribution of ${n.counted(count, "item", "items")} rests on a convention: where a hypothetical case has no best price, because no rule limits it, the price is taken to stop at a fixed multiple of today's and the proposed one (\`convention\`).`,
      gapBinds: (higher: string, lower: string, value: string | undefined, objective: Objective) =>
        `The minimum gap between ${higher} and ${lower} binds: one percentage point less ${worth(value, objective)}.`,
      amountBinds: (
        pair: { higher: string; lower: string; unit: string },
        value: string | undefined,
        objective: Objective,
      ) =>
        `The minimum gap in money between ${pair.higher} and ${pair.lower} binds: ${pair.unit} less ${worth(value, objective)}.`,
      limitBinds: (limit: string, value: string | undefined, objective: Objective) =>
        `The ${limit} binds: room of 1% of the price ${worth(value, objective)}.`,
      order: (higher: string, lower: string) => `order of ${higher} above ${lower}`,
      limit: (rule: string) => LIMITS[rule] ?? rule,
    },

    sensitivity: {
      allTie: (draws: number) =>
        `In all ${n.count(draws)} draws the recommended prices earn what today's do.`,
      score: (about: {
        score: string;
        draws: number;
        level: string;
        low: string;
        high: string;
        ties: number;
      }) => {
        const tied =
          about.ties === 0
            ? ""
            : `; ${n.counted(about.ties, "draw ties", "draws tie")} and count for neither`;
        return `In ${about.score} of ${n.count(about.draws)} draws the recommended prices beat today's (Wilson interval at ${about.level}: ${about.low} to ${about.high})${tied}.`;
      },
      profitBand: (low: string, high: string, middle: string) =>
        `Profit per period lies between ${low} and ${high} in nine draws of ten, ${middle} in the middle.`,
      changeBand: (objective: Objective, low: string, high: string, middle: string) =>
        `Against today's prices ${objective} changes by ${low} to ${high} in nine draws of ten, ${middle} in the middle.`,
      keep: (count: number) =>
        `${n.counted(count, "item earns", "items earn")} what today's prices do in every draw, which is no loss.`,
      weakest: (item: string, score: string, factor: string | undefined) =>
        `Least certain is ${item}, better in ${score} of its draws${
          factor === undefined
            ? "; no single factor decides whether it beats today's prices"
            : `; whether it beats today's prices depends most on ${factor}`
        }.`,
      elasticity: (tier: string) => `the elasticity of ${tier}`,
      priceCoefficient: "the price coefficient of its tiers",
      cost: "unit cost",
      demand: "the level of demand",
      unbounded: (count: number) =>
        `${n.counted(count, "draw of an item has", "draws of items have")} no largest objective, as no rule limits a price there: that price and its regret count as infinite.`,
      infeasible: (count: number) =>
        `${n.counted(count, "draw of an item has", "draws of items have")} no prices that keep the rules: price bands and regret leave them out.`,
      detailed: (most: number, count: number) =>
        `Tornados and scenarios are given for the ${n.count(most)} least certain of ${n.counted(count, "item", "items")}.`,
      assumed: (all: readonly string[]) => `Assumed, as the request does not say: ${all.join("; ")}.`,
      given: (all: readonly string[]) => `As given: ${all.join("; ")}.`,
      elasticityErrors: (error: string, count: number) =>
        `a standard error of ${error} for ${n.counted(count, "elasticity", "elasticities")} without one`,
      costBelief: (belief: string) => `unit costs ${belief}`,
      demandBelief: (belief: string) => `demand ${belief}`,
      common: (share: string) =>
        `${share} of the variance of cost and demand shocks common to all items, and errors of elasticities independent of each other`,
      uniform: (low: string, high: string) => `uniform between ${low} and ${high}`,
      normal: (mean: string, deviation: string) =>
        `normal around ${mean} with a standard deviation of ${deviation}`,
      lognormal: (median: string, deviation: string) =>
        `lognormal around ${median} with a standard deviation of ${deviation} of the logarithm`,
    },
  };
}
