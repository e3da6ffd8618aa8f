/**
 * `npm run -s eval:answers -- --in FILE --out ANSWERS.jsonl`: holds dialogues with a mesh of real processes, each in a session of its own, and
 * writes what was asked and answered, for a person to grade. Lines of FILE are `{id, turns: [{user}]}`, or `says` for `user`, lines of ANSWERS `{id, turn, user,
 * answer, understood, status, next_action?}`. `--only PARTS` takes some domains of the manifest, as in `npm start`.
 */
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { startMesh } from "../lib/mesh.ts";
import { readLines, writeLines } from "./lines.ts";

type Said = { readonly user?: string; readonly says?: string };
type Dialogue = { readonly id: string; readonly turns: readonly Said[] };
type Answer = { message?: string; understood?: unknown; status?: string; next_action?: string };

/** Dialogues that are held at once. */
const AT_ONCE = 4;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { in: { type: "string" }, out: { type: "string" }, only: { type: "string" } },
  });
  if (!values.in || !values.out)
    throw new Error("usage: npm run -s eval:answers -- --in FILE --out ANSWERS.jsonl [--only PARTS]");
  const dialogues = readLines<Dialogue>(values.in);
  const env = { LOOP_SHED_MS: "60000", ...(values.only ? { MESH_ONLY: values.only } : {}) };
  const mesh = await startMesh({ signal: stopSignal(), redis: { durable: false }, env });
  const held: object[][] = [];
  try {
    const left = dialogues.entries();
    const holdAll = async (): Promise<void> => {
      for (const [index, { id, turns }] of left) {
        const session_id = randomUUID();
        const lines: object[] = [];
        for (const [turn, { user: said, says }] of turns.entries()) {
          const user = said ?? says;
          if (user === undefined) throw new Error(`${id}: turn ${turn + 1} says nothing`);
          const { message, understood, status, next_action } = await ask(mesh.url, user, session_id);
          lines.push({ id, turn: turn + 1, user, answer: message, understood, status, next_action });
        }
        held[index] = lines;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, holdAll));
  } finally {
    await mesh.stop();
  }
  writeLines(values.out, held.flat());
  say(`${held.length} dialogues, ${held.flat().length} turns`);
}

async function ask(url: string, message: string, session_id: string): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, session_id }),
  });
  return (await response.json()) as Answer;
}

await main().catch(fail);
