import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import { until } from "../test/agents.ts";
import { type AgentProcess, runToExit, startProcess } from "../test/process.ts";
import { runStream, runSync } from "./testing.ts";

const MAIN = fileURLToPath(new URL("../test/main.ts", import.meta.url));

let agent: AgentProcess | undefined;
afterEach(async () => {
  agent?.child.kill("SIGKILL");
  await agent?.exited;
  agent = undefined;
});

async function started(env: Record<string, string> = {}): Promise<AgentProcess> {
  agent = await startProcess(MAIN, env);
  return agent;
}

async function readiness(url: string) {
  const response = await fetch(`${url}/health/ready`);
  return { status: response.status, body: await response.json() };
}

async function active(url: string, runs: number): Promise<boolean> {
  return (await (await fetch(`${url}/metrics`)).text()).includes(`interlock_agent_runs_active ${runs}`);
}

describe("on SIGTERM", () => {
  test("an idle agent exits with 0", async () => {
    const { child, exited } = await started();
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  test("runs under way are finished, nothing new is taken, readiness says so, and it exits with 0", async () => {
    const { url, child, exited } = await started();
    const running = runStream(url, { task_type: "SLOW" });
    await until(() => active(url, 1));
    child.kill("SIGTERM");
    await until(async () => (await readiness(url)).status === 503);
    expect(await readiness(url)).toEqual({ status: 503, body: { status: "draining" } });
    const late = await runSync(url, { task_type: "COUNT" });
    expect(late).toMatchObject({ status: 503, body: { error: { code: "UNAVAILABLE" } } });
    expect(late.headers.get("connection")).toBe("close");
    expect(late.headers.get("retry-after")).toBe("1");
    expect((await running).final).toMatchObject({ status: "ok", outputs: { slept: true } });
    expect(await exited).toBe(0);
  });

  test("what is not finished within the grace time ends in an error terminal, and it exits with 0", async () => {
    const { url, child, exited } = await started({ SHUTDOWN_GRACE_MS: "200" });
    const streaming = runStream(url, { task_type: "DEAF" });
    const waiting = runSync(url, { task_type: "SLOW" });
    await until(() => active(url, 2));
    child.kill("SIGTERM");
    child.kill("SIGINT");
    expect((await streaming).final).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    expect((await waiting).body).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    expect(await exited).toBe(0);
  });
});

test("the environment sets how much runs at once and how much is logged", async () => {
  const { url, output } = await started({ MAX_CONCURRENT: "1", LOG_LEVEL: "info" });
  const running = runSync(url, { task_type: "SLOW" });
  await until(() => active(url, 1));
  expect((await runSync(url, { task_type: "COUNT" })).status).toBe(429);
  await running;
  await until(() => output().includes('"code":"OVERLOADED"'));
});

test("process metrics are there", async () => {
  const { url } = await started();
  expect(await (await fetch(`${url}/metrics`)).text()).toContain("process_resident_memory_bytes");
});

test("an error that nobody caught ends the process: the output says where it was thrown, not what it says", async () => {
  const dir = mkdtempSync(join(tmpdir(), "interlock-crash-"));
  const file = join(dir, "crash.mjs");
  const error = `Object.assign(new Error("marker"), { command: { args: ["marker"] } })`;
  writeFileSync(file, `process.once("SIGUSR2", () => void Promise.reject(${error}));`);
  const { child, exited, output } = await started({ NODE_OPTIONS: `--import=${pathToFileURL(file)}` });
  child.kill("SIGUSR2");
  expect(await exited).toBe(1);
  rmSync(dir, { recursive: true });
  expect(output()).toContain("crash.mjs");
  expect(output()).not.toContain("marker");
});

describe("a start that fails says why and exits with 1:", () => {
  test("a taken port", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, output } = await runToExit(MAIN, { PORT: String(port) });
    other.close();
    expect([code, output]).toEqual([1, `child: Port ${port} is taken: set PORT to a free one.\n`]);
  });

  test.each([
    ["PORT", "http", "PORT must be a whole number from 0 to 65535."],
    ["MAX_CONCURRENT", "0", "MAX_CONCURRENT must be a whole number from 1 to 100000."],
    ["LOG_LEVEL", "loud", "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent."],
    ["REDIS_URL", "localhost", "REDIS_URL must begin with redis:// or rediss://."],
    ["REDIS_URL_FILE", "/nowhere/marker", "REDIS_URL_FILE names a file that cannot be read."],
  ])("%s=%s", async (name, value, message) => {
    expect(await runToExit(MAIN, { [name]: value })).toEqual({ code: 1, output: `child: ${message}\n` });
  });

  test("a setting of its own that the agent refuses is told in one line", async () => {
    expect(await runToExit(MAIN, { COLOUR: "red" })).toEqual({
      code: 1,
      output: "COLOUR must not be set.\n",
    });
  });
});
