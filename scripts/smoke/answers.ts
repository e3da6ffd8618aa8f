import { fail } from "node:assert/strict";
import { type ChatEvent, type ClientOptions, createClient } from "@interlock/client";
import { COMPOSITE_ASK } from "../lib/asks.ts";
import type { ComposeProject } from "./docker.ts";

const ASK_TIMEOUT_MS = 120_000;

/** Whose asks go where. */
export type Asker = { readonly url: string; readonly token: () => Promise<string> };

/** An analyst of a Compose project; the token is signed at the first ask. */
export function analystOf(project: ComposeProject, url: string): Asker {
  let signed: Promise<string> | undefined;
  const token = () => {
    signed ??= project.token("smoke", "analyst");
    return signed;
  };
  return { url, token };
}

/** Sends the composite ask and calls `seen` with each event. @throws where the stream does not end properly */
export async function ask(
  { url, token }: Asker,
  sessionId: string,
  seen: (event: ChatEvent) => void | Promise<void> = () => undefined,
  options: Partial<ClientOptions> = { reconnect: false },
): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  for await (const event of createClient({ baseUrl: url, token, ...options }).chat(COMPOSITE_ASK, {
    sessionId,
    signal,
  })) {
    events.push(event);
    await seen(event);
  }
  return events;
}

/** Asserts a complete answer: a plan, a finished call of every agent in it, and a message at the end. */
export function isWholeAnswer(events: readonly ChatEvent[]): void {
  const last = events.at(-1);
  if (last?.type !== "end") fail("there is no last event");
  if ("error" in last) fail(`the run failed: ${last.code}`);
  if (!last.message) fail("the last event has no message");
  const planned = plannedAgents(events);
  for (const agent of ["optimizer", "policy", "explainer"]) {
    if (!planned.includes(agent)) fail(`no plan with a step of ${agent} was streamed`);
  }
  const finished = events.map((event) =>
    event.type === "tool_call" && event.tool_call.status === "ok" ? event.tool_call.agent : undefined,
  );
  for (const agent of planned) {
    if (!finished.includes(agent)) fail(`no finished call of ${agent} was streamed`);
  }
}

function plannedAgents(events: readonly ChatEvent[]): string[] {
  for (const event of events) {
    if (event.type !== "progress" || !isPlan(event.progress)) continue;
    const { steps } = event.progress;
    return steps.flatMap(({ agent }) => (typeof agent === "string" ? [agent] : []));
  }
  return [];
}

function isPlan(progress: unknown): progress is { stage: "plan"; steps: readonly { agent?: unknown }[] } {
  if (typeof progress !== "object" || progress === null || !("stage" in progress)) return false;
  return progress.stage === "plan" && "steps" in progress && Array.isArray(progress.steps);
}

/** Returns "answer" for a complete answer, or the error code of a failed run. */
export function answerOrCode(events: readonly ChatEvent[]): string {
  const last = events.at(-1);
  if (last?.type === "end" && "error" in last) return last.code;
  isWholeAnswer(events);
  return "answer";
}
