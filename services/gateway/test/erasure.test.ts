import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import type { Redis } from "ioredis";
import { auditTenant } from "../../../scripts/lib/audit.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type TestGateway, testGateway } from "./support/gateway.ts";
import { wildServer } from "./support/mcp.ts";
import { as, decide, get, pausedRun, post, startRun, toRest } from "./support/people.ts";
import { PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { standIn } from "./support/stand-in.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
let gateway: TestGateway;
let view: StoreView;
/** A tenant of its own, so that nothing else is in its keys. */
const TENANT = `erase-${randomUUID().slice(0, 8)}`;
/** Names that are found wherever they are written. */
const NAME = `vera-${randomUUID().slice(0, 8)}`;
const WORD = `zebra-${randomUUID().slice(0, 8)}`;
const VERA = as(NAME, "", TENANT);
const EVE = as("eve", "", TENANT);
const ADMIN = as("root", "admin", TENANT);
const LEAD = as("lee", "pricing-lead", TENANT);
let issuer = "";
/** What a tool draws, and what it links to. */
const CHART = Buffer.from(`chart of ${WORD}`).toString("base64");
const LINKED = Buffer.from(`rows of ${WORD}`).toString("base64");

beforeAll(async () => {
  const { url: redisUrl } = keep(await testRedis());
  const agent = keep(await standIn(PUBLISHING));
  const image = { type: "image", mimeType: "image/png", data: CHART };
  const content = [image, { type: "resource_link", uri: "rows:1", name: "rows" }];
  const rows = { uri: "rows:1", mimeType: "text/csv", blob: LINKED };
  const wild = keep(
    await wildServer([{ name: "draw", answer: () => ({ content }) }], { resources: { "rows:1": [rows] } }),
  );
  const mesh = publishingMesh(agent.url);
  const drawing = { steps: { draw: { tool: "wild.draw", inputs: {} } }, goals: { drawing: ["draw"] } };
  const manifest = {
    ...mesh,
    flows: { ...mesh.flows, drawing },
    tools: { servers: { wild: { url: wild.url, tools: { draw: { reads: true } } } } },
  };
  gateway = keep(await testGateway({ manifest, redisUrl }));
  view = keep(new StoreView(redisUrl));
});

/** All that Redis holds of the tenant, as text, by key. */
async function everything(redis: Redis): Promise<Map<string, string>> {
  const held = new Map<string, string>();
  for (const key of await redis.keys(`il:{${TENANT}}:*`)) {
    const type = await redis.type(key);
    const read: Record<string, () => Promise<unknown>> = {
      hash: () => redis.hgetall(key),
      list: () => redis.lrange(key, 0, -1),
      stream: () => redis.xrange(key, "-", "+"),
      string: () => redis.get(key),
      zset: () => redis.zrange(key, "0", "-1"),
    };
    held.set(key, JSON.stringify(await read[type]?.()));
  }
  return held;
}

/** The kinds of keys that have one of the words in their name or value. */
async function kindsWith(...words: readonly string[]): Promise<string[]> {
  const found = [...(await everything(view.redis))].filter(([key, value]) =>
    words.some((word) => key.includes(word) || value.includes(word)),
  );
  const kinds = found.map(([key]) => key.replace(`il:{${TENANT}}:`, "").replaceAll(/[0-9a-f]{32,}/g, "<id>"));
  return [...new Set(kinds)].sort();
}

const erase = (headers = ADMIN, subject = NAME) =>
  post(gateway, "/api/v1/admin/erasures", { subject, issuer }, headers);

test("all that is kept of a person is erased, in every key of Redis, and others' data are not", async () => {
  const sessionId = randomUUID();
  const said = await post(
    gateway,
    "/api/v1/chat",
    { message: `Propose prices, ${WORD}`, session_id: sessionId },
    VERA,
  );
  expect(said.status).toBe(200);
  const run = String(said.json().thread_id);
  const rating = { turn_id: run, session_id: sessionId, rating: 2, comment: `bad, ${WORD}` };
  expect((await post(gateway, "/api/v1/feedback", rating, VERA)).status).toBe(200);
  const published = await pausedRun(gateway, { flow: "publishing" }, VERA);
  const other = await post(
    gateway,
    "/api/v1/chat",
    { message: "Propose prices", session_id: randomUUID() },
    EVE,
  );
  const others = String(other.json().thread_id);
  [issuer = ""] = (await view.redis.zrange(`il:{${TENANT}}:owners`, "0", "-1"))[0]?.split(":") ?? [];

  // Something is open: it would go on to write.
  const early = await erase();
  expect([early.status, early.json().code]).toEqual([409, "conflict"]);
  expect((await decide(gateway, published, "approve", LEAD)).status).toBe(200);
  await toRest(gateway, published.runId, VERA);
  expect((await erase(EVE)).status).toBe(403);
  expect((await kindsWith(NAME, WORD)).length).toBeGreaterThan(8);

  const erased = await erase();
  expect([erased.status, erased.json()]).toEqual([
    200,
    expect.objectContaining({ runs: 2, sessions: 2, ratings: 1 }),
  ]);
  // What stays is what others rely on: the approval, the book, and the log of decisions.
  expect(await kindsWith(WORD)).toEqual([]);
  expect(await kindsWith(NAME)).toEqual(["approval:<id>", "audit", "book:price-book"]);
  expect(await kindsWith(run)).toEqual([]);
  expect((await get(gateway, `/api/v1/runs/${run}`, VERA)).status).toBe(404);
  expect((await get(gateway, `/api/v1/runs/${others}`, EVE)).status).toBe(200);

  // Asked again, there is nothing more.
  expect((await erase()).json()).toMatchObject({ runs: 0, sessions: 0, ratings: 0 });
});

test("images and linked resources of tools are erased with their run, in every key of Redis", async () => {
  let run = "";
  // The server is found, and schemas are judged, after a while.
  await until(async () => {
    run = await startRun(gateway, { flow: "drawing" }, VERA);
    return (await toRest(gateway, run, VERA)).at(-1)?.type === "run_finished";
  });
  const artifact = (id: string) => get(gateway, `/api/v1/runs/${run}/artifacts?artifact=${id}`, VERA);
  expect((await artifact("draw.1.1.1")).text).toContain(WORD);
  expect((await artifact("draw.1.1.2")).text).toContain(WORD);
  expect(await kindsWith(CHART)).toEqual(["run:<id>:steps"]);
  expect(await kindsWith(LINKED)).toEqual(["run:<id>:steps"]);

  expect((await erase()).status).toBe(200);
  expect(await kindsWith(CHART, LINKED, WORD)).toEqual([]);
  expect((await artifact("draw.1.1.1")).status).toBe(404);
});

test("the erasure is in the decision log, by a digest that is the same each time, and the chain holds", async () => {
  const { subject_digest: digest, erasure_id: id } = (await erase()).json();
  const entries = (await view.redis.xrange(`il:{${TENANT}}:audit`, "-", "+")).map(([, [, entry = "{}"]]) =>
    JSON.parse(entry),
  );
  const erasures = entries.filter(({ act }) => act === "data_erased");
  expect(new Set(erasures.map(({ subject_digest }) => subject_digest))).toEqual(new Set([digest]));
  expect(erasures.at(-1)).toMatchObject({ id, by: `${issuer}:root` });
  expect(JSON.stringify(erasures)).not.toContain(NAME);
  expect((await erase(ADMIN, "somebody-else")).json().subject_digest).not.toBe(digest);
  expect((await auditTenant(view.redis, TENANT)).problems).toEqual([]);
});
