import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Check } from "../lib/run-checks.ts";
import { type Asker, analystOf, answerOrCode, ask, isWholeAnswer } from "./answers.ts";
import { approvalStory } from "./approval-story.ts";
import { forgery, isContained, publishedAddresses } from "./containers.ts";
import type { ComposeProject } from "./docker.ts";
import { isSpread } from "./spread.ts";

/** Checks docker-compose.yml: starts it, asks, scales an agent, and kills the agent's replicas in mid-stream. */
export function oneGateway(project: ComposeProject, url: string): Check[] {
  const analyst = analystOf(project, url);
  return [
    ["everything comes up healthy", () => project.up()],
    [
      "only the gateway is published, on this machine alone",
      async () => {
        deepStrictEqual(await publishedAddresses(project), [new URL(url).host]);
      },
    ],
    [
      "services run as node, not as root, and cannot write to their image",
      async () => {
        for (const service of ["gateway", "optimizer", "issuer"]) {
          for (const container of await project.containers(service)) await isContained(project, container);
        }
      },
    ],
    [
      "an agent cannot write what is the gateway's",
      async () => {
        const [agent = ""] = await project.containers("optimizer");
        strictEqual(await forgery(project, agent), "NOPERM");
      },
    ],
    [
      "strangers see neither metrics nor the state of the process",
      async () => {
        strictEqual((await fetch(`${url}/metrics`)).status, 404);
        deepStrictEqual(await (await fetch(`${url}/readyz`)).json(), { status: "ready", store: "ok" });
      },
    ],
    [
      "the composite ask streams a whole answer",
      async () => {
        isWholeAnswer(await ask(analyst, "smoke-1"));
      },
    ],
    ...approvalStory(project, url),
    [
      "an agent scales to three replicas",
      async () => {
        await scale(project);
        strictEqual((await project.containers("optimizer")).length, 3);
        isWholeAnswer(await ask(analyst, "smoke-2"));
      },
    ],
    ["asks one after the other go to the three in turn", () => isSpread(project, analyst)],
    [
      "one replica killed in mid-stream: an answer or a clean error",
      async () => {
        return answerOrCode(await askWhileKilling(project, analyst, "smoke-3", 1));
      },
    ],
    [
      "all replicas killed in mid-stream: the plan waits and is answered once they are back",
      async () => {
        isWholeAnswer(await askWhileKilling(project, analyst, "smoke-4", 3, () => scale(project)));
      },
    ],
    ["stops in order within its grace", () => project.compose("stop", "--timeout", "20")],
  ];
}

/** Brings the optimizer to three replicas, whatever became of those it had. */
async function scale(project: ComposeProject): Promise<void> {
  await project.up("--scale", "optimizer=3", "--no-recreate");
}

/** Freezes all optimizers, so that the call is certainly under way, then kills some of them and lets the others go on. */
async function askWhileKilling(
  project: ComposeProject,
  analyst: Asker,
  session: string,
  count: number,
  afterwards: () => Promise<void> = () => Promise.resolve(),
) {
  const replicas = await project.containers("optimizer");
  await project.docker("kill", "--signal", "STOP", ...replicas);
  let struck = false;
  return await ask(analyst, session, async (event) => {
    if (struck || event.type !== "tool_call" || event.tool_call.agent !== "optimizer") return;
    struck = true;
    await project.docker("kill", "--signal", "KILL", ...replicas.slice(0, count));
    if (count < replicas.length) await project.docker("kill", "--signal", "CONT", ...replicas.slice(count));
    await afterwards();
  });
}
