import { fork } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "@jest/globals";
import { isRunning } from "../cli/src/is-running.ts";
import { isFree } from "../cli/src/ports.ts";
import { answersPing } from "../cli/src/redis.ts";
import { type Mesh, startMesh } from "./mesh.ts";
import { STAND_INS } from "./testing/stand-ins.ts";

interface Answer {
  readonly pid: number;
  readonly redis: string;
  readonly agent: string;
}

const started: Mesh[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((mesh) => mesh.stop()));
});

async function mesh(options: Parameters<typeof startMesh>[0] = {}): Promise<Mesh> {
  const result = await startMesh({ services: STAND_INS, redisUrl: "redis://127.0.0.1:1", ...options });
  started.push(result);
  return result;
}

async function ask(url: string): Promise<Answer> {
  return (await (await fetch(url, { headers: { connection: "close" } })).json()) as Answer;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await condition()) return;
    await delay(50);
  }
  throw new Error("did not come true within 10 s");
}

test("starts its own Redis and every service, tells them of each other, and stops them all", async () => {
  const { url, urls, redisUrl, processes, stop } = await mesh({ redisUrl: undefined });
  const port = Number(new URL(redisUrl).port);
  expect(await answersPing("127.0.0.1", port)).toBe(true);
  expect(await ask(url)).toMatchObject({ redis: redisUrl, agent: urls.worker });
  expect(processes.map(({ name }) => name)).toEqual(["redis", "worker", "gateway"]);
  const pids = processes.map(({ pid }) => pid ?? 0);
  await stop();
  expect(pids.filter(isRunning)).toEqual([]);
  expect(await isFree(port, "127.0.0.1")).toBe(true);
});

test("keeps to the ports it is given", async () => {
  const first = await mesh();
  const port = Number(new URL(first.url).port);
  await first.stop();
  const second = await mesh({ ports: { gateway: port } });
  expect(second.url).toBe(`http://127.0.0.1:${port}`);
});

test("replicas stand behind one address, which passes over a dead one", async () => {
  const { urls, find } = await mesh({ replicas: { worker: 2 } });
  const url = urls.worker ?? "";
  const [first, second] = [find("worker-1"), find("worker-2")];
  const seen = new Set([(await ask(url)).pid, (await ask(url)).pid]);
  expect(seen).toEqual(new Set([first.pid, second.pid]));
  first.kill("SIGKILL");
  await first.exited();
  expect((await ask(url)).pid).toBe(second.pid);
  expect((await ask(url)).pid).toBe(second.pid);
  await first.restart();
  expect(new Set([(await ask(url)).pid, (await ask(url)).pid])).toEqual(new Set([first.pid, second.pid]));
});

test("a stream through the shared address ends whole, or, when its replica is killed, as an error", async () => {
  const { urls, find } = await mesh({ replicas: { worker: 2 } });
  expect(await (await fetch(`${urls.worker}/slow`)).text()).toBe("first last");
  const cut = await fetch(`${urls.worker}/slow`);
  find("worker-1").kill("SIGKILL");
  find("worker-2").kill("SIGKILL");
  await expect(cut.text()).rejects.toThrow();
});

test("a frozen process can be continued, and stopped while it is frozen", async () => {
  const { url, find } = await mesh();
  const gateway = find("gateway");
  gateway.kill("SIGSTOP");
  await expect(fetch(url, { signal: AbortSignal.timeout(300) })).rejects.toThrow();
  gateway.kill("SIGCONT");
  expect((await ask(url)).pid).toBe(gateway.pid);
  gateway.kill("SIGSTOP");
  await gateway.stop(2_000);
  expect(gateway.running).toBe(false);
});

test("tells of a process that ends by itself, and not of one that was killed by its handle", async () => {
  const { find, onDeath } = await mesh();
  const deaths: string[] = [];
  onDeath((error) => deaths.push(error.message));
  const [worker, gateway] = [find("worker"), find("gateway")];
  gateway.kill("SIGKILL");
  await gateway.exited();
  process.kill(worker.pid ?? 0, "SIGKILL");
  await worker.exited();
  expect(deaths).toEqual(["worker was ended by SIGKILL"]);
});

test("a service that does not come up fails the start with its own words, and leaves nothing running", async () => {
  const failing = mesh({ serviceEnv: { worker: { STAND_IN: "broken" } } });
  await expect(failing).rejects.toMatchObject({
    code: "PROCESS_DIED",
    message: expect.stringMatching(
      /^worker ended with exit code 7; its log ends:\nstand-in: nothing works here$/,
    ),
  });
});

test("when the process that owns the mesh is killed outright, everything it started goes too", async () => {
  const owner = fork(fileURLToPath(new URL("./testing/owner.ts", import.meta.url)), { stdio: "inherit" });
  const { pids, scratch } = await new Promise<{ pids: number[]; scratch: string }>((resolve) => {
    owner.once("message", (message) => resolve(message as { pids: number[]; scratch: string }));
  });
  expect(pids.map(isRunning)).toEqual([true, true, true]);
  expect(existsSync(scratch)).toBe(true);
  owner.kill("SIGKILL");
  await until(() => !pids.some(isRunning) && !existsSync(scratch));
});

test("an own Redis keeps its data where it is told to", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "interlock-test-"));
  const { stop } = await mesh({ redisUrl: undefined, redis: { dataDir } });
  await stop();
  expect(existsSync(join(dataDir, "appendonlydir"))).toBe(true);
});
