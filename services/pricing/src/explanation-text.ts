import type { Attribution, Factor, ItemExplanation, Move, TierExplanation } from "./explanation-types.ts";
import type { Format } from "./format.ts";
import type { ShadowPrice } from "./shadow-prices.ts";
import type { Objective } from "./types.ts";

/** Each factor with the baseline that its effect is measured against. */
const FACTOR_WORDS: Readonly<Record<Factor, string>> = {
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
  rounding: "rounding to the increment, against the exact optimum",
  policy_repair: "the policy repair, against the optimum",
  proposal: "the proposal itself, against the optimum",
};

/** Factors whose words take a plural verb. */
const PLURAL: ReadonlySet<Factor> = new Set(["bounds", "gaps"]);

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
  const { price, binding, held } = explained;
  const stays = same(price.from, price.to);
  const move = stays
    ? `${tier} stays at ${format.price(price.from)}`
    : `${tier} moves from ${format.price(price.from)} today to ${format.price(price.to)} (${change(price, format)})`;
  if (held && stays) return `${move}: ${heldText(explained)}.`;
  const drivers = mentioned(price.attributions).map((one) => {
    const own = belief(one, format);
    return `${FACTOR_WORDS[one.factor]}${own}, ${effect(one, format)}`;
  });
  const sentences = [
    stays && !proposedOtherwise(price) ? `${move}, the best price under the rules.` : `${move}.`,
  ];
  if (drivers.length > 0) sentences.push(`${capital(drivers.join("; "))}.`);
  for (const rule of binding) sentences.push(bindingSentence(rule, price.to, objective, format));
  return sentences.join(" ");
}

/** Why a price is held. */
export function heldText({ held_reason }: Pick<TierExplanation, "held_reason">): string {
  const why = held_reason === undefined ? "" : ` (${held_reason})`;
  return `it is held, because the data do not tell how demand answers to its price${why}`;
}

/** One sentence on the item's profit or revenue. */
export function itemNarrative(item: ItemExplanation, objective: Objective, format: Format): string {
  const move = moveOf(item, objective);
  if (same(move.from, move.to))
    return `${item.item_id}: ${objective} stays at ${format.money(move.from)} per period, as at today's prices.`;
  return `${item.item_id}: ${objective} per period moves from ${format.money(move.from)} at today's prices to ${format.money(move.to)} (${change(move, format)})${drivers(move.attributions, format)}.`;
}

/** A summary of all items; details only for the three whose profit (or revenue) moves most, and for held prices. */
export function overallSummary(
  items: readonly ItemExplanation[],
  omitted: number,
  objective: Objective,
  format: Format,
): string {
  const gain = (item: ItemExplanation) => moveOf(item, objective).to - moveOf(item, objective).from;
  const shown = [...items].sort((a, b) => Math.abs(gain(b)) - Math.abs(gain(a))).slice(0, MOST_MENTIONED);
  const sentences = shown.map((item) => itemNarrative(item, objective, format));
  if (items.length !== 1) {
    const total = sum(items.map(gain));
    const all = drivers(totals(items.map((item) => moveOf(item, objective))), format);
    sentences.unshift(
      `${format.count(items.length)} items explained: against today's prices ${objective} per period changes by ${format.signedMoney(total)}${all}.`,
    );
  }
  sentences.push(...heldSentences(items, format), ...conventionSentences(items, format));
  if (omitted === 1) sentences.push(`1 further item moves ${objective} less and is not explained.`);
  if (omitted > 1)
    sentences.push(`${format.count(omitted)} further items move ${objective} less and are not explained.`);
  return sentences.join(" ");
}

function heldSentences(items: readonly ItemExplanation[], format: Format): string[] {
  const held = items.flatMap(({ item_id, tiers }) =>
    Object.entries(tiers).flatMap(([name, tier]) =>
      tier.held && same(tier.price.from, tier.price.to) ? [{ name: `${item_id} ${name}`, tier }] : [],
    ),
  );
  const [first] = held;
  if (first === undefined) return [];
  if (held.length === 1) return [`${first.name} is not changed: ${heldText(first.tier)}.`];
  const named = held
    .slice(0, MOST_MENTIONED)
    .map(({ name, tier }) => (tier.held_reason === undefined ? name : `${name} (${tier.held_reason})`));
  const more = held.length > named.length ? ["others"] : [];
  return [
    `${format.count(held.length)} prices are not changed, because the data do not tell how demand answers to them: ${format.list([...named, ...more])}.`,
  ];
}

function conventionSentences(items: readonly ItemExplanation[], format: Format): string[] {
  const touched = items.filter(({ convention }) => convention !== undefined).length;
  if (touched === 0) return [];
  return [
    `The attribution of ${format.counted(touched, "item", "items")} rests on a convention: where a hypothetical case has no best price, because no rule limits it, the price is taken to stop at a fixed multiple of today's and the proposed one (\`convention\`).`,
  ];
}

/** Whether the price is what a proposal or the policy made it, and not the optimum. */
function proposedOtherwise({ attributions }: Move): boolean {
  return attributions.some(({ factor }) => factor === "proposal" || factor === "policy_repair");
}

function moveOf({ profit, revenue }: ItemExplanation, objective: Objective): Move {
  return objective === "revenue" ? (revenue ?? profit) : profit;
}

function drivers(attributions: readonly Attribution[], format: Format): string {
  const parts = mentioned(attributions).map(
    (one) => `${format.signedMoney(one.value)} from ${FACTOR_WORDS[one.factor]}`,
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
  if (factor === "elasticity") return ` (${format.number(actual)} against ${format.number(baseline)})`;
  if (factor === "unit_cost") return ` (${format.money(actual)} against ${format.money(baseline)})`;
  return "";
}

function effect({ factor, value }: Attribution, format: Format): string {
  const [adds, takes] = PLURAL.has(factor) ? ["add", "take"] : ["adds", "takes"];
  return value > 0 ? `${adds} ${format.money(value)}` : `${takes} off ${format.money(-value)}`;
}

function bindingSentence(
  { constraint, shadow_price }: ShadowPrice,
  price: number,
  objective: Objective,
  format: Format,
): string {
  const [rule = "", pair = ""] = constraint.split(":");
  const [higher, lower] = pair.split(">");
  const worth = (value: number) =>
    value > 0 && !same(value, 0)
      ? `would add about ${format.money(value)} to ${objective} per period`
      : `alone would add nothing to ${objective}`;
  if (rule === "gap") {
    return `The minimum gap between ${higher} and ${lower} binds: one percentage point less ${worth(shadow_price * 0.01)}.`;
  }
  if (rule === "gap_amount") {
    return `The minimum gap in money between ${higher} and ${lower} binds: ${format.money(1)} less ${worth(shadow_price)}.`;
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
  observed_range_min: "lowest price observed in the data",
  observed_range_max: "highest price observed in the data",
};

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
