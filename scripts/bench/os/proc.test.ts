import { spawn } from "node:child_process";
import { expect, test } from "@jest/globals";
import { allowedCores, machineBusyS, mostOpenFiles, usageOf } from "./proc.ts";

const onLinux = process.platform === "linux" ? test : test.skip;

onLinux("the work of a process counts, and that of children, alive or ended", async () => {
  const before = usageOf([process.pid]);
  const busy = machineBusyS();
  const child = spawn(process.execPath, ["-e", "while (process.cpuUsage().user < 300_000);"]);
  expect(usageOf([process.pid]).rssKib).toBeGreaterThan(usageOf([child.pid ?? 0]).rssKib);
  await new Promise((resolve) => child.once("exit", resolve));
  const after = usageOf([process.pid]);
  expect(after.cpuS - before.cpuS).toBeGreaterThan(0.1);
  expect(machineBusyS() - busy).toBeGreaterThan(0.1);
  expect(after.rssKib).toBeGreaterThan(10_000);
});

onLinux("a process that is gone costs nothing", () => {
  expect(usageOf([2 ** 22 + 1])).toEqual({ cpuS: 0, rssKib: 0 });
});

onLinux("the limits of this process can be read", () => {
  expect(allowedCores().length).toBeGreaterThan(0);
  expect(mostOpenFiles()).toBeGreaterThan(100);
});
