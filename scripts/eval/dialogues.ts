/**
 * `npm run -s eval:dialogues -- --in FILE --out PRED.jsonl`: holds dialogues with a mesh of real processes, each in a session of its own,
 * and writes where each turn left them. Lines of FILE are `{id, turns: [{user}]}`, lines of PRED
 * `{id, turns: [{slots, stage, next_action, queue_len}]}`, from the last event of each turn. With `--model` or `--model-script`, they are held a
 * second time, with a gateway that asks that model where it is not sure; PRED is then of that time, and what the model changed is printed.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { startMesh } from "../lib/mesh.ts";
import { GATEWAY } from "../lib/services.ts";
import { Agreement, isSame } from "./agreement.ts";
import { readLines, writeLines } from "./lines.ts";
import { Changes, MODEL_OPTIONS, type ModelUnderTest, modelOf } from "./model.ts";

type Standing = { slots: object; stage: string; next_action: string; queue_len: number };
type Dialogue = { id: string; turns: readonly { user: string; expect?: Partial<Standing> }[] };

/** What a turn of a dialogue ends with; a failed one has no state. */
type Done = {
  next_action?: string;
  state_snapshot?: { stage?: string; slots?: Record<string, unknown>; queue?: readonly unknown[] };
  error?: unknown;
};

/** Dialogues that are held at once. */
const AT_ONCE = 8;
const JUDGED = ["slots", "stage", "next_action", "queue_len"] as const;

type Held = { id: string; turns: Standing[] };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { in: { type: "string" }, out: { type: "string" }, ...MODEL_OPTIONS },
  });
  if (!values.in || !values.out)
    throw new Error("usage: npm run -s eval:dialogues -- --in FILE --out PRED.jsonl");
  const dialogues = readLines<Dialogue>(values.in);
  const model = await modelOf(values);
  const logDir = mkdtempSync(join(tmpdir(), "interlock-eval-"));
  try {
    const local = await hold(dialogues, {});
    const held = model ? await hold(dialogues, { model, logDir }) : local;
    writeLines(values.out, held);
    say(`${held.length} dialogues, ${held.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
    for (const line of judge(dialogues, held).lines()) say(line);
    if (model) for (const line of changesOf(dialogues, local, held, logDir)) say(line);
  } finally {
    await model?.stop();
    rmSync(logDir, { recursive: true, force: true });
  }
}

/** Holds the dialogues with a mesh of its own. */
async function hold(
  dialogues: readonly Dialogue[],
  { model, logDir }: { model?: ModelUnderTest; logDir?: string },
): Promise<Held[]> {
  const env = model ? { MESH_FILE: model.manifest } : {};
  const mesh = await startMesh({ signal: stopSignal(), redis: { durable: false }, env, logDir });
  const held: Held[] = [];
  try {
    const left = dialogues.entries();
    const holdAll = async (): Promise<void> => {
      for (const [index, { id, turns }] of left) {
        const session = randomUUID();
        const standings: Standing[] = [];
        for (const { user } of turns) standings.push(standingOf(await turn(mesh.url, session, user)));
        held[index] = { id, turns: standings };
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, holdAll));
  } finally {
    await mesh.stop();
  }
  return held;
}

/** What the model changed, and how often and for how long the gateway asked it, by its log. */
function changesOf(
  dialogues: readonly Dialogue[],
  local: readonly Held[],
  held: readonly Held[],
  logDir: string,
): string[] {
  const changes = new Changes();
  for (const [index, { turns }] of dialogues.entries()) {
    for (const [at, { expect }] of turns.entries()) {
      const before = local[index]?.turns[at];
      const after = held[index]?.turns[at];
      if (!before || !after) continue;
      const right = (standing: Standing) =>
        JUDGED.every((field) => expect?.[field] === undefined || isSame(expect[field], standing[field]));
      changes.note(isSame(before, after), expect && { before: right(before), after: right(after) });
    }
  }
  const calls = readFileSync(join(logDir, `${GATEWAY}.log`), "utf8")
    .split("\n")
    .filter((line) => line.includes('"model asked"'))
    .map((line) => JSON.parse(line) as { ms: number; outcome: string });
  const answered = calls.filter(({ outcome }) => outcome === "ok").length;
  return changes.lines(
    calls.map(({ ms }) => ms),
    { answered, of: "turns" },
  );
}

async function turn(url: string, session: string, message: string): Promise<Done> {
  const response = await fetch(`${url}/v1/agent/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ session_id: session, message }),
  });
  return (await response.json()) as Done;
}

function standingOf({ next_action = "", state_snapshot = {} }: Done): Standing {
  const { slots = {}, stage = "INIT", queue = [] } = state_snapshot;
  const known = Object.entries(slots).filter(([, value]) => value !== null);
  return { slots: Object.fromEntries(known), stage, next_action, queue_len: queue.length };
}

/** A turn is right where all is right that is expected of it. */
function judge(dialogues: readonly Dialogue[], held: readonly { turns: readonly Standing[] }[]): Agreement {
  const agreement = new Agreement();
  for (const [index, { turns }] of dialogues.entries()) {
    for (const [at, { expect }] of turns.entries()) {
      const standing = held[index]?.turns[at];
      if (!expect || !standing) continue;
      const fields = JUDGED.filter((field) => expect[field] !== undefined);
      const right = fields.map((field) => agreement.judge(field, expect[field], standing[field]));
      agreement.count("turns", right.every(Boolean));
    }
  }
  return agreement;
}

await main().catch(fail);
