import type { Choice } from "../../services/gateway/src/conversation/index.ts";
import { examplesOf, pairedUnderstanding } from "../../services/gateway/src/understanding.ts";
import type { GoalModel } from "../../services/understanding/src/index.ts";
import { likelihoodsOf } from "../../services/understanding/src/index.ts";
import type { Model } from "../../services/understanding/src/tagger/index.ts";
import { readDomain } from "../judge/domain.ts";
import { catalogueOf, readSet, tasksOf, WORDS } from "../judge/set.ts";
import { goalsOf } from "../judge/verdict.ts";
import { SETS } from "./intents/sets.ts";
import { readCalibration } from "./intents/utterances.ts";

/** A message, all that it may have asked for, and which of it did: an index. */
export type GoalRow = {
  readonly set: string;
  readonly choices: readonly Choice[];
  readonly meant: number;
  /** What rules took it to ask for; -1: they asked. */
  readonly ruled: number;
};

/** A sign of fewer choices says nothing. */
const LEAST_SEEN = 8;
const PENALTY = 1;
const ROUNDS = 200;
const RATE = 0.05;
const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

/**
 * The messages of a set with what they may ask for, each behind turns that were understood as they were meant. Each flow is
 * asked by its examples, too, as one is that has no intent models.
 */
export async function goalRows(path: string, set: string, tagger: Model): Promise<GoalRow[]> {
  const conversations = readSet(path);
  const domain = readDomain(conversations[0]?.domain ?? "");
  const env = { ...process.env, MESH_FILE: domain.meshFile };
  const rows: GoalRow[] = [];
  for (const byExamples of [false, true]) {
    const begin = await pairedUnderstanding(domain.flow, env, { reader: { tagger }, byExamples });
    for (const conversation of conversations) {
      const given = catalogueOf(conversation, path);
      const talk = begin(given ?? domain.catalogue);
      for (const { says, wants } of conversation.turns) {
        const { choices, clarifies } = talk.say(says);
        if (!wants) continue;
        const word = WORDS.find((one) => tasksOf(wants)[0] === one);
        const wanted = word ? [] : goalsOf(wants, domain);
        const meant = choices?.findIndex(({ goals }) => keyOf(goals) === keyOf(wanted)) ?? -1;
        const ruled = clarifies ? -1 : (choices?.findIndex(({ signs }) => signs.includes("ruled")) ?? -1);
        if (choices && meant >= 0 && word !== "ask") rows.push({ set, choices, meant, ruled });
        if (!word) talk.meant(wanted);
      }
    }
  }
  return rows;
}

const PLAIN = "plain";

/** Whether a row is of a message that only asks for something. */
export const isPlain = ({ set }: GoalRow): boolean => set.startsWith(`${PLAIN}-`);

/**
 * Messages that only ask for something, which the sets of the judge have few of: what manifests give as examples, and what was written to
 * calibrate intent models; alone, and one after the other.
 */
export async function plainRows(name: string, tagger: Model): Promise<GoalRow[]> {
  const domain = readDomain(name);
  const env = { ...process.env, MESH_FILE: domain.meshFile };
  const examples = (examplesOf(env).get(domain.flow) ?? []).map(({ goal, text }) => ({
    text,
    goals: [goal],
  }));
  const set = SETS.find(({ service }) => service === name);
  const known = new Set(set ? (set.goals.length > 0 ? set.goals : set.categories) : []);
  const written = (set ? readCalibration(set, "en") : []).map(({ text, goals }) => ({
    text,
    goals: goals.filter((goal) => known.has(goal)),
  }));
  const rows: GoalRow[] = [];
  for (const byExamples of set ? [false, true] : [true]) {
    const begin = await pairedUnderstanding(domain.flow, env, { reader: { tagger }, byExamples });
    const add = (talk: ReturnType<typeof begin>, text: string, wanted: readonly string[]): void => {
      const { choices, clarifies } = talk.say(text);
      const meant = choices?.findIndex(({ goals }) => keyOf(goals) === keyOf(wanted)) ?? -1;
      const ruled = clarifies ? -1 : (choices?.findIndex(({ signs }) => signs.includes("ruled")) ?? -1);
      if (choices && meant >= 0) rows.push({ set: `${PLAIN}-by-${name}`, choices, meant, ruled });
      talk.meant(wanted);
    };
    // An example is what a flow without models has learnt.
    const said = byExamples && set ? written : [...examples, ...written];
    let talk = begin();
    for (const [at, { text, goals }] of said.entries()) {
      if (at % LENGTH === 0) talk = begin();
      add(begin(), text, goals);
      add(talk, text, goals);
    }
  }
  return rows;
}

