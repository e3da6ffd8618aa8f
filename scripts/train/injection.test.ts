import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../lib/paths.ts";
import { similarity, trigrams } from "./intents/folds.ts";
import { readSentences } from "./sentences.ts";

const HELD_BACK = join(root, "scripts/eval/held-back/injection.jsonl");

/** Sentences of fewer words are what everybody says: "ignore the outliers". */
const TELLING = 4;

/** Sentences as close as this (Jaccard of trigrams) are versions of one. */
const NEARLY_EQUAL = 0.85;

const segmenter = new Intl.Segmenter("en", { granularity: "word" });
const wordsOf = (text: string) => [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;

test("no training sentence of the injection guard is in the held-back file", () => {
  if (!existsSync(HELD_BACK)) return;
  const lines = readFileSync(HELD_BACK, "utf8").trim().split("\n");
  const held = lines.flatMap((line) => textsOf(JSON.parse(line))).map(trigrams);
  expect(held.length).toBeGreaterThan(0);
  const telling = readSentences()
    .flatMap(({ turns }) => turns)
    .filter((text) => wordsOf(text) >= TELLING);
  const tooClose = telling.filter((text) => {
    const grams = trigrams(text);
    return held.some((one) => similarity(grams, one) > NEARLY_EQUAL);
  });
  // Names our own sentences, to be taken out of training: the held-back file stays unread.
  expect(tooClose).toEqual([]);
});

function textsOf({ text, turns }: { text?: unknown; turns?: unknown }): string[] {
  return [text, ...(Array.isArray(turns) ? turns : [])].filter((one) => typeof one === "string");
}
