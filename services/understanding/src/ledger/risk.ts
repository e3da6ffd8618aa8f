import { readFileSync } from "node:fs";

/**
 * How likely a reading is to be wrong, by what is known of it: a logistic model over signs that hold or do not. It is learnt from
 * conversations whose right readings are known.
 */
export type RiskModel = {
  readonly bias: number;
  /** From this risk on the user is asked. */
  readonly cut: number;
  readonly weights: ReadonlyMap<string, number>;
};

/** Between 0 and 1. @param signs each once; those that the model does not know say nothing */
export function riskOf(signs: Iterable<string>, { bias, weights }: RiskModel): number {
  let sum = bias;
  for (const sign of signs) sum += weights.get(sign) ?? 0;
  return 1 / (1 + Math.exp(-sum));
}

type RiskFile = { bias: number; cut: number; weights: Record<string, number> };

/** The model as it is kept: the same model gives the same text. */
export const formatRisk = ({ bias, cut, weights }: RiskModel): string =>
  `${JSON.stringify({ bias, cut, weights: Object.fromEntries([...weights].sort(([a], [b]) => (a < b ? -1 : 1))) }, null, 2)}\n`;

/** The model that ships with the library. */
export function loadRisk(file: URL | string = new URL("../../models/risk.json", import.meta.url)): RiskModel {
  const { bias, cut, weights } = JSON.parse(readFileSync(file, "utf8")) as RiskFile;
  return { bias, cut, weights: new Map(Object.entries(weights)) };
}
