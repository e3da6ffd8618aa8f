import {
  type IntentModelFile,
  LinearModel,
  readModelFile,
} from "../../../services/gateway/src/language/intents/index.ts";
import { fitTemperature, heated } from "./calibrate.ts";
import { answer, crossValidate } from "./cross-validate.ts";
import type { TrainedLanguage } from "./report.ts";
import type { IntentSet } from "./sets.ts";
import { trainModel } from "./train-model.ts";
import { readCalibration, readLexicon, readUtterances, trainingDigest } from "./utterances.ts";

/** Trains, judges and calibrates the model of a language. Undefined if there are no sentences. */
export function trainLanguage(set: IntentSet, language: string): TrainedLanguage | undefined {
  const utterances = readUtterances(set, language);
  if (utterances.length === 0) return undefined;
  const lexicon = readLexicon(set, language);
  const input = { set, language, utterances, lexicon, training: trainingDigest(set, language) };
  const held = crossValidate(input);
  const raw = trainModel(input);
  const model = new LinearModel(raw);
  const others = readCalibration(set, language).map((utterance) => answer(model, utterance));
  const temperature = fitTemperature([held, others]);
  const json = toJson({ ...raw, temperature });
  return {
    language,
    utterances,
    json,
    temperature,
    held: held.map((one) => heated(one, temperature)),
    others: others.map((one) => heated(one, temperature)),
    model: new LinearModel(readModelFile(JSON.parse(json))),
  };
}

/** A line for each property: readable, and no bytes for indentation. */
function toJson(file: IntentModelFile): string {
  const lines = Object.entries(file).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}
