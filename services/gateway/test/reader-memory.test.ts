import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { type Call, event, finish, holding, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const optimizer = holding();
let gateway: GatewayProcess;

beforeAll(async () => {
  const redis = keep(await testRedis());
  const agent = keep(await standIn({ PRICE_OPTIMIZATION: optimizer.handler }));
  gateway = keep(
    await gatewayProcess({
      manifest: pricingMesh(agent.url),
      redisUrl: redis.url,
      // Such a heap makes the garbage collector hold the event loop: not a stall to report.
      env: { NODE_OPTIONS: SMALL_HEAP, LOOP_REPORT_MS: "60000" },
    }),
  );
});

const READERS = 20;
/** Makes the process collect its garbage often. */
const SMALL_HEAP = "--max-old-space-size=96 --max-semi-space-size=2";
const LOG_BYTES = 32 * 1024 * 1024;

async function flood(call: Call, chunk: string): Promise<void> {
  for (let sent = 0; sent < LOG_BYTES; sent += chunk.length) {
    if (!call.res.write(event("progress", { chunk }))) await once(call.res, "drain");
  }
}

/** A client that asks for a run's events and reads nothing. */
function deafReader(runId: unknown): Socket {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause().write(`GET /api/v1/runs/${runId}/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`);
  use({ stop: () => socket.destroy() });
  return socket;
}

async function metric(name: string): Promise<number> {
  const { text } = await ask(`${gateway.url}/metrics`);
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

async function heldBytes(): Promise<number> {
  return (await metric("nodejs_heap_size_used_bytes")) + (await metric("nodejs_external_memory_bytes"));
}

test.each([
  ["small events", "x".repeat(2 * 1024)],
  ["large events", "x".repeat(256 * 1024)],
])("readers that never read cost about 1 MiB each, whatever there is to read: %s", async (_, chunk) => {
  const body = { message: "Propose new prices", session_id: randomUUID() };
  const client = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true`, { body });
  const call = await optimizer.next();
  const runId = call.body.workflow_id;
  await flood(call, chunk);
  finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
  await client.toEnd();
  await until(async () => (await metric("interlock_open_streams")) === 0);
  const before = await heldBytes();
  for (let n = 0; n < READERS; n++) deafReader(runId);
  await until(async () => (await metric("interlock_open_streams")) === READERS);
  // Until they are dropped. Garbage comes and goes, so that the least is what they hold.
  let least = Number.POSITIVE_INFINITY;
  await until(async () => {
    const held = await heldBytes();
    const open = await metric("interlock_open_streams");
    if (open === READERS) least = Math.min(least, held);
    return open === 0;
  });
  // With some garbage that was not collected yet. A reader that holds all there is costs 32 MiB.
  expect((least - before) / READERS).toBeLessThan(3 * 1024 * 1024);
});
