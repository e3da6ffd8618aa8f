/**
 * Judges messages with the gateway's injection guard, as it refuses them.
 *
 *     npm run -s eval:injection -- --in FILE --out PRED
 *
 * Each line of FILE is `{id, text}` or `{id, turns: [text]}`; each of PRED `{id, flagged, detector?}`. Turns are flagged if one of them
 * would be refused in that conversation. No model has a say in what is refused: with `--model` or `--model-script` that is what is printed. Where the lines of FILE say `flagged` themselves, recall and false positives are printed.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { injectionDetector, readScorer } from "../../services/gateway/src/language/index.ts";
import { refusedTurn } from "../train/judge-turns.ts";
import { injectionDir } from "../train/sentences.ts";
import { readLines, writeLines } from "./lines.ts";
import { Changes, MODEL_OPTIONS } from "./model.ts";

const { values } = parseArgs({
  options: { in: { type: "string" }, out: { type: "string" }, ...MODEL_OPTIONS },
});
if (values.in === undefined || values.out === undefined) {
  console.error("usage: npm run -s eval:injection -- --in FILE --out PRED");
  process.exit(2);
}

const detect = injectionDetector(
  readScorer(JSON.parse(readFileSync(join(injectionDir, "scorer.json"), "utf8"))),
);
type Line = { id: string; text?: string; turns?: readonly string[]; flagged?: boolean };

const judged = readLines<Line>(values.in).map(({ id, text = "", turns = [text], flagged: wanted }) => {
  const { flagged, detector } = refusedTurn(detect, turns);
  return { prediction: { id, flagged, ...(detector ? { detector } : {}) }, wanted };
});
writeLines(
  values.out,
  judged.map(({ prediction }) => prediction),
);

const share = (among: typeof judged) =>
  `${among.filter(({ prediction }) => prediction.flagged).length} of ${among.length}`;
const attacks = judged.filter(({ wanted }) => wanted === true);
const harmless = judged.filter(({ wanted }) => wanted === false);
if (attacks.length > 0) console.log(`recall: ${share(attacks)}`);
if (harmless.length > 0) console.log(`false positives: ${share(harmless)}`);
if (values.model !== undefined || values["model-script"] !== undefined) {
  const changes = new Changes();
  for (const _ of judged) changes.note(true);
  for (const line of changes.lines([], { answered: 0, of: "messages" })) console.log(line);
}
