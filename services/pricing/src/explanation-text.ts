import type { Attribution, Factor, ItemExplanation, Move, TierExplanation } from "./explanation-types.ts";
import { money, percent } from "./policy-rules.ts";
import type { ShadowPrice } from "./shadow-prices.ts";
import type { Objective } from "./types.ts";

const FACTOR_WORDS: Readonly<Record<Factor, string>> = {
  unit_cost: "unit cost",
  objective: "pricing for revenue instead of profit",
  elasticity: "price sensitivity",
  demand_level: "the split of demand over the tiers",
  bounds: "the price bounds",
  max_change: "the maximum change",
  ordering: "the tier order",
  gaps: "the minimum gaps",
  rounding: "rounding to the increment",
  policy_repair: "the policy repair",
  proposal: "the proposal's own difference from the optimum",
};

/** Factors whose words take a plural verb. */
const PLURAL: ReadonlySet<Factor> = new Set(["bounds", "gaps"]);

/** A narrative leaves out factors below this share of the largest one. */
const WORTH_MENTION = 0.05;
const MOST_MENTIONED = 3;

/** Two or three sentences on one tier: how its price moves, the main drivers, and the binding rules. */
export function tierNarrative(
  tier: string,
  explained: Omit<TierExplanation, "narrative">,
  objective: Objective,
): string {
  const { price, binding, held } = explained;
  const move = same(price.from, price.to)
    ? `${tier} stays at ${money(price.from)}`
    : `${tier} moves from ${money(price.from)} to ${money(price.to)} (${change(price)})`;
  if (held && same(price.from, price.to))
    return `${move}: the data do not tell how demand answers to its price.`;
  const drivers = mentioned(price.attributions).map(
    (one) => `${FACTOR_WORDS[one.factor]}${belief(one)} ${effect(one)}`,
  );
  const sentences = [`${move}.`];
  if (drivers.length > 0) sentences.push(`${capital(listed(drivers))}.`);
  for (const rule of binding) sentences.push(bindingSentence(rule, price.to, objective));
  return sentences.join(" ");
}

/** One sentence on the item's profit or revenue. */
export function itemNarrative(item: ItemExplanation, objective: Objective): string {
  const move = moveOf(item, objective);
  if (same(move.from, move.to))
    return `${item.item_id}: ${objective} stays at ${amount(move.from)} per period.`;
  return `${item.item_id}: ${objective} per period moves from ${amount(move.from)} to ${amount(move.to)} (${change(move)})${through(move.attributions)}.`;
}

/** A summary of all items; details only for the three whose profit (or revenue) moves most. */
export function overallSummary(
  items: readonly ItemExplanation[],
  omitted: number,
  objective: Objective,
): string {
  const gain = (item: ItemExplanation) => moveOf(item, objective).to - moveOf(item, objective).from;
  const shown = [...items].sort((a, b) => Math.abs(gain(b)) - Math.abs(gain(a))).slice(0, MOST_MENTIONED);
  const sentences = shown.map((item) => itemNarrative(item, objective));
  if (items.length !== 1) {
    const total = sum(items.map(gain));
    const drivers = through(totals(items.map((item) => moveOf(item, objective))));
    sentences.unshift(
      `${items.length} items explained: ${objective} per period changes by ${signed(total)}${drivers}.`,
    );
  }
  if (omitted === 1) sentences.push(`1 further item moves ${objective} less and is not explained.`);
  if (omitted > 1) sentences.push(`${omitted} further items move ${objective} less and are not explained.`);
  return sentences.join(" ");
}

function moveOf({ profit, revenue }: ItemExplanation, objective: Objective): Move {
  return objective === "revenue" ? (revenue ?? profit) : profit;
}

function through(attributions: readonly Attribution[]): string {
  const drivers = mentioned(attributions).map((one) => `${FACTOR_WORDS[one.factor]} (${signed(one.value)})`);
  return drivers.length === 0 ? "" : `, through ${listed(drivers)}`;
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

function belief({ factor, baseline, actual }: Attribution): string {
  if (baseline === undefined || actual === undefined) return "";
  if (factor === "elasticity")
    return ` (elasticity ${digits(actual)}, where today's prices imply ${digits(baseline)})`;
  if (factor === "unit_cost") return ` (${amount(actual)}, where today's prices imply ${amount(baseline)})`;
  return "";
}

function effect({ factor, value }: Attribution): string {
  const [adds, takes] = PLURAL.has(factor) ? ["add", "take"] : ["adds", "takes"];
  return value > 0 ? `${adds} ${amount(value)}` : `${takes} off ${amount(-value)}`;
}

function bindingSentence(
  { constraint, shadow_price }: ShadowPrice,
  price: number,
  objective: Objective,
): string {
  const [rule = "", pair = ""] = constraint.split(":");
  const [higher, lower] = pair.split(">");
  const worth = (value: number) =>
    value > 0 && !same(value, 0)
      ? `would add about ${amount(value)} to ${objective} per period`
      : `alone would add nothing to ${objective}`;
  if (rule === "gap") {
    return `The minimum gap between ${higher} and ${lower} binds: one percentage point less ${worth(shadow_price * 0.01)}.`;
  }
  const what = rule === "ordering" ? `order of ${higher} above ${lower}` : (LIMIT_WORDS[rule] ?? rule);
  return `The ${what} binds: room of 1% of the price ${worth(shadow_price * 0.01 * price)}.`;
}

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  bounds_min: "lower bound",
  bounds_max: "upper bound",
  minimum_margin: "minimum margin over unit cost",
  max_change_down: "maximum change downwards",
  max_change_up: "maximum change upwards",
};

function change({ from, to }: Move): string {
  if (from === 0) return signed(to);
  const share = (to - from) / Math.abs(from);
  return `${share < 0 ? "−" : "+"}${percent(Number(Math.abs(share).toPrecision(3)))}`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${amount(Math.abs(value))}`;
}

/** Two decimals for amounts of at least 1, three significant digits below. */
function amount(value: number): string {
  const size = Math.abs(value);
  const text = size === 0 || size >= 1 ? size.toFixed(2) : String(Number(size.toPrecision(3)));
  return value < 0 ? `−${text}` : text;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3))).replace("-", "−");
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
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
