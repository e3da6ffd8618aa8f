import { setTimeout as delay } from "node:timers/promises";
import type { Target } from "./probes/agent-under-check.ts";

const PAUSE_MS = 250;
const ANSWER_MS = 2_000;

/**
 * Waits until all targets are ready, for agents that were started just before. Readiness is optional: an agent that answers in
 * another way than with 503 counts. Those that do not in time are checked as they are, and the report says why.
 */
export async function untilReady(targets: readonly Target[], waitMs: number): Promise<void> {
  const until = performance.now() + waitMs;
  const wait = async (url: string): Promise<void> => {
    while (performance.now() < until && !(await isReady(url))) await delay(PAUSE_MS);
  };
  await Promise.all(targets.map(({ url }) => wait(url)));
}

async function isReady(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${url}/health/ready`, { redirect: "manual", signal });
    await answer.body?.cancel();
    return answer.status !== 503;
  } catch {
    return false;
  }
}
