import { numberIn } from "../estimation/columns.ts";
import type { Explanation, ItemExplanation } from "../explanation-types.ts";
import { formatFor } from "../format.ts";
import type { PolicyInputs, PolicyResult, PolicyVerdict } from "../policy-types.ts";
import { stateProblem } from "../problem.ts";
import type { ItemProposal } from "../proposal.ts";
import type { DatasetSource } from "../resolve.ts";
import type { SensitivityReport } from "../sensitivity-report.ts";
import type { OptimizeSettings } from "../settings.ts";
import type { Fit, Item, Objective, PricingInputs, ResolvedItem, ResolvedTier } from "../types.ts";
import { tornadoPicture, waterfallPicture } from "./bars.ts";
import { type CurveParts, demandCurve, profitCurve } from "./curves.ts";
import { ladderPicture, type Rungs } from "./ladder.ts";
import { MOST_PICTURED, type Picture } from "./picture.ts";

/** Demand and profit curves of the tiers whose prices change most: at most three, however many items there are. */
export async function proposalPictures(
  inputs: PricingInputs,
  resolved: readonly ResolvedItem[],
  proposals: readonly ItemProposal[],
  settings: OptimizeSettings,
  datasets: DatasetSource,
): Promise<Picture[]> {
  const resolvedById = new Map(resolved.map((item) => [item.item_id, item]));
  const moves = proposals.flatMap(({ item_id, tiers, safe_step }) =>
    Object.entries(tiers).map(([name, { price, current_price }]) => {
      const best = safe_step?.full_move.prices[name];
      const periods = safe_step?.to_test?.find(({ tier }) => tier === name)?.periods;
      const full =
        best === undefined ? undefined : { price: best, ...(periods !== undefined && { periods }) };
      return { item_id, name, price, full, size: Math.abs((best ?? price) / current_price - 1) };
    }),
  );
  const pictures: Picture[] = [];
  const drawable = moves.filter(({ item_id, name }) => hasCurve(resolvedById.get(item_id)?.tiers[name]));
  for (const { item_id, name, price, full } of largest(drawable)) {
    const item = resolvedById.get(item_id);
    const tier = item?.tiers[name];
    if (item === undefined || tier === undefined) continue;
    const problem = stateProblem(item, settings);
    const i = problem.names.indexOf(name);
    const parts: CurveParts = {
      name: `${item.name ?? item_id}, ${name}`,
      tier,
      proposed: price,
      full,
      range: { low: problem.low[i] ?? 0, high: problem.high[i] ?? Number.POSITIVE_INFINITY },
      points: await observed(
        inputs.items.find((one) => one.item_id === item_id),
        name,
        datasets,
      ),
      currency: inputs.currency,
    };
    pictures.push(...[demandCurve(parts), profitCurve(parts)].filter((one) => one !== undefined));
  }
  return pictures;
}

/** A tier whose demand depends on its own price alone. */
function hasCurve(tier: ResolvedTier | undefined): boolean {
  return tier?.demand.model === "constant_elasticity" && tier.demand.cross === undefined;
}

/** Waterfalls of the items whose objective moves most. */
export function explanationPictures(
  { items }: Explanation,
  objective: Objective,
  inputs: Pick<PricingInputs, "currency" | "locale">,
): Picture[] {
  const format = formatFor(inputs);
  const moveOf = ({ profit, revenue }: ItemExplanation) =>
    objective === "revenue" ? (revenue ?? profit) : profit;
  const moves = items.map((item) => ({ item, size: Math.abs(moveOf(item).to - moveOf(item).from) }));
  return largest(moves.filter(({ size }) => size > 0)).map(({ item }) =>
    waterfallPicture(item.item_id, moveOf(item), objective, inputs.currency, format),
  );
}

