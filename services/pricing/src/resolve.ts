import type { Dataset } from "./csv.ts";
import { PricingError } from "./errors.ts";
import { columnOf, FEWEST_ROWS, type FittedDemand, fitDemand } from "./fit.ts";
import type { Fit, Item, ResolvedItem, ResolvedTier, Tier } from "./types.ts";

/** Loads datasets by id. `load` throws PricingError UNKNOWN_DATASET or INVALID_DATASET. */
export type DatasetSource = { load(id: string): Promise<Dataset> };

export type Resolved = { items: ResolvedItem[]; warnings: string[] };

/** Resolves the demand of one item at a time; computes equal fits once. */
export type ItemResolver = (item: Item) => Promise<{ item: ResolvedItem; warnings: string[] }>;

/**
 * Replaces every `fit` demand of an item by the fitted model with the tier's current price as its reference
 * price. Tiers whose elasticity is not identified are `held` at their current price, with a warning.
 * @throws (from the resolver) PricingError UNKNOWN_DATASET, INVALID_DATASET or NO_USABLE_ROWS with item and
 *   tier; INVALID_ITEM for an item_id that it has already resolved
 */
export function itemResolver(datasets: DatasetSource): ItemResolver {
  const fits = fitter(datasets);
  const met = new Set<string>();
  return async (item) => {
    if (met.has(item.item_id)) {
      throw new PricingError("INVALID_ITEM", `Item ${item.item_id} occurs twice.`, {
        item_id: item.item_id,
        constraint: "item_id",
      });
    }
    met.add(item.item_id);
    if (isResolved(item)) return { item, warnings: [] };
    const warnings: string[] = [];
    const tiers: Record<string, ResolvedTier> = {};
    for (const [name, tier] of Object.entries(item.tiers)) {
      tiers[name] = await resolveTier(item.item_id, name, tier, fits, warnings);
    }
    return { item: { ...item, tiers }, warnings };
  };
}

/** Resolves all items with one `itemResolver`. */
export async function resolveItems(items: readonly Item[], datasets: DatasetSource): Promise<Resolved> {
  const resolve = itemResolver(datasets);
  const resolved: Resolved = { items: [], warnings: [] };
  for (const item of items) {
    const one = await resolve(item);
    resolved.items.push(one.item);
    resolved.warnings.push(...one.warnings);
  }
  return resolved;
}

function isResolved(item: Item): item is ResolvedItem {
  for (const name in item.tiers) if (item.tiers[name]?.demand.model === "fit") return false;
  return true;
}

async function resolveTier(
  itemId: string,
  name: string,
  tier: Tier,
  fits: (spec: Fit) => Promise<FittedDemand>,
  warnings: string[],
): Promise<ResolvedTier> {
  const { demand, ...rest } = tier;
  if (demand.model !== "fit") return { ...rest, demand };
  const fitted = await fits(demand).catch((error: unknown) => {
    throw located(error, itemId, name);
  });
  const { report, omitted } = fitted;
  const where = `Item ${itemId}, tier ${name}:`;
  if (report.dropped_rows > 0) {
    warnings.push(
      `${where} ${report.dropped_rows} rows without a positive price and quantity and readable controls were dropped.`,
    );
  }
  if (omitted.length > 0) {
    warnings.push(`${where} control ${omitted.join(", ")} is constant or collinear and was left out.`);
  }
  const resolved: ResolvedTier = { ...rest, demand: fitted.demandAt(tier.current_price), fit: report };
  if (report.identified) return resolved;
  warnings.push(
    `${where} the elasticity is not identified (${reasonOf(fitted)}); the current price is kept.`,
  );
  return { ...resolved, held: true };
}

function reasonOf({ report }: FittedDemand): string {
  if (report.interval === undefined) return "the price does not vary enough";
  if (report.n < FEWEST_ROWS) return `${report.n} rows, ${FEWEST_ROWS} are needed`;
  return report.interval.low > 0 ? "demand rises with the price" : "the 95% interval includes 0";
}

/** Fits each distinct specification once. Selects its rows through one index per dataset and column. */
function fitter(datasets: DatasetSource): (spec: Fit) => Promise<FittedDemand> {
  const fits = new Map<string, Promise<FittedDemand>>();
  const tables = new Map<string, Promise<{ dataset: Dataset; rowsWhere: ReturnType<typeof rowFinder> }>>();
  return (spec) => {
    const key = JSON.stringify([
      spec.dataset,
      spec.where ?? {},
      spec.price,
      spec.quantity,
      spec.controls ?? [],
    ]);
    let fit = fits.get(key);
    if (fit === undefined) {
      let table = tables.get(spec.dataset);
      table ??= datasets
        .load(spec.dataset)
        .then((dataset) => ({ dataset, rowsWhere: rowFinder(dataset, spec.dataset) }));
      tables.set(spec.dataset, table);
      fit = table.then(({ dataset, rowsWhere }) => fitDemand(spec, dataset, rowsWhere(spec.where ?? {})));
      fits.set(key, fit);
    }
    return fit;
  };
}

/** Selects the rows that match all conditions. Strings match the cell's text exactly, numbers its value. */
function rowFinder(
  dataset: Dataset,
  id: string,
): (where: Readonly<Record<string, string | number>>) => number[] {
  const indexes = new Map<string, Map<string, number[]>>();
  const indexOf = (column: string): Map<string, number[]> => {
    let index = indexes.get(column);
    if (index === undefined) {
      index = new Map();
      columnOf(dataset, id, column).forEach((cell, row) => {
        const rows = index?.get(cell);
        if (rows) rows.push(row);
        else index?.set(cell, [row]);
      });
      indexes.set(column, index);
    }
    return index;
  };
  return (where) => {
    let rows: number[] | undefined;
    for (const [column, wanted] of Object.entries(where)) {
      const index = indexOf(column);
      const matches =
        typeof wanted === "string"
          ? (index.get(wanted) ?? [])
          : [...index]
              .filter(([cell]) => cell !== "" && Number(cell) === wanted)
              .flatMap(([, found]) => found);
      const members = rows && new Set(matches);
      rows = rows && members ? rows.filter((row) => members.has(row)) : matches;
    }
    return rows ?? Array.from({ length: dataset.rows }, (_, row) => row);
  };
}

function located(error: unknown, itemId: string, tier: string): unknown {
  if (!(error instanceof PricingError)) return error;
  return new PricingError(error.code, `Item ${itemId}, tier ${tier}: ${error.message}`, {
    ...error.details,
    item_id: itemId,
    tiers: [tier],
  });
}
