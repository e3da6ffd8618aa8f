/**
 * `npm run -s train:intents [-- --service pricing] [--language en] [--dry]`: trains the intent models from the sentences in
 * services/<domain>/intents/utterances and writes them with their report beside them. The same sentences give the same bytes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fail, say } from "../cli/src/console.ts";
import { reportOn, type TrainedLanguage } from "./intents/report.ts";
import { type IntentSet, modelFile, SETS, setOf } from "./intents/sets.ts";
import { trainLanguage } from "./intents/train-language.ts";

function main(): void {
  const { values } = parseArgs({
    options: { service: { type: "string" }, language: { type: "string" }, dry: { type: "boolean" } },
  });
  const sets = values.service === undefined ? SETS : [setOf(values.service)];
  for (const set of sets) trainSet(set, values.language, values.dry ?? false);
}

function trainSet(set: IntentSet, only: string | undefined, dry: boolean): void {
  const trained: TrainedLanguage[] = [];
  for (const language of set.languages) {
    if (only !== undefined && language !== only) continue;
    const one = trainLanguage(set, language);
    if (one === undefined) continue;
    trained.push(one);
    say(reportOn(set, [one]));
    if (!dry) writeFileSync(modelFile(set, language), one.json);
  }
  if (!dry && only === undefined) {
    const tried = readFileSync(join(import.meta.dirname, "intents/tried.md"), "utf8");
    writeFileSync(join(set.directory, "report.md"), `${reportOn(set, trained)}\n\n${tried}`);
  }
}

try {
  main();
} catch (error) {
  fail(error);
}
