/** The Compose file with a real Docker Engine: build, up, ask, scale, kill replicas in mid-stream, down. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { fail, say } from "../lib/console.ts";
import { freePort } from "../lib/ports.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { ask, isAnswerOrCleanError, isContained, isWholeAnswer, publishedAddresses } from "./checks.ts";
import { ComposeProject, missingDocker } from "./docker.ts";

/** What a check resolves to is printed beside its name if it is text. */
type Check = readonly [name: string, work: () => Promise<unknown>];

async function main(): Promise<void> {
  const missing = await missingDocker();
  if (missing !== undefined) {
    say(`skipped: the Compose smoke test needs a Docker Engine with Compose; ${missing}`);
    say("0 passed, 0 failed");
    return;
  }
  const port = await freePort("127.0.0.1");
  const project = new ComposeProject(`interlock-smoke-${process.pid}`, {
    GATEWAY_PORT: String(port),
    INTERLOCK_TAG: "smoke",
  });
  const url = `http://127.0.0.1:${port}`;
  const signal = stopSignal();
  const { passed, failed } = await runChecks(checksOf(project, url), signal);
  if (failed > 0) {
    process.exitCode = 1;
    await project.compose("ps", "--all").catch(() => undefined);
    await project.compose("logs", "--tail", "20").catch(() => undefined);
  }
  await project.compose("down", "--volumes", "--timeout", "5").catch(() => undefined);
  say(`\n${passed} passed, ${failed} failed`);
}

/** In order; the first that fails ends it, since what follows builds on it. */
async function runChecks(
  checks: readonly Check[],
  signal: AbortSignal,
): Promise<{ passed: number; failed: number }> {
  let passed = 0;
  for (const [name, work] of checks) {
    if (signal.aborted) return { passed, failed: 1 };
    const started = performance.now();
    const took = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    try {
      const note = await work();
      passed += 1;
      say(`ok     ${name} (${took()})${typeof note === "string" ? `: ${note}` : ""}`);
    } catch (error) {
      say(`FAILED ${name} (${took()}): ${Error.isError(error) ? error.message : String(error)}`);
      return { passed, failed: 1 };
    }
  }
  return { passed, failed: 0 };
}

function checksOf(project: ComposeProject, url: string): Check[] {
  const up = (...args: string[]) =>
    project.compose("up", "--detach", "--wait", "--wait-timeout", "120", ...args);
  return [
    ["images build", () => project.compose("build")],
    ["everything comes up healthy", () => up()],
    [
      "only the gateway is published, on this machine alone",
      async () => {
        deepStrictEqual(await publishedAddresses(project), [new URL(url).host]);
      },
    ],
    [
      "services run as node, not as root, and cannot write to their image",
      async () => {
        for (const service of ["gateway", "optimizer"]) {
          for (const container of await project.containers(service)) await isContained(project, container);
        }
      },
    ],
    [
      "the composite ask streams a whole answer",
      async () => {
        isWholeAnswer(await ask(url, "smoke-1"));
      },
    ],
    [
      "an agent scales to three replicas",
      async () => {
        await up("--scale", "optimizer=3", "--no-recreate");
        strictEqual((await project.containers("optimizer")).length, 3);
        isWholeAnswer(await ask(url, "smoke-2"));
      },
    ],
    [
      "one replica killed in mid-stream: an answer or a clean error",
      async () => {
        return isAnswerOrCleanError(await askWhileKilling(project, url, "smoke-3", 1));
      },
    ],
    [
      "all replicas killed in mid-stream: a clean error",
      async () => {
        const code = isAnswerOrCleanError(await askWhileKilling(project, url, "smoke-4", 3));
        if (code === "answer") throw new Error("the ask succeeded without an optimizer");
        return code;
      },
    ],
    [
      "works again once the replicas are back",
      async () => {
        await up("--scale", "optimizer=3", "--no-recreate");
        isWholeAnswer(await ask(url, "smoke-5"));
      },
    ],
    ["stops in order within its grace", () => project.compose("stop", "--timeout", "20")],
  ];
}

/** Freezes every optimizer, so that its call is under way for sure, then kills some and lets the rest go on. */
async function askWhileKilling(project: ComposeProject, url: string, session: string, count: number) {
  const replicas = await project.containers("optimizer");
  await project.docker("kill", "--signal", "STOP", ...replicas);
  let struck = false;
  return await ask(url, session, async ({ tool_call }) => {
    if (struck || tool_call?.agent !== "optimizer") return;
    struck = true;
    await project.docker("kill", "--signal", "KILL", ...replicas.slice(0, count));
    if (count < replicas.length) await project.docker("kill", "--signal", "CONT", ...replicas.slice(count));
  });
}

await main().catch(fail);
