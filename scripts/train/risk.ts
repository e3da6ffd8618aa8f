/**
 * `npm run -s train:risk [-- --dry --without strangers-4 --out DIR]`: learns which goal is asked for, and when a reading may be acted on without a question. Holds the conversations of the judge's
 * sets with the gateway's own understanding, without a network, and writes model and report into services/understanding/models. The
 * same sources give the same bytes. The messages of a writer are read by a reader that has not learnt from them, as those will be that come.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { HARMLESS } from "../../services/gateway/src/conversation/signs.ts";
import { examplesOf, type HeardTurn, pairedUnderstanding } from "../../services/gateway/src/understanding.ts";
import {
  formatGoals,
  formatRisk,
  type GoalModel,
  type LearntReader,
  loadTagger,
  type RiskModel,
  riskOf,
  type SignModel,
} from "../../services/understanding/src/index.ts";
import { type Model, parseModel } from "../../services/understanding/src/tagger/index.ts";
import { fail, say } from "../cli/src/console.ts";
import { answerTo } from "../judge/answer.ts";
import { type Domain, readDomain } from "../judge/domain.ts";
import { Meaning } from "../judge/meaning.ts";
import { names } from "../judge/named.ts";
import { type Conversation, catalogueOf, readSet, tasksOf, type Wants, WORDS } from "../judge/set.ts";
import { goalsOf } from "../judge/verdict.ts";
import { fitGoals, type GoalRow, goalRows, isPlain, plainRows, tableOfGoals } from "./goals.ts";
import { type Example, trainLogistic } from "./logistic.ts";
import { fitTagger } from "./understanding/fit.ts";

const SETS = join(import.meta.dirname, "../judge/sets");
const MODELS = join(import.meta.dirname, "../../services/understanding/models");

/** A reading that was acted on, and what was wrong with it. */
type Row = {
  readonly domain: string;
  readonly set: string;
  readonly signs: readonly string[];
  /** Something is applied that is not wanted; something wanted is missing; nothing of the kind was to be done. */
  readonly wrong: boolean;
  readonly dropped: boolean;
  readonly idle: boolean;
  readonly otherGoal: boolean;
  /** Nothing here can do what was asked for. */
  readonly foreign: boolean;
};

/** Not to be acted on unasked. */
const isBad = ({ wrong, dropped, idle, otherGoal }: Row): boolean => wrong || dropped || idle || otherGoal;

async function rowsOf(file: string, reader: LearntReader): Promise<Row[]> {
  const set = readSet(join(SETS, file));
  const domain = readDomain(set[0]?.domain ?? "");
  const env = { ...process.env, MESH_FILE: domain.meshFile };
  const begin = await pairedUnderstanding(domain.flow, env, { reader });
  return set.flatMap((conversation) => rowsIn(conversation, file, domain, begin));
}

function rowsIn(
  conversation: Conversation,
  file: string,
  domain: Domain,
  begin: Awaited<ReturnType<typeof pairedUnderstanding>>,
): Row[] {
  const given = catalogueOf(conversation, join(SETS, file));
  const meaning = new Meaning(domain, given ?? domain.catalogue);
  const talk = begin(given ?? domain.catalogue);
  const rows: Row[] = [];
  let known: ReadonlySet<string> = new Set();
  for (const { says, wants } of conversation.turns) {
    const heard = talk.say(says);
    if (heard.clarifies !== undefined && wants) {
      const asked = { domain, language: conversation.language, catalogue: given ?? domain.catalogue };
      const reply = {
        message: heard.clarifies,
        buttons: heard.options ?? [],
        status: 200,
        requests: [],
        reused: [],
      };
      const answer = answerTo(reply, wants, asked);
      if (answer !== undefined) talk.say(answer);
      continue;
    }
    const { signs } = heard;
    if (!signs || !wants) continue;
    const { faults, ...about } = faultsOf(wants, heard, { domain, meaning, known });
    const row = { domain: domain.name, set: file, signs, ...about };
    known = faults;
    rows.push(row);
    if (isBad(row)) talk.refuse();
  }
  return rows;
}

