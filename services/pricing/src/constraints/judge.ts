import { gapHolds, same } from "../compare.ts";
import type { MinGap } from "../gap.ts";
import { policySteps } from "../policy.ts";
import type { PolicyItem, PolicyTier } from "../policy-types.ts";
import type { RulePack } from "../rule-pack.ts";
import { DEFAULT_INCREMENT, settingsFor } from "../settings.ts";
import type { ProposedItem } from "../types.ts";
import { amountOf, type PriceRule, priceRule } from "./amounts.ts";
import type { OrderConstraint } from "./constraint.ts";
import { type ItemSelector, itemSelector, scopeOf, type TierSelector, tierSelector } from "./selection.ts";
import type { OrderCheck, OrderCheckInputs, OrderVerdict } from "./types.ts";
import { Findings } from "./verdicts.ts";

/** Slots that prices cannot show: the goal for which they were chosen, their period, and assumed costs. */
const NOT_CHECKABLE = new Set(["objective", "period", "cost_move"]);

/** Most items that a partial order offers: longer lists are not readable. */
const MOST_OFFERED = 200;

/** How one constraint is judged. */
type Judge =
  | { kind: "items"; selects: ItemSelector }
  | { kind: "tiers"; selects: TierSelector }
  | { kind: "prices"; keeps: PriceRule; inScope: (item: PolicyItem, tier: string) => boolean }
  | { kind: "gaps"; gap: MinGap; inScope: (item: PolicyItem, tier: string) => boolean }
  | { kind: "settled"; verdict: "kept" | "unknown" | "not_checkable" };

/** The assumed unit cost, from today's. */
type SupposedCost = (item: PolicyItem, tier: string, cost: number) => number;

/** Stands for the selection of items where no constraint selects any. */
const ALL_ITEMS: OrderConstraint = { slot: "items", op: "clear" };

/**
 * Judges whether a payload is what was said: it has exactly the items that are selected, every other tier stays as it is today, and every
 * price keeps every limit. It looks at the payload, what was said and today's catalogue alone, and at nothing that made the proposal.
 * Fails closed: a constraint that nothing here knows does not pass.
 */
