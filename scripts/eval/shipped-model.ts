import { existsSync, readFileSync } from "node:fs";
import { type IntentModel, loadIntentModel } from "../../services/gateway/src/language/index.ts";
import { type IntentSet, modelFile } from "../train/intents/sets.ts";

/** The committed model of a set, in all its languages. */
export function shippedModel(set: IntentSet): IntentModel {
  const files = set.languages.map((language) => modelFile(set, language)).filter((path) => existsSync(path));
  return loadIntentModel(files.map((path): unknown => JSON.parse(readFileSync(path, "utf8"))));
}
