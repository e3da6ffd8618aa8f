/**
 * `npm run -s eval:dialogues -- --in FILE --out PRED.jsonl`: holds dialogues with a mesh of real processes, each in a session of its own,
 * and writes where each turn left them. Lines of FILE are `{id, turns: [{user}]}`, lines of PRED
 * `{id, turns: [{slots, stage, next_action, queue_len}]}`, from the last event of each turn.
 */
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { fail, say } from "../lib/console.ts";
import { startMesh } from "../lib/mesh.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { Agreement } from "./agreement.ts";
import { readLines, writeLines } from "./lines.ts";

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

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { in: { type: "string" }, out: { type: "string" } } });
  if (!values.in || !values.out)
    throw new Error("usage: npm run -s eval:dialogues -- --in FILE --out PRED.jsonl");
  const dialogues = readLines<Dialogue>(values.in);
  const mesh = await startMesh({ signal: stopSignal(), redis: { durable: false } });
  const held: { id: string; turns: Standing[] }[] = [];
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
  writeLines(values.out, held);
  say(`${held.length} dialogues, ${held.reduce((sum, { turns }) => sum + turns.length, 0)} turns`);
  for (const line of judge(dialogues, held).lines()) say(line);
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