/** @param known faults of the turn before: what was refused there is lacking here, which is no fault of this reading */
function faultsOf(
  wants: Wants,
  { constraints: applied = [], goals = [], unsupported = [] }: HeardTurn,
  { domain, meaning, known }: { domain: Domain; meaning: Meaning; known: ReadonlySet<string> },
) {
  const idle = WORDS.some((word) => tasksOf(wants)[0] === word);
  const wanted = goalsOf(wants, domain);
  const { missing, other, extra } = meaning.compare(wants.constraints ?? [], applied);
  const [lacks, adds] = [missing, [...other, ...extra]].map((some) => some.map((one) => JSON.stringify(one)));
  const isNew = (one: string): boolean => !known.has(one);
  return {
    faults: new Set([...(lacks ?? []), ...(adds ?? [])]),
    idle,
    foreign: tasksOf(wants)[0] === "none",
    wrong: adds?.some(isNew) ?? false,
    dropped:
      lacks?.some(isNew) ||
      wants.named?.some((phrase) => !unsupported.some((one) => names(one, phrase))) ||
      false,
    otherGoal: !idle && (wanted.length !== goals.length || wanted.some((goal) => !goals.includes(goal))),
  };
}

/** First messages of other domains, read by one that has never heard of their things. */
async function foreignRows(files: readonly string[], reader: LearntReader): Promise<Row[]> {
  const rows: Row[] = [];
  const sets = files.map((file) => ({ file, set: readSet(join(SETS, file)) }));
  for (const name of new Set(sets.flatMap(({ set }) => set[0]?.domain ?? []))) {
    const domain = readDomain(name);
    const begin = await pairedUnderstanding(
      domain.flow,
      { ...process.env, MESH_FILE: domain.meshFile },
      { reader },
    );
    for (const { file, set } of sets) {
      if (set[0]?.domain === name) continue;
      for (const { turns } of set) {
        const { signs } = begin(domain.catalogue).say(turns[0]?.says ?? "");
        if (signs) rows.push({ domain: name, set: file, signs, ...ELSEWHERE });
      }
    }
  }
  return rows;
}

/**
 * What the manifests themselves give as examples of what can be asked, alone and one after the other: it is not foreign, and plain enough to
 * be acted on. Those who write sets say more at once than people do who only go on.
 */
async function exampleRows(files: readonly string[], reader: LearntReader): Promise<Row[]> {
  const rows: Row[] = [];
  const names = new Set(files.flatMap((file) => readSet(join(SETS, file))[0]?.domain ?? []));
  for (const meshFile of new Set([...names].map((name) => readDomain(name).meshFile))) {
    const env = { ...process.env, MESH_FILE: meshFile };
    for (const [flow, examples] of examplesOf(env)) {
      const begin = await pairedUnderstanding(flow, env, { reader });
      let talk = begin();
      for (const [at, { text: example }] of examples.entries()) {
        if (at % LENGTH === 0) talk = begin();
        for (const { signs } of [begin().say(example), talk.say(example)])
          if (signs)
            rows.push({ ...ELSEWHERE, domain: flow, set: meshFile, signs, idle: false, foreign: false });
      }
    }
  }
  return rows;
}

const ELSEWHERE = { wrong: false, dropped: false, idle: true, foreign: true, otherGoal: false };
/** Examples that make a conversation. */
const LENGTH = 6;
/** What a message of another domain counts for: its things are easier to tell than what is near to the own ones. */
const ELSEWHERE_WEIGHT = 0.1;

