import { deepStrictEqual, fail } from "node:assert/strict";
import { type Asker, ask, isWholeAnswer } from "./answers.ts";
import type { ComposeProject } from "./docker.ts";

const OPTIMIZER_METRICS = "http://127.0.0.1:8081/metrics";

/** A gateway looks for the addresses of a name every 5 s. */
const FOUND_WITHIN_MS = 30_000;

/** Asks one after the other until each optimizer has run something, then counts where the next ones go. @returns the counts */
export async function isSpread(project: ComposeProject, analyst: Asker, asks = 12): Promise<string> {
  const replicas = await project.containers("optimizer");
  const runs = async () => await Promise.all(replicas.map((container) => runsOf(project, container)));
  const first = await runs();
  const since = performance.now();
  for (let n = 0; (await runs()).some((count, at) => count === first[at]); n += 1) {
    if (performance.now() - since > FOUND_WITHIN_MS) fail(`a replica was not found: ${await runs()} runs`);
    isWholeAnswer(await ask(analyst, `smoke-found-${n}`));
  }
  const before = await runs();
  for (let n = 0; n < asks; n += 1) isWholeAnswer(await ask(analyst, `smoke-spread-${n}`));
  const after = await runs();
  const counts = after.map((count, at) => count - (before[at] ?? 0));
  deepStrictEqual(
    counts,
    replicas.map(() => asks / replicas.length),
  );
  return `${asks} asks: ${counts.join("/")}`;
}

/** How many runs an optimizer has ended. */
async function runsOf(project: ComposeProject, container: string): Promise<number> {
  const script = `fetch("${OPTIMIZER_METRICS}").then((a) => a.text()).then(console.log)`;
  const metrics = await project.docker("exec", container, "node", "-e", script);
  const lines = metrics.matchAll(/^interlock_agent_runs_total\{[^}]*\} (\d+)$/gm);
  return Array.from(lines, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}