/** Tornados of the items that are least certain. */
export function sensitivityPictures(
  { items, objective }: SensitivityReport,
  inputs: Pick<PricingInputs, "currency" | "locale">,
): Picture[] {
  const format = formatFor(inputs);
  const doubts = items.flatMap((item) =>
    item.robustness.score === null || item.tornado === undefined
      ? []
      : [{ id: item.item_id, tornado: item.tornado, size: 1 - item.robustness.score }],
  );
  return largest(doubts).map(({ id, tornado }) =>
    tornadoPicture(id, tornado, objective, inputs.currency, format),
  );
}

/** Ladders of the items with most violations, today's or the proposed; without any, of the first item. */
export function policyPictures(inputs: PolicyInputs, result: PolicyResult): Picture[] {
  const format = formatFor(inputs);
  const items =
    inputs.items ??
    (inputs.prices === undefined
      ? []
      : [
          {
            item_id: inputs.item_id ?? "prices",
            tiers: Object.fromEntries(
              Object.entries(inputs.prices).map(([name, price]) => [name, { current_price: price }]),
            ),
          },
        ]);
  const broken = new Map<string, number>();
  for (const { item_id } of [...result.current.violations, ...(result.proposed?.violations ?? [])])
    broken.set(item_id, (broken.get(item_id) ?? 0) + 1);
  const sized = items.map((item) => ({ item, size: broken.get(item.item_id) ?? 0 }));
  const chosen = broken.size === 0 ? sized.slice(0, 1) : largest(sized.filter(({ size }) => size > 0));
  return chosen.map(({ item }) =>
    ladderPicture(item.item_id, sidesOf(item.item_id, item.tiers, inputs, result), inputs.currency, format),
  );
}

function sidesOf(
  itemId: string,
  tiers: Readonly<Record<string, { current_price: number }>>,
  inputs: PolicyInputs,
  result: PolicyResult,
) {
  const own = ({ violations }: PolicyVerdict) => violations.filter((one) => one.item_id === itemId);
  const today: Rungs = Object.fromEntries(
    Object.entries(tiers).map(([name, tier]) => [name, tier.current_price]),
  );
  const proposal = inputs.proposed?.find((one) => one.item_id === itemId);
  const judged = result.proposed ?? result.current;
  const fixed = fixedPrices(judged, itemId);
  const next = proposal && {
    ...today,
    ...Object.fromEntries(Object.entries(proposal.tiers).map(([name, { price }]) => [name, price])),
  };
  return [
    { label: "today", prices: today, violations: own(result.current) },
    ...(next ? [{ label: "proposed", prices: next, violations: own(judged) }] : []),
    ...(own(judged).length > 0 && fixed ? [{ label: "fixed", prices: fixed, violations: [] }] : []),
  ];
}

function fixedPrices({ fixed_prices }: PolicyVerdict, itemId: string): Rungs | undefined {
  if (!Array.isArray(fixed_prices)) return fixed_prices;
  const found = fixed_prices.find((one) => one.item_id === itemId);
  return found && Object.fromEntries(Object.entries(found.tiers).map(([name, { price }]) => [name, price]));
}

function largest<T extends { readonly size: number }>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => b.size - a.size).slice(0, MOST_PICTURED);
}

/** The sales that a tier's demand was fitted on; none without a fit. */
async function observed(
  item: Item | undefined,
  tier: string,
  datasets: DatasetSource,
): Promise<CurveParts["points"]> {
  const demand = item?.tiers[tier]?.demand;
  if (demand?.model !== "fit") return [];
  const { columns, rows } = await datasets.load(demand.dataset);
  const points: { price: number; quantity: number }[] = [];
  for (let row = 0; row < rows; row++) {
    if (!matches(demand, columns, row)) continue;
    const price = numberIn(columns.get(demand.price)?.[row]);
    const quantity = numberIn(columns.get(demand.quantity)?.[row]);
    if (price > 0 && quantity >= 0) points.push({ price, quantity });
  }
  return points;
}

function matches({ where = {} }: Fit, columns: ReadonlyMap<string, readonly string[]>, row: number): boolean {
  return Object.entries(where).every(([column, wanted]) => {
    const cell = columns.get(column)?.[row] ?? "";
    return typeof wanted === "string" ? cell === wanted : cell !== "" && Number(cell) === wanted;
  });
}