/** Made-up messages that the readers learn from whose errors are learnt: less than the one that ships, so that it takes minutes. */
const MADE_UP = 20_000;
const PENALTY = 0.01;
/** A sign of fewer readings says nothing. */
const LEAST_SEEN = 10;
/** The part of the readings of which the user is told that perhaps nothing here can do it. */
const MOST_FOREIGN = 0.06;
/** Of 100 readings, how many may be acted on wrongly and unasked where the model has not seen their set. */
const MOST_WRONG = 3;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      dry: { type: "boolean", default: false },
      without: { type: "string" },
      out: { type: "string", default: MODELS },
    },
  });
  const files = readdirSync(SETS)
    .filter((name) => /^strangers-.*\.jsonl$/.test(name) && writerOf({ set: name }) !== values.without)
    .sort();
  const writers = [...new Set(files.map((set) => writerOf({ set })))];
  const folds = foldsOf(writers);
  const isBy = (fold: readonly string[]) => (file: string) => fold.includes(writerOf({ set: file }));
  const taggers = new Map<readonly string[], Model>();
  const asked: GoalRow[] = [];
  for (const fold of folds) {
    const without = [...fold, ...(values.without === undefined ? [] : [values.without])];
    const tagger = parseModel(fitTagger({ messages: MADE_UP, epochs: 2, without }).bytes);
    taggers.set(fold, tagger);
    for (const file of files.filter(isBy(fold)))
      asked.push(...(await goalRows(join(SETS, file), file, tagger)));
  }
  const domains = [...new Set(files.map((file) => readSet(join(SETS, file))[0]?.domain ?? ""))];
  for (const domain of domains) asked.push(...(await plainRows(domain, loadTagger())));
  const goals = fitGoals(asked);
  const toldGoals = goalReport(goals, asked);
  say(toldGoals);
  if (!values.dry) {
    writeFileSync(join(values.out, "goals.json"), formatGoals(goals));
    writeFileSync(join(values.out, "goals.md"), toldGoals);
  }
  const rows: Row[] = [];
  for (const [fold, tagger] of taggers) {
    const unread = { tagger, goals: fitGoals(asked.filter((row) => !fold.includes(writerOf(row)))) };
    for (const file of files.filter(isBy(fold))) rows.push(...(await rowsOf(file, unread)));
  }
  const reader = { tagger: loadTagger(), goals };
  const others = await foreignRows(files, reader);
  const examples = await exampleRows(files, reader);
  // Nothing has learnt to read from these; they are plainer than what was written to be hard.
  const own = readdirSync(SETS).filter((name) => /^own-.*\.jsonl$/.test(name));
  for (const file of own) examples.push(...(await rowsOf(file, reader)));
  const applying = rows.filter(({ signs }) => !signs.includes(HARMLESS));
  const plain = examples.filter(({ signs }) => !signs.includes(HARMLESS));
  const learnWrong: Learn = (some) =>
    learn([...some, ...plain].map((row) => ({ row, is: isBad(row), weight: 1 })));
  const learnForeign: Learn = (some, isLeft) =>
    learn([
      ...[...some, ...examples].map((row) => ({ row, is: row.foreign, weight: 1 })),
      ...others.filter((row) => !isLeft(row)).map((row) => ({ row, is: true, weight: ELSEWHERE_WEIGHT })),
    ]);
  const kinds = { domain: ({ domain }: Row) => domain, writer: writerOf, set: ({ set }: Row) => set };
  const unseen = heldOut(applying, writerOf, learnWrong);
  const foreignUnseen = heldOut(rows, writerOf, learnForeign);
  const model: RiskModel = {
    wrong: { ...learnWrong(applying, () => false), cut: cutOf(applying, unseen) },
    foreign: { ...learnForeign(rows, () => false), cut: quantile(foreignUnseen, 1 - MOST_FOREIGN) },
  };
  const text = formatRisk(model);
  const tables = Object.entries(kinds).map(([name, of]) =>
    tableOf(`a ${name}`, applying, heldOut(applying, of, learnWrong)),
  );
  const found = Object.entries(kinds).map(([name, of]) => {
    const risks = heldOut(rows, of, learnForeign);
    const cut = quantile(risks, 1 - MOST_FOREIGN);
    const seen = rows.filter(({ foreign }, at) => foreign && (risks[at] ?? 0) >= cut).length;
    return `| a ${name} | ${seen} of ${rows.filter(({ foreign }) => foreign).length} |`;
  });
  const count = (is: (row: Row) => boolean): number => rows.filter(is).length;
  const told = `# Models of the risk of a reading

Trained by \`npm run train:risk\` on ${rows.length} readings of the judge's sets, of which ${count(isBad)} were not right: ${count(({ wrong }) => wrong)} had
something that was not wanted, ${count(({ dropped }) => dropped)} lacked something, ${count(({ idle }) => idle)} had nothing to do, ${count(({ foreign }) => foreign)} of them as nothing here can do it.

| | wrong | foreign |
|---|---|---|
| signs | ${model.wrong.weights.size} | ${model.foreign.weights.size} |
| asked from | ${model.wrong.cut} | ${model.foreign.cut} |

${text.length} bytes. Of 100 readings, where all that was left out of training is judged:

${tables.join("\n\n")}

Of what nothing here can do and was heard as something else, found among the ${100 * MOST_FOREIGN} % of the readings that look most like it:

| left out | found |
|---|---|
${found.join("\n")}
`;
  say(told);
  if (values.dry) return;
  writeFileSync(join(values.out, "risk.json"), text);
  writeFileSync(join(values.out, "risk.md"), told);
}

