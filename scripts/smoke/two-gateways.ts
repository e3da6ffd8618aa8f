import { deepStrictEqual, fail, strictEqual } from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { type ChatEvent, createClient } from "@interlock/client";
import { SIMPLE_ASK } from "../lib/asks.ts";
import type { Check } from "../lib/run-checks.ts";
import { type Asker, analystOf, ask, isWholeAnswer } from "./answers.ts";
import { busyGateway, healthy, publishedAddresses } from "./containers.ts";
import type { ComposeProject } from "./docker.ts";
import { SmallLoad } from "./small-load.ts";

/** Of the gateways under test: less than anybody would want to wait for. */
export const ISSUER_CACHE_S = 5;

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
        isWholeAnswer(await ask(analystOf(project, url), "smoke-6"));
      },
    ],
    ["a key that was rotated is refused by both gateways in time", () => rotate(project)],
    ["a caller who leaves is gone for the gateway too", () => leave(project, analystOf(project, url))],
    [
      "a gateway killed in mid-stream: the stream goes on from the other",
      () => killHolder(project, analystOf(project, url)),
    ],
    [
      "each gateway stopped under load: no POST fails, streams go on",
      () => roll(project, analystOf(project, url)),
    ],
    ["stops in order within its grace", () => project.compose("stop", "--timeout", "20")],
  ];
}

/** Rotates the issuer's key. Each gateway refuses the old one within the time of its cache, and takes the new one. */
async function rotate(project: ComposeProject): Promise<string> {
  const gateways = await project.containers("gateway");
  const statuses = async (token: string) =>
    await Promise.all(gateways.map((gateway) => statusAt(project, gateway, token)));
  const old = await project.token("ann", "analyst");
  deepStrictEqual(await statuses(old), [200, 200]);
  await project.rotateKey();
  const since = performance.now();
  while ((await statuses(old)).some((status) => status !== 401)) {
    if (performance.now() - since > (ISSUER_CACHE_S + 10) * 1000) fail("the old key still counts");
    await delay(200);
  }
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  deepStrictEqual(await statuses(await project.token("ann", "analyst")), [200, 200]);
  return `refused after ${seconds} s; keys count for ${ISSUER_CACHE_S} s without a look`;
}

async function statusAt(project: ComposeProject, gateway: string, token: string): Promise<number> {
  const script = `fetch("http://127.0.0.1:8080/api/v1/runs", { headers: { authorization: "Bearer " + process.argv[1] } })
    .then(({ status }) => console.log(status))`;
  return Number(await project.docker("exec", gateway, "node", "-e", script, token));
}

/** Checks that a simple ask is cancelled when its caller leaves. */
async function leave(project: ComposeProject, { url: baseUrl, token }: Asker): Promise<void> {
  const { runs, chat } = createClient({ baseUrl, token });
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
async function killHolder(project: ComposeProject, analyst: Asker): Promise<string> {
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
  const events = await ask(analyst, "smoke-8", seen, { onRetry });
  isWholeAnswer(events);
  if (resumedAfter === undefined) fail("the stream was not cut");
  const [first] = events;
  if (first?.type !== "started") fail("the first event does not name the run");
  const again: ChatEvent[] = [];
  const { runs } = createClient({ baseUrl: analyst.url, token: analyst.token });
  for await (const event of runs.events(first.thread_id, { dialect: "chat" })) again.push(event);
  deepStrictEqual(again, events);
  await project.docker("start", killed);
  await healthy(project, killed);
  return `${events.length} events, cut after ${resumedAfter}`;
}

async function roll(project: ComposeProject, analyst: Asker): Promise<string> {
  const load = new SmallLoad(analyst);
  for (const container of await project.containers("gateway")) {
    await delay(1_000);
    await project.docker("stop", container);
    strictEqual(await project.docker("inspect", "--format", "{{.State.ExitCode}}", container), "0");
    await project.docker("start", container);
    await healthy(project, container);
  }
  return await load.stop();
}
