/**
 * `npm run -s eval:sessions -- --inputs INPUTS.json --in FILE --out PRED`: takes conversations through the gateway's own understanding,
 * without a network, and writes what it makes of each turn. Lines of FILE are `{id, turns: [{user}]}`, lines of PRED
 * `{id, turns: [{route, goals?, slots, about?, clarifies?, options?}]}`. With `--model` or `--model-script`, a model is asked where the
 * gateway would ask one, the answers are those with it, and what it changed is printed.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { HeardTurn } from "../../services/gateway/src/conversation/index.ts";
import { offlineUnderstanding } from "../../services/gateway/src/understanding.ts";
import { fail, say } from "../cli/src/console.ts";
import { root } from "../lib/paths.ts";
import { Agreement, isAsPresent, isSame } from "./agreement.ts";
import { readJson, readLines, writeLines } from "./lines.ts";
import { Changes, linesOf, MODEL_OPTIONS, modelOf, understandingOf } from "./model.ts";

type Expectation = { route?: string; goals?: unknown; slots?: unknown; about?: unknown; clarifies?: unknown };
type Session = { id: string; turns: readonly { user: string; expect?: Expectation }[] };

const JUDGED = ["route", "goals", "slots", "about"] as const;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      inputs: { type: "string" },
      in: { type: "string" },
      out: { type: "string" },
      ...MODEL_OPTIONS,
    },
  });
  if (!values.inputs || !values.in || !values.out)
    throw new Error("usage: npm run -s eval:sessions -- --inputs INPUTS.json --in FILE --out PRED");
  const inputs = readJson(values.inputs);
  const sessions = readLines<Session>(values.in);
  const begin = offlineUnderstanding("pricing", { MESH_FILE: join(root, "mesh.yaml"), ...process.env });
  const local = sessions.map(({ turns }) => {
    const conversation = begin(inputs);
    return turns.map(({ user }) => conversation.say(user));
  });
  const asked = await withModel(values, { inputs, sessions, local });
  const heard = asked?.heard ?? local;
  writeLines(
    values.out,
    sessions.map(({ id }, at) => ({
      id,
      turns: heard[at]?.map(({ source: _, confidence: __, ...turn }) => turn),
    })),
  );
  const agreement = new Agreement();
  for (const [at, { turns }] of sessions.entries())
    for (const [turn, { expect }] of turns.entries()) {
      const one = heard[at]?.[turn];
      if (expect && one) judge(one, expect, agreement);
    }
  say(`${sessions.length} sessions, ${sessions.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
  for (const line of [...agreement.lines(), ...(asked?.lines ?? [])]) say(line);
}

/** The same with the model that the options name; undefined where they name none. */
async function withModel(
  values: Parameters<typeof modelOf>[0],
  {
    inputs,
    sessions,
    local,
  }: { inputs: Record<string, unknown>; sessions: readonly Session[]; local: readonly HeardTurn[][] },
): Promise<{ heard: HeardTurn[][]; lines: string[] } | undefined> {
  const model = await modelOf(values);
  if (!model) return undefined;
  try {
    const { begin, calls, stop } = await understandingOf(model, "pricing");
    const changes = new Changes();
    const heard: HeardTurn[][] = [];
    for (const [at, { turns }] of sessions.entries()) {
      const conversation = begin(inputs);
      const said: HeardTurn[] = [];
      for (const [turn, { user, expect }] of turns.entries()) {
        const after = await conversation.sayWithModel(user);
        said.push(after);
        const before = local[at]?.[turn];
        if (before) changes.note(isSameTurn(before, after), expect && rightness(before, after, expect));
      }
      heard.push(said);
    }
    await stop();
    return { heard, lines: linesOf(changes, calls, "turns") };
  } finally {
    await model.stop();
  }
}

const isSameTurn = (before: HeardTurn, after: HeardTurn): boolean =>
  JUDGED.every((field) => isSame(before[field], after[field])) && before.clarifies === after.clarifies;

const rightness = (before: HeardTurn, after: HeardTurn, expect: Expectation) => ({
  before: judge(before, expect, new Agreement()),
  after: judge(after, expect, new Agreement()),
});

/** A turn that is not expected to ask must not. @returns whether all of it is right */
function judge(heard: HeardTurn, expect: Expectation, agreement: Agreement): boolean {
  const fields = JUDGED.filter((field) => expect[field] !== undefined);
  const right = fields.map((field) => agreement.judge(field, expect[field], heard[field]));
  const asks = agreement.judge("clarifies", expect.clarifies, heard.clarifies, isAsPresent);
  const isRight = asks && right.every(Boolean);
  agreement.count("turns", isRight);
  return isRight;
}

await main().catch(fail);
