/**
 * Trains the scorer of the injection guard from the sentences of services/gateway/guards/injection, and writes the trained file and a
 * report beside them. The same sentences give the same file.
 *
 *     npm run -s train:injection
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  FEATURES,
  featuresOf,
  INJECTION_RULES,
  injectionDetector,
  readScorer,
  type ScorerFile,
  sectionOf,
} from "../../services/gateway/src/language/index.ts";
import { DISGUISES } from "./disguises.ts";
import { refusedTurn } from "./judge-turns.ts";
import { type Example, type Linear, trainLogistic } from "./logistic.ts";
import { injectionDir, readSentences, type Sentence } from "./sentences.ts";
import { Generator } from "./understanding/generate.ts";

const FOLDS = 10;
/** Sentences that stand together were written together, so they stay in one fold. */
const BLOCK = 8;
const PENALTY = { rule: 0.0003, concept: 0.0001, word: 0.00003 } as const;
/** What a rule weighs before any sentence speaks for or against it. */
const RULE_PRIOR = 1.5;
/** Share of harmless messages that may be refused when a sentence is judged by a scorer that has not seen it. */
const FALSE_POSITIVES = 0.02;
/**
 * Turns of dialogues, which have nothing of an attack. Counted in that share they would make room to refuse more of the others; and there
 * are so many that at full weight they would move the line between attacks and what resembles them.
 */
const UNLIKE_ATTACKS = new Set(["dialogue", "dialogue_turns"]);
const UNLIKE_ATTACKS_WEIGHT = 0.1;
/**
 * Made-up messages of made-up domains, as the learnt reader of slots is trained on: what people order and forbid an agent that works for
 * them. Half of them are two messages in one, as long messages meet more of what attacks have.
 */
const MADE_UP = { seed: 31, worlds: 120, messages: 2_000, weight: 0.5 } as const;
const EVERY = 7;

function examplesOf(sentences: readonly Sentence[]): Example[] {
  return sentences.flatMap(({ kind, turns, attack }) => {
    const weight = UNLIKE_ATTACKS.has(kind) ? UNLIKE_ATTACKS_WEIGHT : 1;
    const joint = { features: featuresOf(turns.join(" ")), attack, weight };
    if (attack || turns.length === 1) return [joint];
    return [joint, ...turns.map((turn) => ({ features: featuresOf(turn), attack, weight }))];
  });
}

function madeUp(): Example[] {
  const generator = new Generator(MADE_UP.seed, MADE_UP.worlds);
  const next = (): string => generator.next().text;
  return Array.from({ length: MADE_UP.messages }, (_, at) => ({
    features: featuresOf(at % 2 === 0 ? next() : `${next()}. ${next()}`),
    attack: false,
    weight: MADE_UP.weight,
  }));
}

const orders = madeUp();

function train(sentences: readonly Sentence[]): Linear {
  return trainLogistic([...examplesOf(sentences), ...orders], FEATURES, {
    penalty: (feature) => PENALTY[sectionOf(feature)],
    prior: (feature) => RULE_PRIOR * (INJECTION_RULES[feature]?.sign ?? 0),
  });
}

function scoreOf({ weights, bias }: Linear, features: readonly number[]): number {
  return features.reduce((sum, feature) => sum + (weights[feature] ?? 0), bias);
}

function toFile({ weights, bias }: Linear, threshold: number): ScorerFile {
  const step = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const bytes = Int8Array.from(weights, (weight) => Math.round(weight / step));
  const round = (value: number) => Number(value.toPrecision(6));
  return {
    step: round(step),
    bias: round(bias),
    threshold: round(threshold),
    weights: Buffer.from(bytes.buffer).toString("base64"),
  };
}

/** The lowest threshold at which no more than the wanted share of harmless messages is refused. */
function thresholdOf(scores: readonly { score: number; attack: boolean }[]): number {
  const harmless = scores.flatMap(({ score, attack }) => (attack ? [] : [score])).sort((a, b) => b - a);
  return (harmless[Math.floor(harmless.length * FALSE_POSITIVES)] ?? 0) + 0.01;
}

type Count = { flagged: number; all: number };
const share = ({ flagged, all }: Count) => `${((100 * flagged) / all).toFixed(1)} %`;

