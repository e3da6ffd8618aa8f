import type { Dataset } from "./csv.ts";
import { PricingError } from "./errors.ts";
import { columnOf } from "./estimation/columns.ts";
import { type Estimated, pooledWith, priorOf } from "./estimation/partial-pooling.ts";
import { type FittedDemand, fitSteps } from "./fit.ts";
import { FitCache } from "./fit-cache.ts";
import { siblingsOf } from "./siblings.ts";
import { type Joint, jointSteps, withJoint } from "./substitution/joint.ts";
import { panelOf } from "./substitution/panel.ts";
import type { Fit, Item, ResolvedItem, ResolvedTier, Tier } from "./types.ts";

/** Loads datasets by id. `load` throws PricingError UNKNOWN_DATASET or INVALID_DATASET. */
export type DatasetSource = {
  load(id: string): Promise<Dataset>;
  /** Fits of earlier requests; absent: each request fits anew. */
  readonly fits?: FitCache;
};

export type ResolvedOne = {
  readonly item: ResolvedItem;
  /** Sentences that name item and tier. */
  readonly warnings: string[];
  /** What must be true for the fits to be causal, each sentence once. */
  readonly assumptions: readonly string[];
};

export type Resolved = { items: ResolvedItem[]; warnings: string[] };

/** Resolves the demand of one item at a time; computes equal fits once. */
export type ItemResolver = (item: Item) => Promise<ResolvedOne>;

/** Called between regressions, so that a server can serve others and stop. */
export type Pause = () => Promise<void>;

/**
 * Replaces every `fit` demand of an item by the fitted model with the tier's current price as its reference
 * price. Tiers whose elasticity is not identified are `held` at their current price, with a warning.
 * @throws (from the resolver) PricingError UNKNOWN_DATASET, INVALID_DATASET or NO_USABLE_ROWS with item and
 *   tier; INVALID_ITEM for an item_id that it has already resolved
 */
export function itemResolver(datasets: DatasetSource, pause: Pause = () => Promise.resolve()): ItemResolver {
  const tables = tablesOf(datasets);
  const cache = datasets.fits ?? new FitCache();
  const fits = fitter(tables, cache, pause);
  const pooled = pooler(tables, fits);
  const joint = joiner(tables, fits, cache, pause);
  const met = new Set<string>();
  return async (item) => {
    if (met.has(item.item_id)) {
      throw new PricingError("INVALID_ITEM", `Item ${item.item_id} occurs twice.`, {
        item_id: item.item_id,
        constraint: "item_id",
      });
    }
    met.add(item.item_id);
    if (isResolved(item)) return { item, warnings: [], assumptions: [] };
    const warnings: string[] = [];
    const assumptions = new Set<string>();
    const tiers: Record<string, ResolvedTier> = {};
    for (const [name, tier] of Object.entries(item.tiers)) {
      const { demand, ...rest } = tier;
      if (demand.model !== "fit") {
        tiers[name] = { ...rest, demand };
        continue;
      }
      const fitted = await fits(demand)
        .then((alone) => pooled(demand, alone))
        .catch((error: unknown) => {
          throw located(error, item.item_id, name);
        });
      assumptions.add(fitted.assumption);
      tiers[name] = fittedTier(item.item_id, name, rest, fitted, warnings);
    }
    const aboutTiers: string[] = [];
    const together = refusing(await joint(item, { ...item, tiers }, aboutTiers));
    for (const [name, { fit }] of Object.entries(together.tiers)) {
      if (fit === undefined || fit.identified) continue;
      warnings.push(
        `Item ${item.item_id}, tier ${name}: the elasticity is not identified (${fit.reason}); the current price is kept.`,
      );
    }
    warnings.push(...aboutTiers);
    if (together.joint && Object.values(together.tiers).some(soldOutIn))
      warnings.push(
        `Item ${item.item_id}: some rows sold out, and the fit of its tiers together takes what was sold for what was asked for.`,
      );
    return { item: together, warnings, assumptions: [...assumptions] };
  };
}

const soldOutIn = ({ fit }: ResolvedTier): boolean =>
  fit?.findings?.some(({ code }) => code === "sold_out" || code === "capped_sales") === true;

/** Tiers whose rows are refused keep their price, also where a joint model has an estimate from the same rows. */
function refusing(item: ResolvedItem): ResolvedItem {
  const refused = ({ fit }: ResolvedTier) =>
    fit?.findings?.some(({ action }) => action === "refuse") === true;
  if (!Object.values(item.tiers).some(refused)) return item;
  const tiers = Object.entries(item.tiers).map(
    ([name, tier]) => [name, refused(tier) ? { ...tier, held: true as const } : tier] as const,
  );
  return { ...item, tiers: Object.fromEntries(tiers) };
}

type Tables = (id: string) => Promise<{ dataset: Dataset; rowsWhere: ReturnType<typeof rowFinder> }>;

