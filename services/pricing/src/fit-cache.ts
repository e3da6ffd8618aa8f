import type { Dataset } from "./csv.ts";
import type { FittedDemand } from "./fit.ts";
import type { Joint } from "./substitution/joint.ts";

/** What is fitted of a dataset: the demand of one tier, or of the tiers of an item together. */
type Fits = { readonly tier: FittedDemand; readonly joint: Joint };

/** Fits of one dataset that are kept; a fit of some hundred rows takes 10 ms or more, and its result a few KiB. */
const MOST_FITS = 20_000;

/**
 * Finished fits by dataset and specification, for all requests of an agent. A dataset that is read anew is another one, so that no fit
 * outlives its rows. Fits under way are not shared: the request that makes one may be cancelled.
 */
export class FitCache {
  readonly #byDataset = new WeakMap<Dataset, Map<string, Fits[keyof Fits]>>();

  /** @param make fits; its failures are not kept */
  async once<K extends keyof Fits>(
    kind: K,
    dataset: Dataset,
    specification: string,
    make: () => Promise<Fits[K]>,
  ): Promise<Fits[K]> {
    const fits = this.#byDataset.get(dataset) ?? new Map<string, Fits[keyof Fits]>();
    this.#byDataset.set(dataset, fits);
    const key = `${kind} ${specification}`;
    const known = fits.get(key);
    if (known !== undefined) return known as Fits[K];
    const fit = await make();
    fits.set(key, fit);
    const [oldest] = fits.keys();
    if (fits.size > MOST_FITS && oldest !== undefined) fits.delete(oldest);
    return fit;
  }
}
