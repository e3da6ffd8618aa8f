import type { LinearModel } from "../../../services/gateway/src/language/intents/index.ts";
import type { HeldOut } from "./cross-validate.ts";
import { accuracy, calibrationError, confusions, percent } from "./evaluate.ts";
import type { IntentSet } from "./sets.ts";
import type { Utterance } from "./utterances.ts";

export type TrainedLanguage = {
  language: string;
  utterances: readonly Utterance[];
  /** The model file. */
  json: string;
  temperature: number;
  /** Answers of the cross-validation, calibrated. */
  held: readonly HeldOut[];
  /** Answers about the sentences of another writer, calibrated. */
  others: readonly HeldOut[];
  model: LinearModel;
};

/** The report of a set, in Markdown. Nothing in it depends on the machine or the time. */
export function reportOn(set: IntentSet, trained: readonly TrainedLanguage[]): string {
  return [`# Intents of ${set.service}`, ...trained.map((one) => section(set, one))].join("\n\n");
}

function section(
  set: IntentSet,
  { language, utterances, json, temperature, held, others }: TrainedLanguage,
): string {
  const counts = set.categories.map(
    (category) => `${category} ${utterances.filter(({ label }) => label === category).length}`,
  );
  return [
    `## ${language}`,
    `${utterances.length} sentences: ${counts.join(", ")}. Model file: ${(json.length / 1000).toFixed(1)} kB. Temperature: ${temperature}.`,
    "Cross-validation, five blocked folds:",
    figures(held),
    confusions(held, set.categories),
    ...(others.length === 0
      ? []
      : [
          "Sentences of another writer, for calibration only:",
          figures(others),
          confusions(others, set.categories),
        ]),
  ].join("\n\n");
}

function figures(held: readonly HeldOut[]): string {
  const rows = [
    `accuracy ${percent(accuracy(held))}`,
    `expected calibration error ${calibrationError(held).toFixed(3)}`,
    `confident (≥ 0.7) ${percent(held.filter(({ confidence }) => confidence >= 0.7).length / held.length)}, of these right ${percent(accuracy(held.filter(({ confidence }) => confidence >= 0.7)))}`,
  ];
  const several = held.filter(({ wanted }) => wanted.length > 1);
  if (several.length > 0) {
    const same = several.filter(({ wanted, goals }) => wanted.toSorted().join() === goals.toSorted().join());
    const ordered = same.filter(({ wanted, goals }) => wanted.join() === goals.join());
    rows.push(
      `several goals: the same ${percent(same.length / several.length)}, of these in the same order ${percent(ordered.length / Math.max(1, same.length))}`,
    );
  }
  return rows.map((row) => `- ${row}`).join("\n");
}
