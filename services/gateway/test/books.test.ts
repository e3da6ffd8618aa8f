import { randomUUID } from "node:crypto";
import { gatewayContract } from "@interlock/contracts";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createClient } from "../../client/src/index.ts";
import { keysOf } from "../src/store/keys.ts";
import { closingAtEnd } from "./support/closing.ts";
import { type GatewayProcess, gatewayProcess, type TestGateway, testGateway } from "./support/gateway.ts";
import { ANN, as, decide, get, LEE, pausedRun, toRest } from "./support/people.ts";
import { CURRENT, PROPOSED, PUBLISHING, publishingMesh, StoreView } from "./support/publishing.ts";
import { testRedis } from "./support/redis.ts";
import { type StandIn, standIn } from "./support/stand-in.ts";

const keep = closingAtEnd();
let agent: StandIn;
let store: StoreView;
let gateway: TestGateway;
let redisUrl: string;

const BOOK = "/api/v1/price-book";
const ROLES = {
  "pricing-lead": { inherits: ["pricing_approver"] },
  reader: { books: ["price-*"] },
  clerk: { sessions: "own", services: ["publishing"] },
};

beforeAll(async () => {
  const redis = keep(await testRedis());
  redisUrl = redis.url;
  agent = keep(await standIn(PUBLISHING));
  store = keep(new StoreView(redisUrl));
  const manifest = { ...publishingMesh(agent.url), access: { roles: ROLES } };
  gateway = keep(await testGateway({ manifest, redisUrl }));
});

const read = async (query = "", headers = ANN) => {
  const answer = await get(gateway, BOOK + query, headers);
  expect(answer).toMatchObject({ status: 200 });
  expect(gatewayContract.bookPage(answer.json())).toMatchObject({ ok: true });
  return answer.json() as { entries: { run_id: string; [field: string]: unknown }[]; next?: string };
};

async function publish(): Promise<{ runId: string; approvalId: string; hash: string }> {
  const paused = await pausedRun(gateway, { flow: "publishing", inputs: { items: CURRENT } });
  expect((await decide(gateway, paused, "approve", LEE)).status).toBe(200);
  await toRest(gateway, paused.runId, ANN, paused.seq);
  return paused;
}

test("the book says what was published, when, by which run and step, asked by whom, approved by whom", async () => {
  const { runId, approvalId, hash } = await publish();
  const { entries } = await read();
  expect(entries[0]).toEqual({
    id: expect.stringMatching(/^\d+-\d+$/),
    published_at: expect.stringMatching(/^\d{4}-.*Z$/),
    run_id: runId,
    step: "publish",
    requested_by: "ann",
    sample: false,
    approval: { id: approvalId, decided_by: "lee", decided_at: expect.any(String), proposal_hash: hash },
    payload: { prices: PROPOSED },
  });
});

test("its pages are newest first, and have every entry once", async () => {
  const runs = [await publish(), await publish(), await publish()].map(({ runId }) => runId);
  const read3 = [];
  let page = await read("?limit=1");
  for (let pages = 0; pages < 3; pages++) {
    read3.push(page.entries[0]?.run_id);
    expect(page.entries).toHaveLength(1);
    page = await read(`?limit=1&before=${page.next}`);
  }
  expect(read3).toEqual(runs.toReversed());
  const all = await read();
  expect(all.next).toBeUndefined();
  expect(new Set(all.entries.map(({ id }) => id)).size).toBe(all.entries.length);
  const client = createClient({ baseUrl: gateway.url, headers: ANN });
  const first = await client.books.list("price-book", { limit: 1 });
  expect(first.entries.map(({ run_id }) => run_id)).toEqual(runs.slice(-1));
  await expect(client.books.list("../runs")).rejects.toMatchObject({ code: "invalid_argument" });
});

describe("who reads it", () => {
  test.each([
    ["an analyst", 200, as("bea")],
    ["an operator", 200, as("ola", "operator")],
    ["whoever has a role that names it", 200, as("rae", "reader")],
    ["an administrator", 200, as("root", "admin")],
    ["a viewer", 403, as("vi", "viewer")],
    ["a role that names other things", 403, as("cal", "clerk")],
    ["a role that nobody declared", 403, as("ian", "intern")],
  ])("%s: %s", async (_, status, headers) => {
    await publish();
    const answer = await get(gateway, BOOK, headers);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.json()).toMatchObject({ code: "forbidden", book: "price-book" });
    else expect(answer.json().entries).not.toEqual([]);
  });

  test("another tenant has another book", async () => {
    await publish();
    expect((await read("", as("ann", "admin", "elsewhere"))).entries).toEqual([]);
  });

  test("what is no cursor is refused", async () => {
    for (const before of ["x", "1-0", `${Date.now()}_x y`])
      expect((await get(gateway, `${BOOK}?before=${encodeURIComponent(before)}`, ANN)).status).toBe(400);
  });
});

test("entries from before there was a mark are read, with what their approvals know", async () => {
  const { runId, approvalId, hash } = await publish();
  const old = { run_id: runId, step: "publish", approval_id: approvalId, approved_by: "lee", payload: [1] };
  const made = {
    run_id: "gone",
    step: "apply",
    approval_id: null,
    approved_by: null,
    payload: ',"payload":',
  };
  const key = keysOf("default").book("price-book");
  for (const entry of [old, made])
    await store.redis.xadd(key, "*", "effect", "x", "payload", JSON.stringify(entry));
  const { entries } = await read("?limit=2");
  expect(entries).toMatchObject([
    { run_id: "gone", step: "apply", approval: null, payload: ',"payload":' },
    { run_id: runId, requested_by: "ann", approval: { id: approvalId, proposal_hash: hash }, payload: [1] },
  ]);
  for (const entry of entries) expect(entry).not.toHaveProperty("sample");
});

test("a page of large entries is short", async () => {
  const one: GatewayProcess = keep(await gatewayProcess({ manifest: publishingMesh(agent.url), redisUrl }));
  const prices = Array.from({ length: 10_000 }, (_, index) => ({
    item_id: `ITEM-${index}`,
    tiers: { new: { price: index + 0.25 }, exchange: { price: index + 0.125 } },
  }));
  const key = keysOf("large").book("price-book");
  for (let count = 0; count < 12; count++) {
    const payload = {
      run_id: randomUUID(),
      step: "publish",
      approval_id: null,
      approved_by: null,
      payload: prices,
    };
    await store.redis.xadd(key, "*", "effect", `${count}`, "payload", JSON.stringify(payload));
  }
  const headers = as("ann", "analyst", "large");
  let seen = 0;
  for (let next: string | undefined = ""; next !== undefined; ) {
    const answer = await get(one, `${BOOK}?limit=200${next === "" ? "" : `&before=${next}`}`, headers);
    expect(answer.status).toBe(200);
    const page = answer.json() as { entries: { payload: unknown }[]; next?: string };
    expect(page.entries.length).toBeLessThanOrEqual(2);
    expect(page.entries[0]?.payload).toEqual(prices);
    seen += page.entries.length;
    next = page.next;
  }
  expect(seen).toBe(12);
});
