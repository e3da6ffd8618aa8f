import { readFileSync } from "node:fs";

/** What a message may ask for, by signs that hold or do not. */
export type Signed = { readonly signs: readonly string[] };

/** A conditional logit model over what a message may ask for, learnt from conversations whose goals are known. */
export type GoalModel = ReadonlyMap<string, number>;

/** How likely each choice is to be the one that is meant: they sum to 1. Signs that the model does not know say nothing. */
export function likelihoodsOf(choices: readonly Signed[], model: GoalModel): number[] {
  const scores = choices.map(({ signs }) => signs.reduce((sum, sign) => sum + (model.get(sign) ?? 0), 0));
  const most = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - most));
  const all = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / all);
}

/** The model as it is kept: the same model gives the same text. */
export function formatGoals(model: GoalModel): string {
  const sorted = [...model].sort(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/** The model that ships with the library. */
export function loadGoals(
  file: URL | string = new URL("../../models/goals.json", import.meta.url),
): GoalModel {
  return new Map(Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, number>));
}
