import { at } from "./at.ts";
import { evaluateItem, type Outcome, totalOutcome } from "./demand.ts";
import { overallSummary, tierNarrative } from "./explanation-text.ts";
import type {
  Attribution,
  Explanation,
  Factor,
  ItemExplanation,
  Move,
  TierExplanation,
  TraceStep,
} from "./explanation-types.ts";
import { type Format, formatFor } from "./format.ts";
import { type ItemOptimum, optimizeItem } from "./optimize-item.ts";
import { policyCheck } from "./policy.ts";
import { type GameResult, OPEN_REACH, playPriceGame, REACH } from "./price-game.ts";
import { matchProposals, proposedPrices } from "./proposals.ts";
import type { RulePack } from "./rule-pack.ts";
import { type OptimizeSettings, settingsFor } from "./settings.ts";
import { shadowPrices } from "./shadow-prices.ts";
import { statusQuo, type TierBeliefs } from "./status-quo.ts";
import type { Objective, PricingInputs, ProposedItem, ResolvedItem } from "./types.ts";

/** A pricing request with resolved demand, and what to explain. */
export type ExplanationInputs = Omit<PricingInputs, "items"> & {
  items: readonly ResolvedItem[];
  /** Prices to explain, by default the optimum. If given, only items with a proposal are explained. */
  proposed?: readonly ProposedItem[];
  /** The largest number of items to explain: those whose objective moves most. Default 100. */
  max_items?: number;
};

export type ExplanationProgress = { stage: "optimized" | "explained"; done: number; total: number };

export const DEFAULT_MAX_ITEMS = 100;

/**
 * Explains the proposed prices. For every item, attributes each tier's move from the current to the proposed
 * price, and the change of the item's profit, to unit cost, elasticity, demand level and the constraint
 * families by exact Shapley values (`playPriceGame`), and adds the binding rules with their shadow prices.
 *
 * What the optimization does not explain is a factor of its own: `rounding`, and the difference between a
 * proposal and the optimum. That difference is `policy_repair` if the optimum breaks the policy and the
 * proposal does not, else `proposal`.
 *
 * Yields its progress item by item, so that a server can report it and can stop.
 * @param top items that the summary names
 * @throws PricingError as `optimizeItem`; INVALID_ITEM for an item that occurs twice or a proposal for an
 *   unknown item or tier
 */
export function* explainSteps(
  inputs: ExplanationInputs,
  pack: RulePack,
  top?: number,
): Generator<ExplanationProgress, Explanation> {
  const settings = settingsFor(inputs, pack);
  const format = formatFor(inputs);
  const candidates: Candidate[] = [];
  const pairs = matchProposals(inputs.items, inputs.proposed);
  for (const { item, proposal } of pairs) {
    candidates.push(optimized(item, proposal, settings));
    yield { stage: "optimized", done: candidates.length, total: pairs.length };
  }

  const most = inputs.max_items ?? DEFAULT_MAX_ITEMS;
  const chosen = largestMoves(candidates, most, settings.objective);
  const items: ItemExplanation[] = [];
  let solved = 0;
  let binding = 0;
  for (const candidate of chosen) {
    const { explained, game } = explain(candidate, inputs, settings, pack, format);
    items.push(explained);
    solved += game.solved;
    binding += Object.values(explained.tiers).reduce((count, tier) => count + tier.binding.length, 0);
    yield { stage: "explained", done: items.length, total: chosen.length };
  }
  const omitted = candidates.length - chosen.length;
  const summary = overallSummary(items, omitted, settings.objective, format, top);
  return { items, summary, trace: traceOf(candidates, chosen, inputs, settings, solved, binding), omitted };
}

/** Runs `explainSteps` to its end. */
export function explainPrices(inputs: ExplanationInputs, pack: RulePack): Explanation {
  const steps = explainSteps(inputs, pack);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
  }
}

type Prices = Readonly<Record<string, number>>;

type Candidate = {
  readonly item: ResolvedItem;
  readonly optimum: ItemOptimum;
  /** Price by tier name; the optimum if nothing was proposed. */
  readonly proposed: Prices;
  readonly from: Outcome;
  readonly to: Outcome;
};

function optimized(
  item: ResolvedItem,
  proposal: ProposedItem | undefined,
  settings: OptimizeSettings,
): Candidate {
  const optimum = optimizeItem(item, settings);
  const proposed = proposal === undefined ? pricesOf(optimum, "price") : proposedPrices(item, proposal);
  return { item, optimum, proposed, from: outcomeAt(item, {}), to: outcomeAt(item, proposed) };
}

