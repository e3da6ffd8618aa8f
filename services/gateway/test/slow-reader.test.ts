import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { GOOD_OUTPUTS, pricingMesh } from "./support/mesh.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { type Call, event, finish, holding, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
const optimizer = holding();
let gatewayThatWaits: (stalledMs: number) => Promise<TestGateway>;

beforeAll(async () => {
  const { url: redisUrl } = keep(await testRedis());
  const agent = keep(await standIn({ PRICE_OPTIMIZATION: optimizer.handler }));
  gatewayThatWaits = async (stalledMs) =>
    use(
      await testGateway({
        manifest: pricingMesh(agent.url),
        redisUrl,
        env: { STREAM_STALLED_MS: String(stalledMs) },
      }),
    );
});

/** More than sockets take on both sides, so that what is not read stays with the gateway. */
const FLOOD_BYTES = 16 * 1024 * 1024;
const CHUNK = "x".repeat(256 * 1024);

async function flood(call: Call): Promise<void> {
  for (let sent = 0; sent < FLOOD_BYTES; sent += CHUNK.length) {
    if (!call.res.write(event("progress", { CHUNK }))) await once(call.res, "drain");
  }
  finish(call, GOOD_OUTPUTS.PRICE_OPTIMIZATION);
}

/** A client that sends its request and reads nothing. */
function deafClient(gateway: TestGateway, path: string, body?: object): Socket {
  const socket = connect(Number(new URL(gateway.url).port), "127.0.0.1");
  const text = body ? JSON.stringify(body) : "";
  const head = `${body ? "POST" : "GET"} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`;
  socket.on("error", () => undefined);
  socket.pause().write(`${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  use({ stop: () => socket.destroy() });
  return socket;
}

const openStreams = async (gateway: TestGateway) => {
  const { text } = await ask(`${gateway.url}/metrics`);
  return Number(/^interlock_open_streams (\d+)$/m.exec(text)?.[1]);
};

test("a client that never reads is dropped, and costs neither the run nor its readers anything", async () => {
  const gateway = await gatewayThatWaits(5_000);
  const body = { message: "Propose new prices", session_id: randomUUID() };
  deafClient(gateway, "/api/v1/chat?stream=true&on_disconnect=continue", body);
  const call = await optimizer.next();
  const id = call.body.workflow_id;
  deafClient(gateway, `/api/v1/runs/${id}/events`);
  const reader = await EventReader.open(`${gateway.url}/api/v1/runs/${id}/events?dialect=chat`);
  await until(async () => (await openStreams(gateway)) === 3);
  await flood(call);
  // The run has ended and its reader has all of it while the deaf ones are still there.
  expect(await reader.over).toBe("ended");
  expect(reader.data.at(-1)).toMatchObject({ done: true, message: "One price moves." });
  expect(reader.data.map((data) => data.seq)).toEqual(reader.data.map((_, index) => index + 1));
  const chunks = reader.frames.filter(({ data }) => data.length > CHUNK.length);
  expect(chunks).toHaveLength(FLOOD_BYTES / CHUNK.length);
  await until(async () => (await openStreams(gateway)) === 0);
});

test("a client that reads slowly at first gets everything, at its own pace", async () => {
  // Longer than the flood takes, on a busy machine too.
  const gateway = await gatewayThatWaits(60_000);
  const client = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true`, {
    body: { message: "Propose new prices", session_id: randomUUID() },
  });
  const call = await optimizer.next();
  client.pause();
  const flooded = flood(call);
  await until(async () => {
    const { json } = await ask(`${gateway.url}/api/v1/runs/${client.headers["x-run-id"]}`);
    return Number(json().seq) > (FLOOD_BYTES / CHUNK.length) * 0.75;
  });
  client.resume();
  await flooded;
  expect(await client.over).toBe("ended");
  expect(client.data.at(-1)).toMatchObject({ done: true });
  expect(client.data.map((data) => data.seq)).toEqual(client.data.map((_, index) => index + 1));
});
