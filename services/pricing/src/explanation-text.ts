import type { Attribution, Factor, ItemExplanation, Move, TierExplanation } from "./explanation-types.ts";
import type { Format } from "./format.ts";
import type { ShadowPrice } from "./shadow-prices.ts";
import type { Objective } from "./types.ts";

/** A narrative leaves out factors below this share of the largest one. */
const WORTH_MENTION = 0.05;
const MOST_MENTIONED = 3;

/**
 * A few sentences on one tier: how its price moves or why it does not, the main drivers with what each is measured
 * against, and the binding rules.
 */
export function tierNarrative(
  tier: string,
  explained: Omit<TierExplanation, "narrative">,
  objective: Objective,
  format: Format,
): string {
  const { price, binding, held, held_reason } = explained;
  const texts = format.texts.explanation;
  const stays = same(price.from, price.to);
  const move = stays
    ? texts.stays(tier, format.price(price.from))
    : texts.moves(tier, format.price(price.from), format.price(price.to), change(price, format));
  if (held && stays) return texts.heldMove(move, texts.held(held_reason));
  const drivers = mentioned(price.attributions).map((one) => {
    const effect = texts.effect(one.factor, format.money(Math.abs(one.value)), one.value > 0);
    return texts.driver(texts.factor(one.factor), belief(one, format), effect);
  });
  const sentences = [stays && !proposedOtherwise(price) ? texts.best(move) : texts.sentence(move)];
  if (drivers.length > 0) sentences.push(texts.sentence(capital(drivers.join("; "))));
  for (const rule of binding) sentences.push(bindingSentence(rule, price.to, objective, format));
  return sentences.join(" ");
}

/** One sentence on the item's profit or revenue. */
export function itemNarrative(item: ItemExplanation, objective: Objective, format: Format): string {
  const texts = format.texts.explanation;
  const move = moveOf(item, objective);
  const from = format.money(move.from);
  if (same(move.from, move.to)) return texts.itemStays(item.item_id, objective, from);
  return texts.itemMoves(
    { item: item.item_id, objective, from, to: format.money(move.to), change: change(move, format) },
    drivers(move.attributions, format),
  );
}

/** A summary of all items; details only for the few whose profit (or revenue) moves most, and for held prices. */
export function overallSummary(
  items: readonly ItemExplanation[],
  omitted: number,
  objective: Objective,
  format: Format,
  most = MOST_MENTIONED,
): string {
  const gain = (item: ItemExplanation) => moveOf(item, objective).to - moveOf(item, objective).from;
  const shown = [...items].sort((a, b) => Math.abs(gain(b)) - Math.abs(gain(a))).slice(0, most);
  const sentences = shown.map((item) => itemNarrative(item, objective, format));
  if (items.length !== 1) {
    const total = sum(items.map(gain));
    const all = drivers(totals(items.map((item) => moveOf(item, objective))), format);
    sentences.unshift(format.texts.explanation.all(items.length, objective, format.signedMoney(total), all));
  }
  sentences.push(...heldSentences(items, format), ...conventionSentences(items, format));
  if (omitted > 0) sentences.push(format.texts.explanation.omitted(omitted, objective));
  return sentences.join(" ");
}

function heldSentences(items: readonly ItemExplanation[], format: Format): string[] {
  const texts = format.texts.explanation;
  const held = items.flatMap(({ item_id, tiers }) =>
    Object.entries(tiers).flatMap(([name, tier]) =>
      tier.held && same(tier.price.from, tier.price.to) ? [{ name: `${item_id} ${name}`, tier }] : [],
    ),
  );
  const [first] = held;
  if (first === undefined) return [];
  if (held.length === 1) return [texts.notChanged(first.name, texts.held(first.tier.held_reason))];
  const named = held
    .slice(0, MOST_MENTIONED)
    .map(({ name, tier }) => (tier.held_reason === undefined ? name : `${name} (${tier.held_reason})`));
  return [texts.notChangedAll(held.length, named, held.length > named.length)];
}

function conventionSentences(items: readonly ItemExplanation[], format: Format): string[] {
  const touched = items.filter(({ convention }) => convention !== undefined).length;
  return touched === 0 ? [] : [format.texts.explanation.convention(touched)];
}

/** Whether the price is what a proposal or the policy made it, and not the optimum. */
function proposedOtherwise({ attributions }: Move): boolean {
  return attributions.some(({ factor }) => factor === "proposal" || factor === "policy_repair");
}

function moveOf({ profit, revenue }: ItemExplanation, objective: Objective): Move {
  return objective === "revenue" ? (revenue ?? profit) : profit;
}

function drivers(attributions: readonly Attribution[], format: Format): string {
  const { share, factor } = format.texts.explanation;
  const parts = mentioned(attributions).map((one) =>
    share(format.signedMoney(one.value), factor(one.factor)),
  );
  return parts.length === 0 ? "" : `: ${parts.join("; ")}`;
}

function totals(moves: readonly Move[]): Attribution[] {
  const byFactor = new Map<Factor, number>();
  for (const { attributions } of moves) {
    for (const { factor, value } of attributions) byFactor.set(factor, (byFactor.get(factor) ?? 0) + value);
  }
  return [...byFactor].map(([factor, value]) => ({ factor, value }));
}

function mentioned(attributions: readonly Attribution[]): Attribution[] {
  const size = ({ value }: Attribution) => Math.abs(value);
  const largest = Math.max(0, ...attributions.map(size));
  return attributions
    .filter((one) => size(one) > 0 && size(one) >= WORTH_MENTION * largest)
    .sort((a, b) => size(b) - size(a))
    .slice(0, MOST_MENTIONED);
}

function belief({ factor, baseline, actual }: Attribution, format: Format): string {
  if (baseline === undefined || actual === undefined) return "";
  const text = format.texts.explanation.belief;
  if (factor === "elasticity") return text(format.number(actual), format.number(baseline));
  if (factor === "unit_cost") return text(format.money(actual), format.money(baseline));
  return "";
}

function bindingSentence(
  { constraint, shadow_price }: ShadowPrice,
  price: number,
  objective: Objective,
  format: Format,
): string {
  const [rule = "", pair = ""] = constraint.split(":");
  const [higher = "", lower = ""] = pair.split(">");
  const texts = format.texts.explanation;
  const worth = (value: number) => (value > 0 && !same(value, 0) ? format.money(value) : undefined);
  if (rule === "gap") return texts.gapBinds(higher, lower, worth(shadow_price * 0.01), objective);
  if (rule === "gap_amount")
    return texts.amountBinds({ higher, lower, unit: format.money(1) }, worth(shadow_price), objective);
  const limit = rule === "ordering" ? texts.order(higher, lower) : texts.limit(rule);
  return texts.limitBinds(limit, worth(shadow_price * 0.01 * price), objective);
}

function change({ from, to }: Move, format: Format): string {
  if (from === 0) return format.signedMoney(to);
  return format.signedShare((to - from) / Math.abs(from));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
