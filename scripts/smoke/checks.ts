import { fail, strictEqual } from "node:assert/strict";
import { askChat, type ChatEvent, COMPOSITE_ASK } from "../lib/chat.ts";
import type { ComposeProject } from "./docker.ts";

const ASK_TIMEOUT_MS = 120_000;

/** Asks the composite question; `seen` hears every event as it comes. A stream without its end throws. */
export async function ask(
  url: string,
  session: string,
  seen: (event: ChatEvent) => void | Promise<void> = () => undefined,
): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  for await (const event of askChat(url, { message: COMPOSITE_ASK, session_id: session }, signal)) {
    events.push(event);
    await seen(event);
  }
  return events;
}

/** The whole answer: a plan, a finished call of every agent in it, a message at the end. */
export function isWholeAnswer(events: readonly ChatEvent[]): void {
  const last = events.at(-1);
  strictEqual(last?.error, undefined, `the run failed: ${last?.code}`);
  if (!last?.message) fail("the last event has no message");
  const planned = plannedAgents(events);
  for (const agent of ["optimizer", "policy", "explainer"]) {
    if (!planned.includes(agent)) fail(`no plan with a step of ${agent} was streamed`);
  }
  const finished = events.map(({ tool_call }) => (tool_call?.status === "ok" ? tool_call.agent : undefined));
  for (const agent of planned) {
    if (!finished.includes(agent)) fail(`no finished call of ${agent} was streamed`);
  }
}

function plannedAgents(events: readonly ChatEvent[]): string[] {
  const steps = events.find(({ progress }) => progress?.stage === "plan")?.progress?.steps;
  return Array.isArray(steps) ? steps.flatMap(({ agent }) => (typeof agent === "string" ? [agent] : [])) : [];
}

/** A whole answer, or an end that says what failed and whether asking again makes sense. */
export function isAnswerOrCleanError(events: readonly ChatEvent[]): "answer" | string {
  const last = events.at(-1);
  if (last?.error === undefined) {
    isWholeAnswer(events);
    return "answer";
  }
  if (!last.code || typeof last.retryable !== "boolean") fail("the error has no code, or no retryable");
  return last.code;
}

/** No root, node itself as the first process, nothing writable but what is mounted. */
export async function isContained(project: ComposeProject, container: string): Promise<void> {
  const script = `
    const { readFileSync, accessSync, constants } = require("node:fs");
    const name = readFileSync("/proc/1/cmdline", "utf8").split("\\0")[0];
    let writable = true;
    try { accessSync("/app", constants.W_OK) } catch { writable = false }
    console.log(JSON.stringify({ uid: process.getuid(), first: name, writable }));`;
  const answer: unknown = JSON.parse(await project.docker("exec", container, "node", "-e", script));
  strictEqual(JSON.stringify(answer), JSON.stringify({ uid: 1000, first: "node", writable: false }));
}

/** Host addresses that the project's containers listen on, e.g. `127.0.0.1:8080`. */
export async function publishedAddresses(project: ComposeProject): Promise<string[]> {
  const ids = (await project.docker("compose", "ps", "--quiet")).split("\n");
  const format =
    "{{range $p, $bound := .NetworkSettings.Ports}}{{range $bound}}{{.HostIp}}:{{.HostPort}} {{end}}{{end}}";
  const bound = await project.docker("inspect", "--format", format, ...ids);
  return bound.split(/\s+/).filter((address) => address !== "");
}
