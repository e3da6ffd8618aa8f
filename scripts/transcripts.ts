/**
 * `npm run -s transcripts`: holds the conversations of scripts/transcripts/sessions.ts with a mesh of real agents and writes them to
 * docs/conversation/transcripts.md as they were answered.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, say } from "./lib/console.ts";
import { startMesh } from "./lib/mesh.ts";
import { root } from "./lib/paths.ts";
import { stopSignal } from "./lib/stop-signal.ts";
import { type Saying, TRANSCRIPTS, type Transcript } from "./transcripts/sessions.ts";

const OUT = join(root, "docs/conversation/transcripts.md");

type Answer = {
  message?: string;
  error?: string | { message?: string };
  code?: string;
  status?: string;
  ui_hint?: { buttons: readonly string[] };
};

async function main(): Promise<void> {
  const mesh = await startMesh({ signal: stopSignal(), say, redis: { durable: false } });
  try {
    const parts: string[] = [HEAD];
    for (const [index, transcript] of TRANSCRIPTS.entries())
      parts.push(await hold(mesh.url, transcript, `transcript-${index + 1}`));
    mkdirSync(dirname(OUT), { recursive: true });
    writeFileSync(OUT, `${parts.join("\n")}`);
    say(`${TRANSCRIPTS.length} conversations written to ${OUT}`);
  } finally {
    await mesh.stop();
  }
}

const HEAD = `# Transcripts

<!-- made by: npm run -s transcripts -->

Made by \`npm run -s transcripts\` with the shipped mesh: what was said, and what the gateway answered, in full.
`;

async function hold(url: string, { title, about, says }: Transcript, session: string): Promise<string> {
  const lines = [`## ${title}\n`, `${about}\n`];
  for (const saying of says) {
    const { message, inputs } = parts(saying);
    const answer = await ask(url, { message, session_id: session, ...(inputs ? { inputs } : {}) });
    lines.push(`**${message}**${inputs ? " (with inputs)" : ""}\n`, "```text", ...textOf(answer), "```\n");
  }
  return lines.join("\n");
}

function parts(saying: Saying): { message: string; inputs?: object } {
  return typeof saying === "string" ? { message: saying } : saying;
}

async function ask(url: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Answer;
}

function textOf({ message, error, code, status, ui_hint }: Answer): string[] {
  const said = message ?? (typeof error === "string" ? error : error?.message) ?? "";
  const buttons = ui_hint?.buttons ?? [];
  return [
    ...(code ? [`[${code}]`] : []),
    ...said.split("\n"),
    ...(buttons.length > 0 ? [buttons.map((label) => `[ ${label} ]`).join(" ")] : []),
    ...(status ? [`(${status})`] : []),
  ];
}

await main().catch(fail);
