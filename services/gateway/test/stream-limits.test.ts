import { beforeAll, expect, test } from "@jest/globals";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { pricingMesh } from "./support/mesh.ts";
import { as, get, openEvents, startRun } from "./support/people.ts";
import { rawConnection } from "./support/raw.ts";
import { testRedis } from "./support/redis.ts";
import { EventReader } from "./support/sse.ts";
import { callsOf, holding, type StandIn, standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const held = holding();
const ANN = as("ann");
/** Reads the runs of others, too. */
const BO = as("bo", "operator");

let agent: StandIn;
let gateway: TestGateway;
let runId: string;

beforeAll(async () => {
  agent = keep(await standIn({ PRICE_OPTIMIZATION: held.handler }));
  const redis = keep(await testRedis());
  const env = { MAX_STREAMS: "6" };
  gateway = keep(await testGateway({ manifest: pricingMesh(agent.url), redisUrl: redis.url, env }));
  runId = await startRun(gateway, { flow: "pricing", goals: ["optimizer"], inputs: {} }, ANN);
  await held.next();
});

const events = (): string => `/api/v1/runs/${runId}/events`;

test("a user has as many streams as leave as many for others; a stream that ends makes room", async () => {
  const own = [];
  for (let n = 0; n < 3; n++) own.push(keep({ stop: closer(await openEvents(gateway, runId, ANN)) }));
  const refused = await get(gateway, events(), ANN);
  expect([refused.status, refused.json().code]).toEqual([429, "quota_exceeded"]);
  expect(refused.headers["retry-after"]).toMatch(/^\d+$/);

  // A stream that is refused has begun nothing.
  const before = callsOf(agent, "PRICE_OPTIMIZATION").length;
  const chat = await EventReader.open(`${gateway.url}/api/v1/chat?stream=true`, {
    headers: ANN,
    body: { message: "propose", session_id: "refused" },
  });
  expect(chat.status).toBe(429);
  expect((await get(gateway, "/api/v1/sessions/refused", ANN)).status).toBe(404);
  expect(callsOf(agent, "PRICE_OPTIMIZATION")).toHaveLength(before);

  own[0]?.stop();
  await until(async () => {
    const reader = await openEvents(gateway, runId, ANN);
    keep({ stop: closer(reader) });
    return reader.status === 200;
  });
});

test("a stream is not served behind another answer on the same connection", async () => {
  const connection = keep(await rawConnection(gateway.url));
  const request = `GET ${events()} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${BO.authorization}\r\n\r\n`;
  const streams = () =>
    get(gateway, "/metrics").then(({ text }) => Number(/interlock_open_streams (\d+)/.exec(text)?.[1]));
  const before = await streams();
  connection.write(request.repeat(20));
  await until(async () => (await streams()) === before + 1);
  // All of them were looked at, in vain: the log has them.
  await until(() => gateway.logs().split('"code":"invalid_request"').length === 20);
  expect(await streams()).toBe(before + 1);
});

function closer(reader: EventReader): () => void {
  return () => reader.leave();
}