class Tally {
  readonly #counts = new Map<string, Count>();
  add(name: string, flagged: boolean): void {
    const count = this.#counts.get(name) ?? { flagged: 0, all: 0 };
    this.#counts.set(name, { flagged: count.flagged + (flagged ? 1 : 0), all: count.all + 1 });
  }
  rows(): string[] {
    return [...this.#counts].map(([name, count]) => `| ${name} | ${count.all} | ${share(count)} |`);
  }
  total(): Count {
    const all = [...this.#counts.values()];
    return { flagged: all.reduce((n, c) => n + c.flagged, 0), all: all.reduce((n, c) => n + c.all, 0) };
  }
}

const sentences = readSentences();
const foldOf = (place: number) => Math.floor(place / BLOCK) % FOLDS;
const models = Array.from({ length: FOLDS }, (_, fold) =>
  train(sentences.filter((_, place) => foldOf(place) !== fold)),
);
const modelOf = (place: number) => models[foldOf(place)] ?? train([]);
const threshold = thresholdOf(
  sentences.flatMap(({ kind, turns, attack }, place) =>
    UNLIKE_ATTACKS.has(kind) ? [] : [{ score: scoreOf(modelOf(place), featuresOf(turns.join(" "))), attack }],
  ),
);

const detectors = models.map((model) => injectionDetector(readScorer(toFile(model, threshold))));
const attacks = new Tally();
const harmless = new Tally();
const disguised = new Tally();
const disguisedHarmless = new Tally();
const found = new Tally();
const misses: string[] = [];
for (const [place, sentence] of sentences.entries()) {
  const detect = detectors[foldOf(place)];
  if (!detect) continue;
  const { kind, turns, attack } = sentence;
  const verdict = refusedTurn(detect, turns);
  (attack ? attacks : harmless).add(kind, verdict.flagged);
  if (verdict.detector) found.add(`${attack ? "attack" : "harmless"}: ${verdict.detector}`, true);
  if (verdict.flagged !== attack)
    misses.push(`${attack ? "missed" : `refused (${verdict.detector})`}: ${turns.join(" / ")}`);
  const [text] = turns;
  if (
    turns.length > 1 ||
    text === undefined ||
    place % EVERY !== 0 ||
    sentence.lang !== "en" ||
    text.length < 24
  )
    continue;
  if (attack && !verdict.flagged) continue;
  for (const [name, disguise] of Object.entries(DISGUISES))
    (attack ? disguised : disguisedHarmless).add(name, detect(disguise(text)).flagged);
}

const file = toFile(train(sentences), threshold);
writeFileSync(join(injectionDir, "scorer.json"), `${JSON.stringify(file, null, 2)}\n`);
const recall = share(attacks.total());
const refused = share(harmless.total());
const report = `# The scorer of the injection guard

Written by \`npm run -s train:injection\`. Each sentence is judged by a scorer that was trained without its block: ${FOLDS} folds of blocks of
${BLOCK} neighbouring sentences. The whole guard judges, with decoding, rules and earlier turns.
Each scorer is also trained on ${orders.length} made-up messages of made-up domains, all harmless.

- attacks found: **${recall}** of ${attacks.total().all}
- harmless messages refused: **${refused}** of ${harmless.total().all}
- trained file: ${(JSON.stringify(file).length / 1024).toFixed(1)} KB, ${FEATURES} weights, of which ${INJECTION_RULES.length} of rules

| attacks | sentences | found |
|---|---|---|
${attacks.rows().join("\n")}

| harmless | sentences | refused |
|---|---|---|
${harmless.rows().join("\n")}

Every ${EVERY}th English sentence, disguised; attacks are those that are found in plain text.

| disguise | attacks | found |
|---|---|---|
${disguised.rows().join("\n")}

| disguise | harmless | refused |
|---|---|---|
${disguisedHarmless.rows().join("\n")}
`;
writeFileSync(join(injectionDir, "report.md"), report);
console.log(`recall ${recall}, false positives ${refused}, threshold ${threshold.toFixed(2)}`);
if (process.argv.includes("--misses"))
  console.log(
    [...report.split("\n").filter((l) => l.startsWith("| ")), ...misses, ...found.rows()].join("\n"),
  );
