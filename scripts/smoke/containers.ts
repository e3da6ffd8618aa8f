import { deepStrictEqual } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { ComposeProject } from "./docker.ts";

/** Asserts that a container runs as a user without privileges, with node as its first process, and cannot write to /app. */
export async function isContained(project: ComposeProject, container: string): Promise<void> {
  const script = `
    const { readFileSync, accessSync, constants } = require("node:fs");
    const name = readFileSync("/proc/1/cmdline", "utf8").split("\\0")[0];
    let writable = true;
    try { accessSync("/app", constants.W_OK) } catch { writable = false }
    console.log(JSON.stringify({ uid: process.getuid(), first: name, writable }));`;
  const answer: unknown = JSON.parse(await project.docker("exec", container, "node", "-e", script));
  deepStrictEqual(answer, { uid: 1000, first: "node", writable: false });
}

/** What Redis answers an agent that forges an approval: the word of its refusal. */
export async function forgery(project: ComposeProject, agent: string): Promise<string> {
  const script = `
    const { Redis } = require("ioredis");
    const { readFileSync } = require("node:fs");
    const redis = new Redis(readFileSync(process.env.REDIS_URL_FILE, "utf8").trim());
    redis.hset("il:{default}:approval:forged", "state", "approved")
      .then(() => "taken", (error) => error.message.split(" ")[0])
      .then((word) => { console.log(word); redis.disconnect(); });`;
  return await project.docker("exec", agent, "node", "-e", script);
}

/** The host addresses that the project publishes, e.g. `127.0.0.1:8080`. */
export async function publishedAddresses(project: ComposeProject): Promise<string[]> {
  const ids = (await project.docker("compose", "ps", "--quiet")).split("\n");
  const format =
    "{{range $p, $bound := .NetworkSettings.Ports}}{{range $bound}}{{.HostIp}}:{{.HostPort}} {{end}}{{end}}";
  const bound = await project.docker("inspect", "--format", format, ...ids);
  return bound.split(/\s+/).filter((address) => address !== "");
}

/** Returns the one gateway that executes runs now. */
export async function busyGateway(project: ComposeProject): Promise<string> {
  const script = "fetch('http://127.0.0.1:9464/metrics').then((a) => a.text()).then(console.log)";
  const busy: string[] = [];
  for (const container of await project.containers("gateway")) {
    const metrics = await project.docker("exec", container, "node", "-e", script);
    if (/^interlock_running_runs [1-9]/m.test(metrics)) busy.push(container);
  }
  const [one] = busy;
  if (one === undefined || busy.length > 1) throw new Error(`${busy.length} gateways execute runs`);
  return one;
}

/** Waits until a container is healthy. */
export async function healthy(project: ComposeProject, container: string): Promise<void> {
  for (let tries = 0; tries < 360; tries += 1) {
    const status = await project.docker("inspect", "--format", "{{.State.Health.Status}}", container);
    if (status === "healthy") return;
    await delay(500);
  }
  throw new Error("a container did not become healthy within three minutes");
}
