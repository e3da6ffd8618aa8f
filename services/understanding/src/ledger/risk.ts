import { readFileSync } from "node:fs";

/** A logistic model over signs that hold or do not, learnt from conversations whose right readings are known. */
export type SignModel = {
  readonly bias: number;
  /** From here on it is asked. */
  readonly cut: number;
  readonly weights: ReadonlyMap<string, number>;
};

/** How likely a reading is to apply what is not meant, or to lack what is, and how likely it is of what nothing here can do. */
export type RiskModel = { readonly wrong: SignModel; readonly foreign: SignModel };

/** Between 0 and 1. @param signs each once; those that the model does not know say nothing */
export function riskOf(signs: Iterable<string>, { bias, weights }: SignModel): number {
  let sum = bias;
  for (const sign of signs) sum += weights.get(sign) ?? 0;
  return 1 / (1 + Math.exp(-sum));
}

type SignFile = { bias: number; cut: number; weights: Record<string, number> };

/** The models as they are kept: the same models give the same text. */
export function formatRisk({ wrong, foreign }: RiskModel): string {
  const fileOf = ({ weights, ...model }: SignModel): SignFile => ({
    ...model,
    weights: Object.fromEntries([...weights].sort(([a], [b]) => (a < b ? -1 : 1))),
  });
  return `${JSON.stringify({ wrong: fileOf(wrong), foreign: fileOf(foreign) }, null, 2)}\n`;
}

/** The models that ship with the library. */
export function loadRisk(file: URL | string = new URL("../../models/risk.json", import.meta.url)): RiskModel {
  const { wrong, foreign } = JSON.parse(readFileSync(file, "utf8")) as Record<keyof RiskModel, SignFile>;
  const read = ({ weights, ...model }: SignFile): SignModel => ({
    ...model,
    weights: new Map(Object.entries(weights)),
  });
  return { wrong: read(wrong), foreign: read(foreign) };
}
