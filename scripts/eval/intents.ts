/**
 * `npm run -s eval:intents -- --service pricing|cloud-cost --in FILE --out PRED`: answers each `{id, text}` line of FILE with
 * `{id, label, route, goals, confidence}` and prints what the answers are like. A line's own `label` serves only for that. With `--model` or
 * `--model-script`, a model is asked where the gateway would ask one, the answers are those with it, and what it changed is printed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Intent } from "../../services/gateway/src/language/index.ts";
import { fail, say } from "../cli/src/console.ts";
import {
  accuracy,
  calibrationError,
  confusions,
  type Judged,
  percent,
  quantile,
} from "../train/intents/evaluate.ts";
import { type IntentSet, setOf } from "../train/intents/sets.ts";
import { isSame } from "./agreement.ts";
import { Changes, linesOf, MODEL_OPTIONS, modelOf, understandingOf } from "./model.ts";
import { shippedModel } from "./shipped-model.ts";

const THRESHOLD = Number(process.env.INTENT_CONFIDENCE_THRESHOLD || 0.7);

/** An answer's line. `route` is what the front door does: the category, or to ask. */
export function predict(classify: (text: string) => Intent, text: string) {
  const { category, confidence, goals } = classify(text);
  return { label: category, route: confidence >= THRESHOLD ? category : "clarify", goals, confidence };
}

type Message = { id: unknown; text: string; label?: string };
type Prediction = ReturnType<typeof predict>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      service: { type: "string" },
      in: { type: "string" },
      out: { type: "string" },
      ...MODEL_OPTIONS,
    },
  });
  const set = setOf(values.service);
  if (values.in === undefined || values.out === undefined)
    throw new Error("--in FILE and --out FILE are needed");
  const model = shippedModel(set);
  const times: number[] = [];
  const messages = readFileSync(values.in, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): Message => JSON.parse(line));
  // The times are those of a gateway that has been running for a while: compiled code.
  for (const { text } of messages) model.classify(text);
  const local = messages.map(({ text }) => {
    const before = performance.now();
    const prediction = predict((message) => model.classify(message), text);
    times.push(performance.now() - before);
    return prediction;
  });
  const asked = await withModel(values, { set, messages, local });
  const predictions = asked?.predictions ?? local;
  const lines = messages.map(({ id }, at) => JSON.stringify({ id, ...predictions[at] }));
  writeFileSync(values.out, `${lines.join("\n")}\n`);
  say(`${lines.length} messages, p95 ${quantile(times, 0.95).toFixed(3)} ms`);
  const judged = messages.flatMap(({ label }, at): Judged[] => {
    const prediction = predictions[at];
    return label === undefined || !prediction
      ? []
      : [{ label, category: prediction.label, confidence: prediction.confidence }];
  });
  for (const line of asked?.lines ?? []) say(line);
  if (judged.length === 0) return;
  say(
    `accuracy ${percent(accuracy(judged))}, expected calibration error ${calibrationError(judged).toFixed(3)}`,
  );
  say(confusions(judged, set.categories));
}

/** The same with the model that the options name; undefined where they name none. Each message is the first of a conversation. */
async function withModel(
  values: Parameters<typeof modelOf>[0],
  { set, messages, local }: { set: IntentSet; messages: readonly Message[]; local: readonly Prediction[] },
): Promise<{ predictions: Prediction[]; lines: string[] } | undefined> {
  const model = await modelOf(values);
  if (!model) return undefined;
  try {
    // Only what a flow of the mesh can be asked has a second opinion.
    const { begin, calls, stop } = await understandingOf(model, set.service);
    const changes = new Changes();
    const predictions: Prediction[] = [];
    for (const [at, { text, label }] of messages.entries()) {
      const before = local[at];
      if (!before) continue;
      const { source, route, confidence, goals = [] } = await begin().sayWithModel(text);
      const after = source === "model" ? { label: route, route, goals, confidence } : before;
      predictions.push(after);
      changes.note(
        isSame(before.label, after.label) && before.route === after.route,
        label === undefined ? undefined : { before: before.route === label, after: after.route === label },
      );
    }
    await stop();
    return { predictions, lines: linesOf(changes, calls, "messages") };
  } finally {
    await model.stop();
  }
}

if (import.meta.main) await main().catch(fail);
