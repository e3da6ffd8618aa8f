import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { LinearModel } from "../../../services/gateway/src/language/intents/index.ts";
import { root } from "../../lib/paths.ts";
import { fitTemperature, heated } from "./calibrate.ts";
import { answer, type HeldOut } from "./cross-validate.ts";
import { accuracy, calibrationError } from "./evaluate.ts";
import { blockedFolds, similarity, trigrams } from "./folds.ts";
import { modelFile, SETS, setOf } from "./sets.ts";
import { OPTIONS, trainModel } from "./train-model.ts";
import { readCalibration, readLexicon, readUtterances, trainingDigest } from "./utterances.ts";

/** Words of a sentence that everybody says: "thanks", "what is this". The held-back files have them too, and they prove nothing. */
const COMMONPLACE: Readonly<Record<string, number>> = { en: 3, ko: 1 };

/** Sentences as close as this (Jaccard of trigrams) are versions of one. */
const NEARLY_EQUAL = 0.85;

const models = SETS.flatMap((set) =>
  set.languages
    .filter((language) => readUtterances(set, language).length > 0)
    .map((language) => ({ set, language, name: `${set.service} ${language}` })),
);

test.each(models)("the committed model of $name is what training gives", ({ set, language }) => {
  const file: { training: string } = JSON.parse(readFileSync(modelFile(set, language), "utf8"));
  expect(file.training).toBe(trainingDigest(set, language));
});

test.each(models)("the model file of $name is below 100 kB", ({ set, language }) => {
  expect(readFileSync(modelFile(set, language)).length).toBeLessThan(100_000);
});

test.each(models)("no training sentence of $name is in a held-back file", ({ set, language }) => {
  const directory = join(root, "scripts/eval/held-back");
  if (!existsSync(directory)) return;
  const held = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(directory, name), "utf8").split("\n"))
    .filter((line) => line.trim() !== "")
    .flatMap((line) => messagesIn(JSON.parse(line)))
    .map(trigrams);
  const ofSize = Map.groupBy(held, ({ size }) => size);
  const seen = [...readUtterances(set, language), ...readCalibration(set, language)];
  const telling = seen.filter(({ text }) => text.trim().split(/\s+/).length > (COMMONPLACE[language] ?? 0));
  const tooClose = telling.filter(({ text }) => {
    const grams = trigrams(text);
    // Sets are at most as similar as their sizes.
    for (let size = Math.ceil(grams.size * NEARLY_EQUAL); size <= grams.size / NEARLY_EQUAL; size++)
      if (ofSize.get(size)?.some((one) => similarity(grams, one) > NEARLY_EQUAL)) return true;
    return false;
  });
  // Names our own sentences, to be taken out of training: the held-back files stay unread.
  expect(tooClose.map(({ text }) => text)).toEqual([]);
});

/** The messages of a held-back line: its text, or those of its turns. */
function messagesIn(line: { text?: unknown; turns?: unknown }): string[] {
  const turns: unknown[] = Array.isArray(line.turns) ? line.turns : [];
  return [
    line.text,
    ...turns.flatMap((turn) => (typeof turn === "object" && turn !== null ? Object.values(turn) : [turn])),
  ].filter((value) => typeof value === "string");
}

/** A part of the sentences, enough for a model that has learnt something. */
const set = setOf("pricing");
const some = readUtterances(set, "en").filter((_, i) => i % 8 === 0);
const input = { set, language: "en", utterances: some, lexicon: readLexicon(set, "en"), training: "test" };
const options = { ...OPTIONS, weights: 24_000, fit: { ...OPTIONS.fit, epochs: 3 } };

test("training twice gives the same model, byte for byte", () => {
  expect(JSON.stringify(trainModel(input, options))).toBe(JSON.stringify(trainModel(input, options)));
});

test("calibration lowers the error of answers that are too sure of themselves", () => {
  const model = new LinearModel(trainModel(input, options));
  const unseen = readUtterances(set, "en").filter((_, i) => i % 8 === 4);
  const half = (rest: number) =>
    unseen.filter((_, i) => i % 2 === rest).map((utterance) => answer(model, utterance));
  const cocky = (held: HeldOut) => heated(held, 0.4);
  const [fitted, judged] = [half(0).map(cocky), half(1).map(cocky)];
  const temperature = fitTemperature([fitted]);
  const after = judged.map((held) => heated(held, temperature));
  expect(temperature).toBeGreaterThan(1);
  expect(calibrationError(after)).toBeLessThan(0.8 * calibrationError(judged));
  expect(accuracy(after)).toBe(accuracy(judged));
});

test("versions of one sentence are in one fold, and folds are of one size", () => {
  const texts = some.map(({ text }) => text);
  const versions = [
    "please check the price rules",
    "Please check the price rules!",
    "check the price rules please",
  ];
  const folds = blockedFolds([...texts, ...versions], 5, 1);
  expect(new Set(folds.slice(texts.length)).size).toBe(1);
  const sizes = [0, 1, 2, 3, 4].map((fold) => folds.filter((one) => one === fold).length);
  expect(Math.max(...sizes)).toBeLessThan(2 * Math.min(...sizes) + 10);
});
