import { withoutGreeting } from "./greeting.ts";
import { type Intent, LinearModel } from "./linear-model.ts";
import { readModelFile } from "./model-file.ts";

/** Tells the intent of a message. Never throws, whatever the text. */
export type IntentModel = { classify(text: string): Intent };

/**
 * @param files what the model files of one set hold as JSON, one for each language, that of the default language first
 * @throws Error if one is no model
 */
export function loadIntentModel(files: readonly unknown[]): IntentModel {
  const read = files.map(readModelFile);
  const models = read.map((file) => new LinearModel(file));
  const [first] = models;
  if (first === undefined) throw new Error("An intent model needs at least one file.");
  const korean = models[read.findIndex(({ language }) => language === "ko")];
  return {
    classify(text) {
      const said = withoutGreeting(text);
      return (korean !== undefined && isKorean(said) ? korean : first).classify(said);
    },
  };
}

/** Whether a message has Hangul: names of items and products stay Latin in Korean sentences. */
export function isKorean(text: string): boolean {
  return /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]/.test(text);
}