function explain(
  { item, optimum, proposed, from, to }: Candidate,
  inputs: ExplanationInputs,
  settings: OptimizeSettings,
  pack: RulePack,
  format: Format,
): { explained: ItemExplanation; game: GameResult } {
  const quo = statusQuo(item);
  const ideal = pricesOf(optimum, "unrounded");
  const rounded = pricesOf(optimum, "price");
  const game = playPriceGame(item, settings, quo, ideal);
  const shadows = shadowPrices(item, settings);
  const difference = differs(proposed, rounded)
    ? differenceFactor(item, rounded, proposed, inputs, pack)
    : undefined;
  const remainders = (best: number, onGrid: number, final: number): Attribution[] => [
    ...(settings.increment > 0 ? [{ factor: "rounding" as const, value: onGrid - best }] : []),
    ...(difference === undefined ? [] : [{ factor: difference, value: final - onGrid }]),
  ];

  const tiers: Record<string, TierExplanation> = {};
  for (const [name, tier] of Object.entries(optimum.tiers)) {
    const held = item.tiers[name]?.held;
    const beliefs = held ? undefined : quo.beliefs[name];
    const own = game.factors.map((factor, k) => attribution(factor, at(game.prices[name] ?? [], k), beliefs));
    const next = proposed[name] ?? tier.current_price;
    const move: Move = {
      from: tier.current_price,
      to: next,
      attributions: [...own, ...remainders(tier.unrounded, tier.price, next)],
    };
    const reason = held ? item.tiers[name]?.fit?.reason : undefined;
    const explained = {
      price: move,
      binding: shadows[name] ?? [],
      ...(held ? { held } : {}),
      ...(reason === undefined ? {} : { held_reason: reason }),
    };
    tiers[name] = { ...explained, narrative: tierNarrative(name, explained, settings.objective, format) };
  }
  const [unroundedOutcome, roundedOutcome] = [outcomeAt(item, ideal), outcomeAt(item, rounded)];
  const outcomeMove = (what: Objective): Move => ({
    from: from[what],
    to: to[what],
    attributions: [
      ...game.factors.map((factor, k) => ({ factor, value: at(game[what], k) })),
      ...remainders(unroundedOutcome[what], roundedOutcome[what], to[what]),
    ],
  });
  const revenue = settings.objective === "revenue" ? { revenue: outcomeMove("revenue") } : {};
  const rests = { cases: game.stopped, of: game.solved, multiple: REACH, open_multiple: OPEN_REACH };
  const convention = game.stopped > 0 ? { convention: rests } : {};
  const profit = outcomeMove("profit");
  return { explained: { item_id: item.item_id, tiers, profit, ...revenue, ...convention }, game };
}

function attribution(factor: Factor, value: number, beliefs: TierBeliefs | undefined): Attribution {
  if (beliefs === undefined) return { factor, value };
  if (factor === "unit_cost") return { factor, value, ...beliefs.unitCost };
  if (factor === "elasticity") return { factor, value, ...beliefs.elasticity };
  if (factor === "demand_level") return { factor, value, ...beliefs.level };
  return { factor, value };
}

/**
 * `policy_repair` if the optimum breaks the policy and the proposal passes it;
 * otherwise the caller chose other prices.
 */
function differenceFactor(
  item: ResolvedItem,
  optimum: Prices,
  proposed: Prices,
  inputs: ExplanationInputs,
  pack: RulePack,
): Factor {
  const passes = (prices: Prices) =>
    policyCheck({ ...policySettings(inputs), items: [item], proposed: [proposalOf(item, prices)] }, pack)
      .passed;
  return !passes(optimum) && passes(proposed) ? "policy_repair" : "proposal";
}

function policySettings(inputs: ExplanationInputs) {
  const { tier_order, min_gap, thresholds, max_change_pct, price_increment } = inputs;
  return {
    ...(min_gap === undefined ? {} : { min_gap }),
    ...(tier_order === undefined ? {} : { tier_order }),
    ...(thresholds === undefined ? {} : { thresholds }),
    ...(max_change_pct === undefined ? {} : { max_change_pct }),
    ...(price_increment === undefined ? {} : { price_increment }),
  };
}

function proposalOf(item: ResolvedItem, prices: Prices): ProposedItem {
  const tiers = Object.entries(prices).map(([name, price]) => [name, { price }] as const);
  return { item_id: item.item_id, tiers: Object.fromEntries(tiers) };
}

function largestMoves(
  candidates: readonly Candidate[],
  most: number,
  objective: Objective,
): readonly Candidate[] {
  if (candidates.length <= most) return candidates;
  const size = ({ from, to }: Candidate) => Math.abs(to[objective] - from[objective]);
  const chosen = new Set([...candidates].sort((a, b) => size(b) - size(a)).slice(0, most));
  return candidates.filter((candidate) => chosen.has(candidate));
}

function traceOf(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  inputs: ExplanationInputs,
  settings: OptimizeSettings,
  solved: number,
  binding: number,
): TraceStep[] {
  const held = candidates.flatMap(({ item }) => Object.values(item.tiers)).filter((tier) => tier.held).length;
  const families = [...settings.enforce].join(", ") || "none";
  return [
    {
      step: "optimize",
      detail: `${candidates.length} items optimized for ${settings.objective}; constraints: ${families}; ${held} of their tiers held.`,
    },
    {
      step: "select",
      detail: `${chosen.length} of ${candidates.length} items explained, those whose ${settings.objective} moves most.`,
    },
    {
      step: "compare",
      detail:
        inputs.proposed === undefined ? "The optimum is explained." : "The proposed prices are explained.",
    },
    {
      step: "baseline",
      detail: `Implied by today's prices: one markup per item (Lerner rule), evenly spread demand, no constraints. Where a case has no best price, it stops at ${REACH} times the higher (a ${REACH}th of the lower) of today's and the recommended price, or ${OPEN_REACH} times (half) where the ${settings.objective} rises without end.`,
    },
    {
      step: "attribute",
      detail: `Exact Shapley values over all coalitions of factors; ${solved} optimizations.`,
    },
    { step: "bind", detail: `${binding} binding constraints with shadow prices.` },
  ];
}

function pricesOf(optimum: ItemOptimum, which: "price" | "unrounded"): Prices {
  return Object.fromEntries(Object.entries(optimum.tiers).map(([name, tier]) => [name, tier[which]]));
}

function outcomeAt(item: ResolvedItem, prices: Prices): Outcome {
  return totalOutcome(evaluateItem(item, prices));
}

function differs(a: Prices, b: Prices): boolean {
  return Object.entries(a).some(([name, price]) => price !== b[name]);
}
