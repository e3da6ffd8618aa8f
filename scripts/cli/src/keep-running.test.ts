import { afterEach, expect, test } from "@jest/globals";
import { type Mesh, startMesh } from "../../lib/mesh.ts";
import { STAND_INS } from "../../lib/testing/stand-ins.ts";
import { keepRunning } from "./keep-running.ts";

let mesh: Mesh | undefined;
const stopping = new AbortController();
afterEach(async () => {
  stopping.abort();
  await mesh?.stop();
});

test("an agent, a gateway and Redis that are killed are started again, each said, until the mesh is to stop", async () => {
  const heard = new Map<string, () => void>();
  const said: string[] = [];
  const says = (text: string) => new Promise<void>((resolve) => heard.set(text, resolve));
  mesh = await startMesh({ services: STAND_INS });
  keepRunning(mesh, stopping.signal, (text) => {
    said.push(text);
    heard.get(text)?.();
  });
  const before = mesh.processes.map(({ pid }) => pid);
  const back = mesh.processes.map(({ name }) => says(`${name} is back.`));
  for (const pid of before) process.kill(pid ?? 0, "SIGKILL");
  await Promise.all(back);
  expect(mesh.processes.every(({ pid }) => pid !== undefined && !before.includes(pid))).toBe(true);
  expect(said.find((line) => line.startsWith("worker was"))).toMatch(
    /^worker was ended by SIGKILL[\s\S]*\nStarting worker again in 0\.5 s\.$/,
  );

  const worker = mesh.find("worker");
  const resting = new Promise<void>((resolve) => worker.onDeath(() => resolve()));
  process.kill(worker.pid ?? 0, "SIGKILL");
  await resting;
  expect(said.at(-1)).toContain("Starting worker again in 1 s.");
  stopping.abort();
  await mesh.stop();
  expect(worker.running).toBe(false);
});