export function judgeOrder(inputs: OrderCheckInputs, pack: RulePack): OrderCheck {
  const steps = judgeSteps(inputs, pack);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** `judgeOrder` as a generator that yields after each item, so that callers can pause. */
export function* judgeSteps(inputs: OrderCheckInputs, pack: RulePack): Generator<void, OrderCheck> {
  const { proposed } = inputs;
  const items = inputs.items.map((item) => withContext(item, inputs));
  const constraints = inputs.constraints.some(({ slot, op }) => slot === "items" && op !== "clear")
    ? inputs.constraints
    : [...inputs.constraints, ALL_ITEMS];
  const violating = yield* violatingToday(inputs, pack);
  const judged = constraints.map((constraint) => ({
    constraint,
    judge: judgeOf(constraint, inputs, violating),
  }));
  const supposedCost = supposedCosts(inputs.constraints);
  const { rank } = settingsFor(inputs, pack);
  const findings = new Findings(judged.length, inputs.failures ?? []);
  const selection = constraints.findIndex(({ slot }) => slot === "items");

  const payload = new Map<string, ProposedItem>();
  for (const proposal of proposed) {
    if (payload.has(proposal.item_id)) findings.broken(selection, proposal.item_id);
    payload.set(proposal.item_id, proposal);
  }
  const known = new Set<string>();
  for (const item of items) {
    if (known.has(item.item_id)) findings.broken(selection, item.item_id);
    known.add(item.item_id);
    judgeItem(item, payload.get(item.item_id), { judged, supposedCost, rank }, findings, selection);
    yield;
  }
  for (const id of payload.keys()) if (!known.has(id)) findings.broken(selection, id);

  const verdicts = judged.map(({ constraint, judge }, at): OrderVerdict => {
    const settled = judge.kind === "settled" ? judge.verdict : "kept";
    return findings.verdict(at, constraint.slot, settled);
  });
  const passed = verdicts.every(({ verdict }) => verdict === "kept" || verdict === "not_checkable");
  const onlyIncomplete = verdicts.every(({ verdict }) => verdict !== "broken" && verdict !== "unknown");
  const complete = onlyIncomplete ? [...payload.keys()].filter((id) => !findings.isMissing(id)) : [];
  const isOffered = !passed && complete.length > 0 && complete.length <= MOST_OFFERED;
  return { passed, verdicts, ...(isOffered ? { complete_for: complete } : {}) };
}

function judgeItem(
  item: PolicyItem,
  proposal: ProposedItem | undefined,
  {
    judged,
    supposedCost,
    rank,
  }: { judged: readonly { judge: Judge }[]; supposedCost: SupposedCost; rank: ReadonlyMap<string, number> },
  findings: Findings,
  selection: number,
): void {
  const today = new Map(Object.entries(item.tiers).map(([name, tier]) => [name.toLowerCase(), tier]));
  const prices = new Map(
    Object.entries(proposal?.tiers ?? {}).map(([name, { price }]) => [name.toLowerCase(), price]),
  );
  const changes = (tier: string): boolean => {
    const price = prices.get(tier);
    return price !== undefined && !same(price, today.get(tier)?.current_price ?? Number.NaN);
  };
  let isWanted = true;
  for (const [at, { judge }] of judged.entries()) {
    if (judge.kind === "gaps" && !keepsGaps(item, judge, { today, prices, rank }))
      findings.broken(at, item.item_id);
    if (judge.kind !== "items") continue;
    const selected = judge.selects(item);
    if (selected === "wanted") continue;
    isWanted = false;
    if (selected === "unwanted" ? proposal !== undefined : [...prices.keys()].some(changes))
      findings.broken(at, item.item_id);
  }
  for (const tier of prices.keys()) if (!today.has(tier)) findings.broken(selection, item.item_id);
  for (const [tier, current] of today) {
    let isSelected = isWanted;
    for (const [at, { judge }] of judged.entries()) {
      if (judge.kind !== "tiers" || judge.selects(item, tier)) continue;
      isSelected = false;
      if (changes(tier)) findings.broken(at, item.item_id);
    }
    if (!isSelected) continue;
    const price = prices.get(tier);
    if (price === undefined) findings.missing(selection, item.item_id);
    else {
      const { unit_cost: cost } = current;
      const supposed =
        cost === undefined ? current : { ...current, unit_cost: supposedCost(item, tier, cost) };
      for (const [at, { judge }] of judged.entries())
        if (judge.kind === "prices" && judge.inScope(item, tier) && !judge.keeps(price, supposed))
          findings.broken(at, item.item_id);
    }
  }
}

/** Whether neighbouring prices, of which at least one changes, keep the minimum gap. */
function keepsGaps(
  item: PolicyItem,
  { gap, inScope }: Extract<Judge, { kind: "gaps" }>,
  {
    today,
    prices,
    rank,
  }: {
    today: ReadonlyMap<string, PolicyTier>;
    prices: ReadonlyMap<string, number>;
    rank: ReadonlyMap<string, number>;
  },
): boolean {
  const rankOf = (tier: string) => rank.get(tier) ?? Number.NaN;
  const tiers = [...today.keys()].sort((a, b) => rankOf(a) - rankOf(b));
  return tiers.every((lower, at) => {
    const higher = tiers[at - 1];
    if (higher === undefined || rankOf(lower) - rankOf(higher) !== 1) return true;
    if (!inScope(item, lower) || !inScope(item, higher)) return true;
    if (!prices.has(lower) && !prices.has(higher)) return true;
    const priceOf = (tier: string) => prices.get(tier) ?? today.get(tier)?.current_price ?? Number.NaN;
    return gapHolds(priceOf(higher), priceOf(lower), gap);
  });
}

/** Items without a region or segment have those of the request. */
function withContext(item: PolicyItem, { region, segment }: OrderCheckInputs): PolicyItem {
  if (region === undefined && segment === undefined) return item;
  const whole = { ...item };
  if (region !== undefined) whole.region ??= region;
  if (segment !== undefined) whole.segment ??= segment;
  return whole;
}

function judgeOf(
  constraint: OrderConstraint,
  inputs: OrderCheckInputs,
  violating: ReadonlySet<string>,
): Judge {
  const { slot, op } = constraint;
  if (op === "clear") return { kind: "settled", verdict: "kept" };
  if (NOT_CHECKABLE.has(slot)) return { kind: "settled", verdict: "not_checkable" };
  if (slot === "only_violating") return onlyViolating(constraint, violating);
  const items = itemSelector(constraint);
  if (items) return { kind: "items", selects: items };
  const tiers = tierSelector(constraint);
  if (tiers) return { kind: "tiers", selects: tiers };
  const gap = slot === "gap" && op === "set" ? gapOf(constraint) : undefined;
  if (gap !== undefined) return { kind: "gaps", gap, inScope: scopeOf(constraint) };
  const keeps = priceRule(constraint, incrementOf(inputs));
  return keeps
    ? { kind: "prices", keeps, inScope: scopeOf(constraint) }
    : { kind: "settled", verdict: "unknown" };
}

function gapOf({ value, unit }: OrderConstraint): MinGap | undefined {
  if (typeof value !== "number" || value < 0) return undefined;
  return unit === "money" ? { amount: value } : value;
}

function onlyViolating({ op, value }: OrderConstraint, violating: ReadonlySet<string>): Judge {
  if (op === "set" && value === false) return { kind: "settled", verdict: "kept" };
  if (op !== "set" || value !== true) return { kind: "settled", verdict: "unknown" };
  return { kind: "items", selects: ({ item_id }) => (violating.has(item_id) ? "wanted" : "unwanted") };
}

/** The items whose prices break a rule of the pack today; empty unless a constraint needs them. */
function* violatingToday(
  { constraints, proposed: _, failures: __, ...today }: OrderCheckInputs,
  pack: RulePack,
): Generator<void, ReadonlySet<string>> {
  if (!constraints.some(({ slot }) => slot === "only_violating")) return new Set();
  const steps = policySteps(today, pack);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return new Set(step.value.violations.map(({ item_id }) => item_id));
    yield;
  }
}

/** The increment to which a move is rounded: that of a constraint, else of the request. */
function incrementOf({ constraints, price_increment = DEFAULT_INCREMENT }: OrderCheckInputs): number {
  const said = constraints.findLast(
    ({ slot, op, scope }) => slot === "rounding" && op === "set" && !scope,
  )?.value;
  return typeof said === "number" ? said : price_increment;
}

/** Unit costs after the order's cost moves, to which minimum margins apply. */
function supposedCosts(constraints: readonly OrderConstraint[]): SupposedCost {
  const moves = constraints
    .filter(({ slot, op }) => slot === "cost_move" && op === "set")
    .map((move) => ({ amount: amountOf(move) ?? 0, unit: move.unit, inScope: scopeOf(move) }));
  return (item, tier, today) =>
    moves.reduce((cost, { amount, unit, inScope }) => {
      if (!inScope(item, tier)) return cost;
      return Math.max(0, unit === "money" ? cost + amount : cost * (1 + amount));
    }, today);
}
