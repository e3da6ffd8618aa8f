import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lexicon } from "../../../services/gateway/src/language/intents/index.ts";
import type { IntentSet } from "./sets.ts";

export type Utterance = { text: string; label: string; goals: readonly string[] };

/** The training sentences of a language, those of `utterances/<language>-*.jsonl` in the order of files and lines. */
export function readUtterances(set: IntentSet, language: string): Utterance[] {
  return readAll(set, join(set.directory, "utterances"), language);
}

/** Sentences by another writer, which no model is trained on: `calibration/<language>-*.jsonl`. */
export function readCalibration(set: IntentSet, language: string): Utterance[] {
  return readAll(set, join(set.directory, "calibration"), language);
}

function readAll(set: IntentSet, directory: string, language: string): Utterance[] {
  return jsonLines(directory, language).flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => parse(set, line)),
  );
}

function jsonLines(directory: string, language: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.startsWith(`${language}-`) && name.endsWith(".jsonl"))
    .sort()
    .map((name) => join(directory, name));
}

function parse(set: IntentSet, line: string): Utterance {
  const value: { text?: unknown; label?: unknown; goals?: unknown } = JSON.parse(line);
  const { text, label, goals } = value;
  if (typeof text !== "string" || typeof label !== "string" || !set.categories.includes(label))
    throw new Error(`not an utterance of ${set.service}: ${line}`);
  if (set.goals.includes(label)) return { text, label, goals: [label] };
  const listed = Array.isArray(goals) ? goals.map(String) : [];
  if (listed.some((goal) => !set.goals.includes(goal)))
    throw new Error(`goals that ${set.service} does not have: ${line}`);
  return { text, label, goals: listed };
}

/** The words of the language and those of the domain, by concept. */
export function readLexicon(set: IntentSet, language: string): Lexicon {
  const lexicon: Record<string, readonly string[]> = {};
  for (const path of lexiconFiles(set, language))
    Object.assign(lexicon, JSON.parse(readFileSync(path, "utf8")));
  return lexicon;
}

function lexiconFiles(set: IntentSet, language: string): string[] {
  return [
    join(set.directory, "lexicon", `${language}.json`),
    join(import.meta.dirname, "lexicon", `${language}.json`),
  ].filter((path) => existsSync(path));
}

/** SHA-256 over all that decides what the training of a model gives: sentences, lexicon, trainer and features. */
export function trainingDigest(set: IntentSet, language: string): string {
  const source = join(import.meta.dirname, "../../../services/gateway/src/language/intents");
  const code = [source, import.meta.dirname].flatMap((directory) =>
    readdirSync(directory)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !NOT_TRAINING.has(name))
      .sort()
      .map((name) => join(directory, name)),
  );
  const data = ["utterances", "calibration"].flatMap((name) =>
    jsonLines(join(set.directory, name), language),
  );
  const digest = createHash("sha256");
  for (const path of [...code, ...data, ...lexiconFiles(set, language)])
    digest.update(readFileSync(path)).update("\0");
  return digest.digest("hex");
}

/** Files whose change does not change what is trained. */
const NOT_TRAINING = new Set(["report.ts", "index.ts", "evaluate.ts"]);
