import { fileURLToPath } from "node:url";
import { readEvents } from "@interlock/agent-kit/testing";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { until } from "../../agent-kit/test/agents.ts";
import { type AgentProcess, startProcess } from "../../agent-kit/test/process.ts";
import { startRedis, type TestRedis } from "../../agent-kit/test/redis.ts";
import { idOf } from "../test/agent.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const ENTRIES = "interlock:agent:{transfer}:entries";
const LOG = "interlock:agent:{transfer}:log";

let server: TestRedis;
let redis: Redis;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

type State = Readonly<Record<string, unknown>>;

function send(agent: AgentProcess, state: State | null, message: string): Promise<Response> {
  const inputs = { state, message, history: [], locale: "en" };
  return fetch(`${agent.url}/agents/run/stream`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ request_id: "r", task_type: "TRANSFER_TURN", mode: "LIVE", inputs }),
  });
}

async function turn(agent: AgentProcess, state: State | null, message: string): Promise<State> {
  for await (const { event, data } of readEvents(await send(agent, state, message))) {
    if (event === "final") return (data.outputs as { state: State }).state;
  }
  throw new Error("the turn has no end");
}

/** Sends the confirmation and waits for its checkpoint, if it is to be seen. The rest of the answer is nobody's. */
async function confirm(agent: AgentProcess, ready: State, isSeen: boolean): Promise<State> {
  const answer = send(agent, ready, "yes");
  if (!isSeen) {
    await answer.catch(() => undefined);
    return ready;
  }
  for await (const { event, data } of readEvents(await answer)) {
    if (event === "progress") return (data.checkpoint as { state: State }).state;
  }
  throw new Error("there is no checkpoint");
}

async function timesBooked(id: string): Promise<number> {
  const log = await redis.xrange(LOG, "-", "+");
  return log.filter(([, fields]) => fields[1] === id).length;
}

/** Where the agent is killed: before the ledger answers, for Redis holds it back, or after the ledger has written. */
const PLACES = [
  ["before the ledger is written, the checkpoint seen", true, true],
  ["before the ledger is written, the checkpoint lost", true, false],
  ["after the ledger was written, the checkpoint seen", false, true],
  ["after the ledger was written, the checkpoint lost", false, false],
] as const;

test.each(PLACES)("kill -9 %s: the transfer is made exactly once", async (_, before, isSeen) => {
  const env = { REDIS_URL: server.url };
  const first = await startProcess(MAIN, env);
  const ready = await turn(first, null, "send 5,000 won to Minsu");
  const id = idOf(ready);
  // The pause holds the write back until after the kill: it is lost, or comes late.
  if (before) await redis.call("CLIENT", "PAUSE", "60000", "WRITE");
  const kept = await confirm(first, ready, isSeen);
  if (!before) await until(async () => (await redis.hexists(ENTRIES, id)) === 1);
  first.child.kill("SIGKILL");
  await first.exited;
  if (before) await redis.call("CLIENT", "UNPAUSE");

  const second = await startProcess(MAIN, env);
  const message = isSeen ? "did it work?" : "yes";
  expect(await turn(second, kept, message)).toMatchObject({ stage: "EXECUTED", slots: { target: "Minsu" } });
  expect(await timesBooked(id)).toBe(1);
  second.child.kill("SIGKILL");
  await second.exited;
});
