/** Holds the dialogue of docs/writing-an-agent.md with the agent that the document shows. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type AgentProcess, startProcess } from "../../test/process.ts";
import { holdDialogue, runStream } from "../testing.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

let folder: string;
let shown: string;
let agent: AgentProcess;
beforeAll(async () => {
  const text = await readFile(join(ROOT, "docs/writing-an-agent.md"), "utf8");
  const [, code = ""] = /^```ts\n((?:(?!^```).)*dialogue<.*?)^```$/ms.exec(text) ?? [];
  [, shown = ""] = /^```text\n(user .*?)^```$/ms.exec(text) ?? [];
  // Inside the repository, so that the import of the kit resolves.
  await mkdir(join(ROOT, ".data"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".data/document-"));
  await writeFile(join(folder, "main.ts"), code);
  agent = await startProcess(join(folder, "main.ts"));
});
afterAll(async () => {
  agent.child.kill("SIGKILL");
  await agent.exited;
  await rm(folder, { recursive: true });
});

test("the dialogue goes as the document shows it", async () => {
  const talk = holdDialogue({ stream: (request) => runStream(agent.url, request) }, "ORDER_TURN");
  const lines: string[] = [];
  for (const [, message = ""] of shown.matchAll(/^user\s+(.*)$/gm)) {
    const { next_action, message: reply } = await talk.say(message);
    lines.push(`user   ${message}`, `${next_action.padEnd(6)} ${reply}`);
  }
  expect(`${lines.join("\n")}\n`).toBe(shown);
});
