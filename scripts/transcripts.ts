/**
 * `npm run -s transcripts`: holds the conversations of scripts/transcripts/sessions.ts with a mesh of real agents and writes them to
 * scripts/transcripts/shipped.md as they were answered; those with models are held with a scripted model server, and written to
 * scripts/transcripts/with-models.md. `npm run -s transcripts -- --models` makes the latter alone.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { fail, say } from "./cli/src/console.ts";
import { stopSignal } from "./cli/src/stop-signal.ts";
import { startMesh } from "./lib/mesh.ts";
import { manifestWithModels, SHIPPED_MANIFEST } from "./lib/model-manifest.ts";
import { root } from "./lib/paths.ts";
import { readScript } from "./model-server/script.ts";
import { type ModelServer, startModelServer } from "./model-server/server.ts";
import { type Saying, TRANSCRIPTS, type Transcript, WITH_MODELS } from "./transcripts/sessions.ts";

const OUT = join(root, "scripts/transcripts/shipped.md");
const OUT_WITH_MODELS = join(root, "scripts/transcripts/with-models.md");
const SCRIPT = join(root, "scripts/transcripts/with-models.jsonl");

type Answer = {
  message?: string;
  error?: string | { message?: string };
  code?: string;
  status?: string;
  ui_hint?: { buttons: readonly string[] };
  model?: string;
  warnings?: readonly string[];
};

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { models: { type: "boolean", default: false } } });
  if (!values.models) await write(OUT, [HEAD], TRANSCRIPTS);
  const server = await startModelServer({ script: readScript(SCRIPT) });
  const { file, remove } = manifestWithModels(SHIPPED_MANIFEST, () => modelsAt(server.url));
  try {
    await write(OUT_WITH_MODELS, [HEAD_WITH_MODELS], WITH_MODELS, { server, env: { MESH_FILE: file } });
  } finally {
    remove();
    await server.stop();
  }
}

/** A model that is asked what messages ask for, and one that words answers. Nobody waits for either in a document. */
function modelsAt(base_url: string) {
  const asked = { provider: "script", retries: 0, timeout_ms: 20_000 };
  return {
    default: "rules",
    allow: ["rules", "listener", "writer"],
    tasks: { intent: { model: "listener", timeout_ms: 20_000 }, wording: { model: "writer" } },
    providers: { script: { kind: "openai_compatible" as const, base_url } },
    models: { listener: { ...asked, model: "listener" }, writer: { ...asked, model: "writer" } },
  };
}

type WithServer = { server?: ModelServer; env?: NodeJS.ProcessEnv };

/** Holds conversations with a mesh of their own. */
async function write(
  out: string,
  lines: string[],
  transcripts: readonly Transcript[],
  { server, env = {} }: WithServer = {},
): Promise<void> {
  const mesh = await startMesh({ signal: stopSignal(), say, redis: { durable: false }, env });
  try {
    for (const [index, transcript] of transcripts.entries())
      lines.push(await hold(mesh.url, transcript, `transcript-${index + 1}`, server));
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, lines.join("\n"));
    say(`${transcripts.length} conversations written to ${out}`);
  } finally {
    await mesh.stop();
  }
}

const HEAD = `# Transcripts

<!-- made by: npm run -s transcripts -->

Made by \`npm run -s transcripts\` with the shipped mesh: what was said, and what the gateway answered, in full.
`;

const HEAD_WITH_MODELS = `# Transcripts with models

<!-- made by: npm run -s transcripts -- --models -->

Made by \`npm run -s transcripts\` with the shipped mesh and two models: \`listener\`, for what a message asks for, and \`writer\`, for the
lead of an answer. Both are [the model server](../../docs/models.md#try-it-without-a-provider) with a script,
\`scripts/transcripts/with-models.jsonl\`, so that this can be made anew and one of them can lie. What has no line there is refused by the
server, as by a provider that is away. After each answer stands who was asked and whose lead it has.
`;

/** The button that agrees to a reading. */
const AGREED = ["Yes, like that", "네, 그렇게 해 주세요"];

async function hold(
  url: string,
  { title, about, says }: Transcript,
  session: string,
  server?: ModelServer,
): Promise<string> {
  const lines = [`## ${title}\n`, `${about}\n`];
  const left = [...says];
  for (let saying = left.shift(); saying !== undefined; saying = left.shift()) {
    const { message, inputs } = parts(saying);
    const before = server?.requests.length ?? 0;
    const answer = await ask(url, { message, session_id: session, ...(inputs ? { inputs } : {}) });
    lines.push(`**${message}**${inputs ? " (with inputs)" : ""}\n`, "```text", ...textOf(answer), "```\n");
    if (server) lines.push(...whoseWords(answer, server, before));
    // What was read right is agreed to.
    const [first] = answer.ui_hint?.buttons ?? [];
    if (first !== undefined && AGREED.includes(first)) left.unshift(first);
  }
  return lines.join("\n");
}

/** Who was asked for an answer, and whose lead it has. */
function whoseWords({ model, warnings = [] }: Answer, { requests }: ModelServer, before: number): string[] {
  const asked = requests.slice(before).map(({ body }) => `\`${JSON.parse(body).model}\``);
  const told = warnings.filter((warning) => /worded by its template|Sentences of the model/u.test(warning));
  const words = model === undefined || model === "rules" ? "none" : `\`${model}\``;
  return [
    `Asked: ${asked.join(", ") || "no model"}. Lead: ${words}.${told.map((one) => ` Warning: “${one}”`).join("")}\n`,
  ];
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
    ...(status && status !== "ok" ? [`(${status})`] : []),
  ];
}

await main().catch(fail);
