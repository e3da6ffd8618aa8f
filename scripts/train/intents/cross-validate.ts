import { LinearModel } from "../../../services/gateway/src/language/intents/index.ts";
import type { Judged } from "./evaluate.ts";
import { blockedFolds } from "./folds.ts";
import { type OPTIONS, type TrainingInput, trainModel } from "./train-model.ts";

export const FOLDS = 5;

/** An answer about a sentence that the model had not seen, at temperature 1. */
export type HeldOut = Judged & {
  text: string;
  wanted: readonly string[];
  goals: readonly string[];
  probabilities: Readonly<Record<string, number>>;
};

/** Answers about each sentence by a model trained on the folds without it or anything like it. */
export function crossValidate(input: TrainingInput, options?: typeof OPTIONS): HeldOut[] {
  const folds = blockedFolds(
    input.utterances.map(({ text }) => text),
    FOLDS,
    3,
  );
  const answers: HeldOut[] = [];
  for (let fold = 0; fold < FOLDS; fold++) {
    const utterances = input.utterances.filter((_, i) => folds[i] !== fold);
    const model = new LinearModel(trainModel({ ...input, utterances }, options));
    for (const [i, utterance] of input.utterances.entries())
      if (folds[i] === fold) answers.push(answer(model, utterance));
  }
  return answers;
}

export function answer(
  model: LinearModel,
  { text, label, goals }: { text: string; label: string; goals: readonly string[] },
): HeldOut {
  const intent = model.classify(text);
  const { category, confidence, probabilities } = intent;
  return { text, label, wanted: goals, category, confidence, goals: intent.goals, probabilities };
}
