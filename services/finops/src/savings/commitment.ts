import { at } from "../stats/index.ts";

/**
 * What one group of usage (a family, a SKU) costs per period at on-demand rates, and the share that a commitment takes
 * off that: 0 ≤ discount < 1. Groups of one commitment have the same periods.
 */
export type Layer = { readonly onDemand: Float64Array; readonly discount: number };

/** Means per period, in the currency of the usage. */
export type CommitmentOutcome = {
  /** What is paid for the commitment, used or not. */
  readonly committed: number;
  /** With the commitment: its fee, and on-demand rates for the rest. */
  readonly cost: number;
  /** Against on-demand rates for all of it. Negative for a loss. */
  readonly saving: number;
  /** Share of the on-demand cost that the commitment covers; NaN without usage. */
  readonly coverage: number;
  /** Share of the commitment that is used; NaN without one. */
  readonly utilisation: number;
};

/**
 * The commitment per period, in the currency at committed rates, that costs least over the periods, exactly. It covers
 * the usage with the largest discount first, as providers apply it. A committed unit of money saves 1/(1 − d) in the
 * periods in which usage of discount d is left for it, and 1 is paid for it in every period: the saving is concave and
 * piecewise linear in the level, and its slope falls where a layer of a period ends. The optimum is the first such
 * place from which the slope is not positive. For one layer that is the d-quantile of the usage, so that the last unit
 * is used in a share 1 − d of the periods (the newsvendor's critical ratio; Arrow, Harris and Marschak 1951).
 * @returns the smallest of the optimal levels; 0 for no periods
 */
export function optimalCommitment(layers: readonly Layer[]): number {
  const ordered = byDiscount(layers);
  const periods = layers[0]?.onDemand.length ?? 0;
  const ends: { readonly level: number; readonly drop: number }[] = [];
  let slope = -periods;
  for (let t = 0; t < periods; t++) {
    let level = 0;
    let before = 0;
    for (const { onDemand, discount } of ordered) {
      const width = at(onDemand, t) * (1 - discount);
      if (width === 0) continue;
      const gain = 1 / (1 - discount);
      if (level === 0) slope += gain;
      else ends.push({ level, drop: before - gain });
      level += width;
      before = gain;
    }
    if (level > 0) ends.push({ level, drop: before });
  }
  ends.sort((a, b) => a.level - b.level);
  // What is left of sums that cancel counts as 0.
  const flat = 1e-12 * periods;
  let optimum = 0;
  for (const { level, drop } of ends) {
    if (slope <= flat) break;
    slope -= drop;
    optimum = level;
  }
  return optimum;
}

/** The best multiple of `step`: one of the two next to the optimum, as the saving is concave. */
export function optimalMultiple(layers: readonly Layer[], step: number): number {
  const below = Math.floor(optimalCommitment(layers) / step + 1e-9) * step;
  const above = below + step;
  return commitmentOutcome(layers, above).saving > commitmentOutcome(layers, below).saving ? above : below;
}

/** What a commitment of `level` per period would have come to over the periods. */
export function commitmentOutcome(layers: readonly Layer[], level: number): CommitmentOutcome {
  const ordered = byDiscount(layers);
  const periods = layers[0]?.onDemand.length ?? 0;
  let [onDemand, covered, used] = [0, 0, 0];
  for (let t = 0; t < periods; t++) {
    let left = level;
    for (const layer of ordered) {
      const cost = at(layer.onDemand, t);
      const taken = Math.min(left, cost * (1 - layer.discount));
      onDemand += cost;
      covered += taken / (1 - layer.discount);
      left -= taken;
    }
    used += level - left;
  }
  const saving = periods === 0 ? 0 : covered / periods - level;
  return {
    committed: level,
    cost: (periods === 0 ? 0 : onDemand / periods) - saving,
    saving,
    coverage: covered / onDemand,
    utilisation: used / (level * periods),
  };
}

/** The usage that a commitment of `level` per period leaves at on-demand rates, in the order of `layers`. */
export function uncovered(layers: readonly Layer[], level: number): Layer[] {
  const rest = layers.map(({ onDemand, discount }) => ({ onDemand: onDemand.slice(), discount }));
  const ordered = byDiscount(rest);
  for (let t = 0; t < (layers[0]?.onDemand.length ?? 0); t++) {
    let left = level;
    for (const { onDemand, discount } of ordered) {
      const taken = Math.min(left, at(onDemand, t) * (1 - discount));
      onDemand[t] = at(onDemand, t) - taken / (1 - discount);
      left -= taken;
    }
  }
  return rest;
}

function byDiscount<L extends Layer>(layers: readonly L[]): L[] {
  return layers.toSorted((a, b) => b.discount - a.discount);
}