/** Messages of a conversation. */
const LENGTH = 6;

const keyOf = (goals: readonly string[]): string => goals.toSorted().join();

/** Conditional logit (McFadden 1974) by Adam over all rows at once, so that their order does not matter. */
export function fitGoals(rows: readonly GoalRow[]): GoalModel {
  const counts = new Map<string, number>();
  for (const { choices } of rows)
    for (const { signs } of choices) for (const sign of signs) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  const names = [...counts.keys()].filter((sign) => (counts.get(sign) ?? 0) >= LEAST_SEEN).sort();
  const places = new Map(names.map((name, at) => [name, at]));
  const data = rows.map(({ choices, meant }) => ({
    meant,
    choices: choices.map(({ signs }) => Int32Array.from(signs.flatMap((sign) => places.get(sign) ?? []))),
  }));
  const size = names.length;
  const [weights, first, second, gradient] = Array.from({ length: 4 }, () => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let round = 1; round <= ROUNDS; round += 1) {
    gradient.fill(0);
    for (const { choices, meant } of data) addGradient(gradient, weights, choices, meant);
    const scale = (RATE * Math.sqrt(1 - BETA2 ** round)) / (1 - BETA1 ** round);
    for (let at = 0; at < size; at += 1) {
      const slope = ((gradient[at] ?? 0) + PENALTY * (weights[at] ?? 0)) / rows.length;
      first[at] = BETA1 * (first[at] ?? 0) + (1 - BETA1) * slope;
      second[at] = BETA2 * (second[at] ?? 0) + (1 - BETA2) * slope * slope;
      weights[at] = (weights[at] ?? 0) - (scale * (first[at] ?? 0)) / (Math.sqrt(second[at] ?? 0) + EPSILON);
    }
  }
  return new Map(names.map((name, at) => [name, Number((weights[at] ?? 0).toFixed(3))]));
}

function addGradient(
  gradient: Float64Array,
  weights: Float64Array,
  choices: readonly Int32Array[],
  meant: number,
): void {
  const scores = choices.map((signs) => signs.reduce((sum, sign) => sum + (weights[sign] ?? 0), 0));
  const most = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - most));
  const all = odds.reduce((sum, one) => sum + one, 0);
  for (const [at, signs] of choices.entries()) {
    const error = (odds[at] ?? 0) / all - (at === meant ? 1 : 0);
    for (const sign of signs) gradient[sign] = (gradient[sign] ?? 0) + error;
  }
}

/** Of 100 rows that a model has not seen: what rules alone had right, what is likeliest, and that among the two likeliest. */
export function tableOfGoals(
  kinds: Readonly<Record<string, (row: GoalRow) => string>>,
  rows: readonly GoalRow[],
): string {
  const lines = Object.entries(kinds).map(([name, of]) => {
    const judged = rows.filter((row) => !isPlain(row));
    const ranked = [...new Set(judged.map(of))].flatMap((kind) => {
      const model = fitGoals(rows.filter((row) => of(row) !== kind));
      return judged
        .filter((row) => of(row) === kind)
        .map((row) => {
          const likely = likelihoodsOf(row.choices, model);
          const order = likely
            .map((_, at) => at)
            .sort((one, other) => (likely[other] ?? 0) - (likely[one] ?? 0));
          return { row, order, most: likely[order[0] ?? 0] ?? 0 };
        });
    });
    const share = (is: (one: (typeof ranked)[number]) => boolean, of = ranked): string =>
      ((100 * of.filter(is).length) / Math.max(1, of.length)).toFixed(1);
    const sure = ranked.filter(({ most }) => most >= 0.9);
    return [
      name,
      share(({ row }) => row.ruled === row.meant),
      share(({ row, order }) => order[0] === row.meant),
      share(({ row, order }) => order.slice(0, 2).includes(row.meant)),
      `${((100 * sure.length) / ranked.length).toFixed(1)}, ${share(({ row, order }) => order[0] === row.meant, sure)}`,
    ].join(" | ");
  });
  return [
    "| left out | rules right | likeliest right | one of two | at least .9, of these right |",
    "|---|---|---|---|---|",
    ...lines.map((line) => `| a ${line} |`),
  ].join("\n");
}