function goalReport(model: GoalModel, rows: readonly GoalRow[]): string {
  const kinds = {
    writer: writerOf,
    domain: ({ set }: GoalRow) => set.split("-").slice(2).join("-"),
  };
  return `# Model of what is asked for

Trained by \`npm run train:risk\` on ${rows.filter((row) => !isPlain(row)).length} messages of the judge's sets and ${rows.filter(isPlain).length} that only ask for something, asked by intent
models and by examples alone, with ${model.size} signs. Of 100 messages, where all that was left out of training is judged:

${tableOfGoals(kinds, rows)}
`;
}

/** Writers who are left out together, so that it takes minutes. */
const foldsOf = (writers: readonly string[]): string[][] =>
  Array.from({ length: Math.min(FOLDS, writers.length) }, (_, fold) =>
    writers.filter((_, at) => at % FOLDS === fold),
  );
const FOLDS = 4;

/** Who wrote a set. */
const writerOf = ({ set }: Pick<Row, "set">): string => set.split("-").slice(0, 2).join("-");

/** @param isLeft what may not be learnt from */
type Learn = (rows: readonly Row[], isLeft: (row: Row) => boolean) => SignModel;

/** The risk of each reading by models that have seen none of its kind. */
function heldOut(rows: readonly Row[], kindOf: (row: Row) => string, learnt: Learn): number[] {
  const models = new Map(
    [...new Set(rows.map(kindOf))].map((kind) => [
      kind,
      learnt(
        rows.filter((row) => kindOf(row) !== kind),
        (row) => kindOf(row) === kind,
      ),
    ]),
  );
  return rows.map((row) => {
    const model = models.get(kindOf(row));
    return model ? riskOf(row.signs, model) : 1;
  });
}

type Labelled = { readonly row: Row; readonly is: boolean; readonly weight: number };

function learn(labelled: readonly Labelled[]): SignModel {
  const counts = new Map<string, number>();
  for (const { row } of labelled) for (const one of row.signs) counts.set(one, (counts.get(one) ?? 0) + 1);
  const names = [...counts]
    .filter(([, count]) => count >= LEAST_SEEN && count <= labelled.length - LEAST_SEEN)
    .map(([name]) => name)
    .sort();
  const places = new Map(names.map((name, at) => [name, at]));
  const examples: Example[] = labelled.map(({ row, is, weight }) => ({
    features: row.signs.flatMap((one) => places.get(one) ?? []),
    attack: is,
    weight,
  }));
  const { weights, bias } = trainLogistic(examples, names.length, { penalty: () => PENALTY, prior: () => 0 });
  return {
    bias: rounded(bias),
    cut: 1,
    weights: new Map(names.map((name, at) => [name, rounded(weights[at] ?? 0)])),
  };
}

const rounded = (one: number): number => Number(one.toFixed(3));

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return rounded(sorted[Math.floor(part * sorted.length)] ?? 1);
}

/** The largest cut that leaves no more unasked than may be wrong. */
function cutOf(rows: readonly Row[], risks: readonly number[]): number {
  const cuts = Array.from({ length: 60 }, (_, at) => (60 - at) / 100);
  const wrongBelow = (cut: number): number =>
    rows.filter(({ wrong }, at) => wrong && (risks[at] ?? 1) < cut).length;
  return cuts.find((cut) => 100 * wrongBelow(cut) <= MOST_WRONG * rows.length) ?? 0;
}

function tableOf(left: string, rows: readonly Row[], risks: readonly number[]): string {
  const lines = [0.15, 0.2, 0.25, 0.3, 0.4, 1.01].map((cut) => {
    const acted = rows.filter((_, at) => (risks[at] ?? 1) < cut);
    const share = (part: number, of: number): string => ((100 * part) / of).toFixed(1);
    const count = (is: (row: Row) => boolean): string => share(acted.filter(is).length, rows.length);
    const good = rows.filter((row) => !isBad(row)).length;
    return [
      cut > 1 ? "never" : String(cut),
      share(rows.length - acted.length, rows.length),
      ...[count(({ wrong }) => wrong), count(({ dropped }) => dropped), count(({ idle }) => idle)],
      share(acted.filter((row) => !isBad(row)).length, good),
    ].join(" | ");
  });
  return [
    `| ${left} left out: asked from | asked | wrong | lacking | nothing to do | right ones not asked, % |`,
    "|---|---|---|---|---|---|",
    ...lines.map((line) => `| ${line} |`),
  ].join("\n");
}

await main().catch(fail);
