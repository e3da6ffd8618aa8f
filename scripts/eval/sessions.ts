/**
 * `npm run -s eval:sessions -- --inputs INPUTS.json --in FILE --out PRED`: takes conversations through the gateway's own understanding,
 * without a network, and writes what it makes of each turn. Lines of FILE are `{id, turns: [{user}]}`, lines of PRED
 * `{id, turns: [{route, goals?, slots, about?, clarifies?, options?}]}`.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { HeardTurn } from "../../services/gateway/src/conversation/index.ts";
import { offlineUnderstanding } from "../../services/gateway/src/understanding.ts";
import { fail, say } from "../lib/console.ts";
import { root } from "../lib/paths.ts";
import { Agreement, isAsPresent } from "./agreement.ts";
import { readJson, readLines, writeLines } from "./lines.ts";

type Expectation = { route?: string; goals?: unknown; slots?: unknown; about?: unknown; clarifies?: unknown };
type Session = { id: string; turns: readonly { user: string; expect?: Expectation }[] };

const JUDGED = ["route", "goals", "slots", "about"] as const;

function main(): void {
  const { values } = parseArgs({
    options: { inputs: { type: "string" }, in: { type: "string" }, out: { type: "string" } },
  });
  if (!values.inputs || !values.in || !values.out)
    throw new Error("usage: npm run -s eval:sessions -- --inputs INPUTS.json --in FILE --out PRED");
  const inputs = readJson(values.inputs);
  const converse = offlineUnderstanding("pricing", { MESH_FILE: join(root, "mesh.yaml"), ...process.env });
  const agreement = new Agreement();
  const sessions = readLines<Session>(values.in);
  const understood = sessions.map(({ id, turns }) => {
    const conversation = converse(inputs);
    return {
      id,
      turns: turns.map(({ user, expect }) => {
        const heard = conversation.say(user);
        if (expect) judge(heard, expect, agreement);
        return heard;
      }),
    };
  });
  writeLines(values.out, understood);
  say(`${sessions.length} sessions, ${sessions.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
  for (const line of agreement.lines()) say(line);
}

/** A turn that is not expected to ask must not. */
function judge(heard: HeardTurn, expect: Expectation, agreement: Agreement): void {
  const fields = JUDGED.filter((field) => expect[field] !== undefined);
  const right = fields.map((field) => agreement.judge(field, expect[field], heard[field]));
  const asks = agreement.judge("clarifies", expect.clarifies, heard.clarifies, isAsPresent);
  agreement.count("turns", asks && right.every(Boolean));
}

try {
  main();
} catch (error) {
  fail(error);
}
