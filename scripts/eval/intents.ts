/**
 * `npm run -s eval:intents -- --service pricing|cloud-cost --in FILE --out PRED`: answers each `{id, text}` line of FILE with
 * `{id, label, route, goals, confidence}` and prints what the answers are like. A line's own `label` serves only for that.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Intent } from "../../services/gateway/src/language/index.ts";
import { fail, say } from "../lib/console.ts";
import {
  accuracy,
  calibrationError,
  confusions,
  type Judged,
  percent,
  quantile,
} from "../train/intents/evaluate.ts";
import { setOf } from "../train/intents/sets.ts";
import { shippedModel } from "./shipped-model.ts";

const THRESHOLD = Number(process.env.INTENT_CONFIDENCE_THRESHOLD || 0.7);

/** An answer's line. `route` is what the front door does: the category, or to ask. */
export function predict(classify: (text: string) => Intent, text: string) {
  const { category, confidence, goals } = classify(text);
  return { label: category, route: confidence >= THRESHOLD ? category : "clarify", goals, confidence };
}

function main(): void {
  const { values } = parseArgs({
    options: { service: { type: "string" }, in: { type: "string" }, out: { type: "string" } },
  });
  const set = setOf(values.service);
  if (values.in === undefined || values.out === undefined)
    throw new Error("--in FILE and --out FILE are needed");
  const model = shippedModel(set);
  const judged: Judged[] = [];
  const times: number[] = [];
  const messages = readFileSync(values.in, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): { id: unknown; text: string; label?: string } => JSON.parse(line));
  // The times are those of a gateway that has been running for a while: compiled code.
  for (const { text } of messages) model.classify(text);
  const lines = messages.map(({ id, text, label }) => {
    const before = performance.now();
    const prediction = predict((message) => model.classify(message), text);
    times.push(performance.now() - before);
    if (label !== undefined)
      judged.push({ label, category: prediction.label, confidence: prediction.confidence });
    return JSON.stringify({ id, ...prediction });
  });
  writeFileSync(values.out, `${lines.join("\n")}\n`);
  say(`${lines.length} messages, p95 ${quantile(times, 0.95).toFixed(3)} ms`);
  if (judged.length === 0) return;
  say(
    `accuracy ${percent(accuracy(judged))}, expected calibration error ${calibrationError(judged).toFixed(3)}`,
  );
  say(confusions(judged, set.categories));
}

if (import.meta.main)
  try {
    main();
  } catch (error) {
    fail(error);
  }
