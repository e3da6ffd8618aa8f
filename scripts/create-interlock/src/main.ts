#!/usr/bin/env node
/** `npm create interlock@latest NAME [-- --agent ts|python]`: makes an empty project in a new folder of that name. */
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { LANGUAGES, type Language, makeProject } from "./project.ts";

const USAGE = `usage: npm create interlock@latest NAME -- [--agent ${LANGUAGES.join("|")}]`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { agent: { type: "string" }, help: { type: "boolean" } },
  });
  const [folder, ...more] = positionals;
  if (values.help) return console.log(USAGE);
  if (folder === undefined || more.length > 0) throw new Error(`Name one project.\n${USAGE}`);
  const files = makeProject(folder, await languageOf(values.agent));
  console.log(`Made ${folder}:

  ${files.join("\n  ")}

Next, with Node 24:

  cd ${folder}
  npm install
  npm start
`);
}

/** Asks at a terminal; elsewhere, what is not said is TypeScript. */
async function languageOf(said: string | undefined): Promise<Language> {
  const answer = said ?? (process.stdin.isTTY ? await ask() : "ts");
  const language = LANGUAGES.find((one) => one === answer);
  if (language === undefined) throw new Error(`--agent is ${LANGUAGES.join(" or ")}.\n${USAGE}`);
  return language;
}

async function ask(): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Language of the agent (${LANGUAGES.join(", ")}) [ts]: `);
  terminal.close();
  return answer.trim() || "ts";
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