/** Fits the tiers of an item together, where several have fitted demand. */
function joiner(
  tables: Tables,
  fits: (spec: Fit) => Promise<FittedDemand>,
  cache: FitCache,
  pause: Pause,
): (item: Item, resolved: ResolvedItem, warnings: string[]) => Promise<ResolvedItem> {
  const known = new Map<string, Promise<Joint>>();
  return async (item, resolved, warnings) => {
    const fitted = Object.entries(item.tiers).flatMap(([name, { demand }]) =>
      demand.model === "fit" ? [{ name, spec: demand }] : [],
    );
    const [first] = fitted;
    if (first === undefined || Object.keys(item.tiers).length < 2) return resolved;
    const wanted =
      fitted.map(({ spec }) => spec.substitution ?? "auto").find((one) => one !== "auto") ?? "auto";
    const together =
      fitted.length === Object.keys(item.tiers).length &&
      fitted.every(({ spec }) => spec.dataset === first.spec.dataset);
    const key = JSON.stringify([together, wanted, fitted]);
    let fit = known.get(key);
    if (fit === undefined) {
      fit = tables(first.spec.dataset).then(async ({ dataset }) => {
        const specs = fitted.map(({ spec }) => spec);
        // The rows of the tiers' own fits: without what the data gate, and stocking up, left out there.
        const used = new Map(
          await Promise.all(specs.map(async (spec) => [spec, (await fits(spec)).usedRows] as const)),
        );
        const names = fitted.map(({ name }) => name);
        return cache.once("joint", dataset, key, () => {
          const panel = together ? panelOf(specs, dataset, (spec) => used.get(spec) ?? []) : undefined;
          return paused(jointSteps(panel, names, wanted), pause);
        });
      });
      known.set(key, fit);
    }
    const { report, joint } = await fit;
    if (report.diversion !== undefined) {
      warnings.push(
        `Item ${item.item_id}: its tiers are assumed to be independent (${report.reason}); moves are limited to what is no loss if up to ${Math.round(100 * report.diversion)}% of the buyers whom a tier loses go to the others.`,
      );
    }
    const complete = { ...resolved, substitution: report };
    return joint ? withJoint(complete, joint) : complete;
  };
}

async function paused<T>(steps: Generator<void, T>, pause: Pause): Promise<T> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    await pause();
  }
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

function fittedTier(
  itemId: string,
  name: string,
  tier: Omit<Tier, "demand">,
  fitted: FittedDemand,
  warnings: string[],
): ResolvedTier {
  const { report } = fitted;
  const where = `Item ${itemId}, tier ${name}:`;
  for (const warning of fitted.warnings) warnings.push(`${where} ${warning}`);
  const resolved: ResolvedTier = { ...tier, demand: fitted.demandAt(tier.current_price), fit: report };
  if (report.identified) {
    const forms = fitted.formsAt(tier.current_price);
    return forms.length > 0 ? { ...resolved, forms } : resolved;
  }
  return { ...resolved, held: true };
}

/** Loads each dataset once, with an index for the selection of rows. */
function tablesOf(datasets: DatasetSource): Tables {
  const tables = new Map<string, ReturnType<Tables>>();
  return (id) => {
    let table = tables.get(id);
    table ??= datasets.load(id).then((dataset) => ({ dataset, rowsWhere: rowFinder(dataset, id) }));
    tables.set(id, table);
    return table;
  };
}

/** Fits each distinct specification once. */
function fitter(tables: Tables, cache: FitCache, pause: Pause): (spec: Fit) => Promise<FittedDemand> {
  const fits = new Map<string, Promise<FittedDemand>>();
  return (spec) => {
    const { substitution: _, pooling: _pooling, ...own } = spec;
    const key = JSON.stringify(Object.entries(own).sort(([a], [b]) => (a < b ? -1 : 1)));
    let fit = fits.get(key);
    if (fit === undefined) {
      fit = tables(spec.dataset).then(({ dataset, rowsWhere }) =>
        cache.once("tier", dataset, key, () =>
          paused(fitSteps(spec, dataset, rowsWhere(spec.where ?? {})), pause),
        ),
      );
      fits.set(key, fit);
    }
    return fit;
  };
}

/**
 * Draws the elasticity of a fit towards those of other items of its dataset (`siblingsOf`), with which it has in common how it
 * is fitted. Rows that the data gate refuses say nothing of others.
 */
function pooler(
  tables: Tables,
  fits: (spec: Fit) => Promise<FittedDemand>,
): (spec: Fit, fitted: FittedDemand) => Promise<FittedDemand> {
  type Sibling = Estimated & { readonly where: string };
  const known = new Map<string, Promise<Sibling[]>>();
  const estimateOf = async (spec: Fit): Promise<Sibling[]> => {
    const { report } = await fits(spec);
    const { elasticity, elasticity_se: error } = report;
    const refused = report.findings?.some(({ action }) => action === "refuse");
    if (elasticity === undefined || error === undefined || !(error > 0) || refused) return [];
    return [{ elasticity, error, where: whereOf(spec) }];
  };
  const estimates = async (spec: Fit): Promise<Sibling[]> => {
    const { dataset } = await tables(spec.dataset);
    const found: Sibling[] = [];
    for (const sibling of siblingsOf(spec, dataset)) {
      const one = await estimateOf(sibling).catch((error: unknown) => {
        // A sibling without usable rows is not this item's failure.
        if (error instanceof PricingError) return [];
        throw error;
      });
      found.push(...one);
    }
    return found;
  };
  return async (spec, fitted) => {
    if (spec.pooling === "none" || spec.where === undefined) return fitted;
    const { where, ...common } = spec;
    const key = JSON.stringify([Object.keys(where).sort(), Object.entries(common).sort()]);
    const all = known.get(key) ?? estimates(spec);
    known.set(key, all);
    const own = whereOf(spec);
    return pooledWith(fitted, priorOf((await all).filter((one) => one.where !== own)));
  };
}

const whereOf = ({ where = {} }: Fit) =>
  JSON.stringify(Object.entries(where).sort(([a], [b]) => (a < b ? -1 : 1)));

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
