import type { PricingError } from "./errors.ts";
import { collect, workable } from "./failures.ts";
import { matchEach, proposedPrices } from "./proposals.ts";
import { type DatasetSource, itemResolver, type Pause } from "./resolve.ts";
import type { Item, ProposedItem, ResolvedItem } from "./types.ts";

export type ResolvedRequest = {
  readonly items: ResolvedItem[];
  /** Warnings of an item, by its id. */
  readonly warnings: ReadonlyMap<string, readonly string[]>;
  /** What must be true for the fits to be causal; each sentence once. */
  readonly assumptions: readonly string[];
  readonly errors: PricingError[];
};

/** Items without a fit between two yields: a few milliseconds of work. */
const BATCH = 250;
const MOST_WARNINGS = 50;
const MOST_ASSUMPTIONS = 20;

/**
 * Resolves the demand of all items of a request. An item that cannot be resolved costs no other item: its
 * error is collected. Yields the number of items done.
 */
export async function* resolveAll(
  items: readonly Item[],
  datasets: DatasetSource,
  pause: Pause,
): AsyncGenerator<number, ResolvedRequest> {
  const resolve = itemResolver(datasets, pause);
  const resolved: ResolvedItem[] = [];
  const warnings = new Map<string, readonly string[]>();
  const assumptions = new Set<string>();
  const errors: PricingError[] = [];
  for (const [position, item] of items.entries()) {
    const one = await resolve(item).catch((error: unknown) => collect(error, errors));
    if (one !== undefined) {
      resolved.push(one.item);
      if (one.warnings.length > 0) warnings.set(item.item_id, one.warnings);
      for (const sentence of one.assumptions) assumptions.add(sentence);
    }
    const cheap = one?.item === item;
    if (!cheap || (position + 1) % BATCH === 0) {
      await pause();
      yield position + 1;
    }
  }
  yield items.length;
  return { items: resolved, warnings, assumptions: [...assumptions].slice(0, MOST_ASSUMPTIONS), errors };
}

/** The result of a generator whose progress nobody needs. */
export async function drained<T>(steps: AsyncGenerator<unknown, T>): Promise<T> {
  for (let step = await steps.next(); ; step = await steps.next()) if (step.done) return step.value;
}

/**
 * The proposals for these items. One for an unknown item or tier, or a second one, is an error of that item; one
 * for an item that has failed already is left out.
 */
export function proposalsFor(
  items: readonly ResolvedItem[],
  proposed: readonly ProposedItem[],
  errors: PricingError[],
): ProposedItem[] {
  const failed = new Set(errors.map(({ details }) => details.item_id));
  const own = proposed.filter(({ item_id }) => !failed.has(item_id));
  const pairs = matchEach(items, own, errors).map((pair) => ({ ...pair, item_id: pair.item.item_id }));
  return workable(pairs, errors, ({ item, proposal }) => proposedPrices(item, proposal)).flatMap(
    ({ proposal }) => (proposal ? [proposal] : []),
  );
}

/**
 * Tells the first warnings, and how many more there are.
 * @returns what was told
 */
export function tellWarnings(
  warnings: Iterable<readonly string[]>,
  warn: (text: string) => void,
): readonly string[] {
  const all = [...warnings].flat();
  const more = all.length - MOST_WARNINGS;
  const told = [...all.slice(0, MOST_WARNINGS), ...(more > 0 ? [`${more} more warnings like these.`] : [])];
  for (const warning of told) warn(warning);
  return told;
}
