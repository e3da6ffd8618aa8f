import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { agentWith, failure, isObject, json } from "../agents/agent.ts";
import { type Served, serveAgent } from "../agents/serve.ts";

const ACTION = resolve(import.meta.dirname, "../../../.github/actions/conformance");
const folder = mkdtempSync(join(tmpdir(), "conformance-action-"));

/** Runs the action's script as GitHub would, in a temporary folder. */
function runAction(
  inputs: Readonly<Record<string, string>>,
): Promise<{ code: number; summary: string; outputs: string }> {
  const [summary, outputs] = [join(folder, "summary.md"), join(folder, "outputs")];
  for (const file of [summary, outputs]) writeFileSync(file, "");
  const env = {
    ...process.env,
    RUNNER_TEMP: folder,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
    ...inputs,
  };
  return new Promise((done) => {
    execFile(process.execPath, [join(ACTION, "run.mjs")], { env, cwd: folder }, (error) => {
      const code = error === null ? 0 : Number(error.code);
      done({ code, summary: readFileSync(summary, "utf8"), outputs: readFileSync(outputs, "utf8") });
    });
  });
}

let particular: Served;
let unready: Served;
beforeAll(async () => {
  unready = await serveAgent(agentWith(() => ({ health: () => json(404, {}) })));
  particular = await serveAgent(
    agentWith((base) => ({
      result: (run) => (isObject(run.inputs.order) ? base.result(run) : failure(run, "INVALID_INPUTS")),
    })),
  );
  writeFileSync(join(folder, "echo.json"), '{"order":{}}');
});
afterAll(async () => {
  await Promise.all([particular.close(), unready.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test("the action passes its inputs on, and writes a summary and two reports", async () => {
  const ran = await runAction({
    CONFORMANCE_TARGETS: `\n${particular.url}=ECHO\n${unready.url}=ECHO\n`,
    CONFORMANCE_INPUTS: "ECHO=echo.json\n",
    CONFORMANCE_STRICT: "false",
  });
  expect(ran.code).toBe(0);
  expect(ran.summary).toContain("## ✅ Agent contract: 2 of 2 agents keep it");
  expect(ran.summary).toContain("| ⚠️ AC1-HEALTH-001 | Serves /health: not kept |");
  const [, report = "", junit = ""] = /^report=(.+)\njunit=(.+)\n$/.exec(ran.outputs) ?? [];
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ passed: true });
  expect(readFileSync(junit, "utf8")).toContain("<testsuites");
});

test("it fails where the contract is not kept, and with strict where the house style is not", async () => {
  const needy = await runAction({ CONFORMANCE_TARGETS: `${particular.url}=ECHO` });
  expect(needy.code).toBe(1);
  expect(needy.summary).toContain("❌ AC1-RUN-001 | A valid run succeeds: needs inputs");
  expect(
    await runAction({ CONFORMANCE_TARGETS: `${unready.url}=ECHO`, CONFORMANCE_STRICT: "true" }),
  ).toMatchObject({ code: 1 });
  expect(await runAction({ CONFORMANCE_TARGETS: "" })).toMatchObject({ code: 2, summary: "" });
});

test("its description names the inputs that its script reads", () => {
  const { inputs, runs } = parse(readFileSync(join(ACTION, "action.yml"), "utf8"));
  expect(Object.keys(inputs)).toEqual(["targets", "inputs", "token", "wait-seconds", "strict"]);
  const script = readFileSync(join(ACTION, "run.mjs"), "utf8");
  for (const name of Object.keys(runs.steps.at(-1).env)) expect(script).toContain(name);
});
