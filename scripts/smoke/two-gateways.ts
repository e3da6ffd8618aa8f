import { deepStrictEqual, fail, strictEqual } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { type ChatEvent, createClient } from "@interlock/client";
import { SIMPLE_ASK } from "../lib/asks.ts";
import type { Check } from "../lib/run-checks.ts";
import { ask, isWholeAnswer } from "./answers.ts";
import { busyGateway, healthy, publishedAddresses } from "./containers.ts";
import type { ComposeProject } from "./docker.ts";
import { SmallLoad } from "./small-load.ts";

/** Checks docker-compose.replicas.yml: two gateways behind a balancer. One is killed, then each is stopped. */
export function twoGateways(project: ComposeProject, url: string): Check[] {
  return [
    [
      "two gateways and a balancer come up healthy",
      async () => {
        await project.up();
        strictEqual((await project.containers("gateway")).length, 2);
      },
    ],
    [
      "only the balancer is published, on this machine alone",
      async () => {
        deepStrictEqual(await publishedAddresses(project), [new URL(url).host]);
      },
    ],
    [
      "the composite ask streams a whole answer through the balancer",
      async () => {
        isWholeAnswer(await ask(url, "smoke-6"));
      },
    ],
    [
      "nobody is who they say they are: identity headers are refused",
      async () => {
        const { status } = await fetch(`${url}/api/v1/approvals`, { headers: { "x-roles": "admin" } });
        strictEqual(status, 401);
      },
    ],
    ["a caller who leaves is gone for the gateway too", () => leave(project, url)],
    ["a gateway killed in mid-stream: the stream goes on from the other", () => killHolder(project, url)],
    ["each gateway stopped under load: no POST fails, streams go on", () => roll(project, url)],
    ["stops in order within its grace", () => project.compose("stop", "--timeout", "20")],
  ];
}

/** Checks that a simple ask is cancelled when its caller leaves. */
async function leave(project: ComposeProject, url: string): Promise<void> {
  const { runs, chat } = createClient({ baseUrl: url });
  const agents = await project.containers("policy");
  await project.docker("kill", "--signal", "STOP", ...agents);
  try {
    for await (const event of chat(SIMPLE_ASK, { sessionId: "smoke-7" })) {
      if (event.type === "tool_call") break;
    }
    const stateOf = async () => (await runs.list({ sessionId: "smoke-7" })).runs[0]?.state;
    for (let tries = 0; (await stateOf()) !== "cancelled"; tries += 1) {
      if (tries === 50) fail("the run went on for 5 s");
      await delay(100);
    }
  } finally {
    await project.docker("kill", "--signal", "CONT", ...agents);
  }
}

/** Kills the gateway that executes a plan, while a frozen optimizer keeps the plan under way. */
async function killHolder(project: ComposeProject, url: string): Promise<string> {
  const agents = await project.containers("optimizer");
  await project.docker("kill", "--signal", "STOP", ...agents);
  let killed = "";
  let resumedAfter: number | undefined;
  const seen = async (event: ChatEvent) => {
    if (killed || event.type !== "tool_call" || event.tool_call.agent !== "optimizer") return;
    killed = await busyGateway(project);
    await project.docker("kill", killed);
    await project.docker("kill", "--signal", "CONT", ...agents);
  };
  const onRetry = ({ lastSeq }: { lastSeq?: number }) => {
    resumedAfter ??= lastSeq;
  };
  const events = await ask(url, "smoke-8", seen, { onRetry });
  isWholeAnswer(events);
  if (resumedAfter === undefined) fail("the stream was not cut");
  const [first] = events;
  if (first?.type !== "started") fail("the first event does not name the run");
  const again: ChatEvent[] = [];
  const { runs } = createClient({ baseUrl: url });
  for await (const event of runs.events(first.thread_id, { dialect: "chat" })) again.push(event);
  deepStrictEqual(again, events);
  await project.docker("start", killed);
  await healthy(project, killed);
  return `${events.length} events, cut after ${resumedAfter}`;
}

async function roll(project: ComposeProject, url: string): Promise<string> {
  const load = new SmallLoad(url);
  for (const container of await project.containers("gateway")) {
    await delay(1_000);
    await project.docker("stop", container);
    strictEqual(await project.docker("inspect", "--format", "{{.State.ExitCode}}", container), "0");
    await project.docker("start", container);
    await healthy(project, container);
  }
  return await load.stop();
}
