/** Runs the code of docs/writing-an-agent.md: compiles it, serves it and sends it requests. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type AgentProcess, startProcess } from "../test/process.ts";
import { runStream, runSync } from "./testing.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const run = promisify(execFile);

async function blocks(language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, "docs/writing-an-agent.md"), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , body]) => body ?? "");
}

let folder: string;
let agent: AgentProcess;

beforeAll(async () => {
  // Inside the repository, so that the import of the kit resolves.
  await mkdir(join(ROOT, ".data"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".data/document-"));
  const [code = ""] = await blocks("ts");
  await writeFile(join(folder, "main.ts"), code);
  agent = await startProcess(join(folder, "main.ts"));
});

afterAll(async () => {
  agent.child.kill("SIGKILL");
  await agent.exited;
  await rm(folder, { recursive: true });
});

test("the agent of the document has about 30 lines", async () => {
  const [code = ""] = await blocks("ts");
  expect(code.split("\n").length).toBeLessThan(40);
});

test("it compiles under the project's settings", async () => {
  const config = { extends: join(ROOT, "tsconfig.base.json"), include: ["main.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder]);
});

test("it streams what the document shows", async () => {
  const [shown = ""] = await blocks("text");
  const response = await fetch(`${agent.url}/agents/run/stream`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ request_id: "r-1", task_type: "DESCRIBE" }),
  });
  expect((await response.text()).trimEnd()).toBe(shown.trimEnd());
});

test("it answers inputs of one's own, whole and as a stream", async () => {
  const asked = { task_type: "DESCRIBE", mode: "LIVE", inputs: { values: [1, 2, 3] } };
  const { body } = await runSync(agent.url, asked);
  expect(body).toMatchObject({ ok: true, outputs: { mean: 2, deviation: 1 } });
  expect((await runStream(agent.url, asked)).final).toEqual(body);
});

test("its named failure is an answer", async () => {
  const { status, body } = await runSync(agent.url, { task_type: "DESCRIBE", inputs: { values: [1] } });
  expect([status, body]).toMatchObject([200, { status: "error", error: { code: "TOO_FEW_VALUES" } }]);
});

test("without inputs it is refused in LIVE, as the document says", async () => {
  const { status, body } = await runSync(agent.url, { task_type: "DESCRIBE", mode: "LIVE" });
  expect([status, body]).toMatchObject([400, { error: { code: "INVALID_INPUTS" } }]);
});
