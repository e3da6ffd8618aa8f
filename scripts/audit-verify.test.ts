import { execFile } from "node:child_process";
import { hash, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Redis } from "ioredis";
import { closing, closingAtEnd } from "../services/gateway/test/support/closing.ts";
import { type TestGateway, testGateway } from "../services/gateway/test/support/gateway.ts";
import {
  as,
  decide,
  type Paused,
  pausedRun,
  post,
  startRun,
  toRest,
} from "../services/gateway/test/support/people.ts";
import {
  PROPOSED,
  PUBLISHING,
  publishingMesh,
  RULE,
  StoreView,
} from "../services/gateway/test/support/publishing.ts";
import { testRedis } from "../services/gateway/test/support/redis.ts";
import { type StandIn, standIn } from "../services/gateway/test/support/stand-in.ts";
import { until } from "../services/gateway/test/support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redisUrl: string;
let redis: Redis;
let agent: StandIn;
let gateway: TestGateway;
/** Each test has a tenant of its own, with one approved, one rejected, one cancelled and one pending approval. */
let tenant: string;
let approved: Paused;
let rejected: Paused;
let pending: Paused;

beforeAll(async () => {
  ({ url: redisUrl } = keep(await testRedis()));
  ({ redis } = keep(new StoreView(redisUrl)));
  agent = keep(await standIn(PUBLISHING));
  // Asks for an approval unless there are no inputs.
  const manifest = publishingMesh(agent.url, { ...RULE, when: "has(request.inputs.items)" });
  gateway = keep(await testGateway({ manifest, redisUrl }));
});

beforeEach(async () => {
  tenant = randomUUID();
  const [ann, lee, kim] = [
    as("ann", "", tenant),
    as("lee", "pricing-lead", tenant),
    as("kim", "pricing-lead", tenant),
  ];
  const flow = { flow: "publishing", inputs: { items: PROPOSED } };
  approved = await pausedRun(gateway, flow, ann);
  rejected = await pausedRun(gateway, flow, ann);
  pending = await pausedRun(gateway, flow, ann);
  const cancelled = await pausedRun(gateway, flow, ann);
  const edits = [{ item_id: "A100", price: 11 }];
  const edit = await decide(gateway, approved, "edit", lee, { edits });
  await decide(gateway, { ...approved, hash: String(edit.json().proposal_hash) }, "approve", kim);
  await decide(gateway, rejected, "reject", lee, { note: "too high" });
  await post(gateway, `/api/v1/runs/${cancelled.runId}/cancel`, {}, ann);
  await toRest(gateway, approved.runId, ann, approved.seq);
  await toRest(gateway, await startRun(gateway, { flow: "publishing" }, ann), ann);
});

const key = (name: string) => `il:{${tenant}}:${name}`;

/** Runs the command. */
function verify(...tenants: string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const script = fileURLToPath(new URL("./audit-verify.ts", import.meta.url));
    const env = { ...process.env, REDIS_URL: redisUrl };
    const child = execFile(process.execPath, [script, ...tenants], { env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, text: stdout + stderr });
    });
  });
}

type Fields = Record<string, string>;

/** Writes a stream anew with other entries at the same places, as somebody would who rewrites history. */
async function rewrite(stream: string, change: (fields: Fields, place: string) => Fields | undefined) {
  const all = await redis.xrange(stream, "-", "+");
  const pipeline = redis.pipeline().del(stream);
  for (const [place, pairs] of all) {
    const fields: Fields = {};
    for (let at = 0; at < pairs.length; at += 2) fields[String(pairs[at])] = String(pairs[at + 1]);
    const changed = change(fields, place);
    if (changed) pipeline.xadd(stream, place, ...Object.entries(changed).flat());
  }
  await pipeline.exec();
}

/** Writes the whole decision log anew, links and head included. */
async function rewriteLog(change: (entry: Fields) => Fields | undefined) {
  let link = "";
  await rewrite(key("audit"), ({ entry = "" }) => {
    const changed = change(JSON.parse(entry));
    if (!changed) return undefined;
    const text = JSON.stringify(changed);
    const digest = hash("sha256", text);
    link = hash("sha1", link + digest);
    return { entry: text, digest, link };
  });
  await redis.set(key("audit:head"), link);
}

async function changeJson(hashKey: string, field: string, change: object) {
  const value = JSON.parse((await redis.hget(hashKey, field)) ?? "{}");
  await redis.hset(hashKey, field, JSON.stringify({ ...value, ...change }));
}

async function forgeBookEntry(effect: string, payload: object) {
  const place = await redis.xadd(
    key("book:price-book"),
    "*",
    "effect",
    effect,
    "payload",
    JSON.stringify(payload),
  );
  await redis.hset(key("effects"), effect, String(place));
}

const payloadOf = (runId: string, more: object) => ({
  run_id: runId,
  step: "publish",
  approval_id: null,
  approved_by: null,
  payload: { prices: [{ item_id: "A100", price: 1 }] },
  ...more,
});

test("records that nobody touched are unbroken, with and without the logs and records of ended runs", async () => {
  expect(await verify(tenant)).toEqual({ code: 0, text: `${tenant}: 8 entries, unbroken\n` });
  await redis.del(key(`run:${approved.runId}:events`));
  expect(await verify(tenant)).toMatchObject({ code: 0 });
  await redis.del(key(`run:${approved.runId}`), key(`run:${approved.runId}:steps`));
  expect(await verify(tenant)).toMatchObject({ code: 0 });
});

test("an approval that was escalated and then expired is unbroken", async () => {
  const rule = { ...RULE, expires_in_s: 1, warn_before_s: 1, on_expiry: "escalate", escalate_to: ["board"] };
  // Ends with this test: it would take runs of the others from the queue, and have their approvals expire.
  const hasty = use(await testGateway({ manifest: publishingMesh(agent.url, rule), redisUrl }));
  const body = { message: "publish the prices", session_id: randomUUID() };
  const asked = (await post(hasty, "/api/v1/chat", body, as("ann", "", tenant))).json();
  const approval = key(`approval:${(asked.approval as { id: string }).id}`);
  await until(async () => (await redis.hget(approval, "state")) === "expired");
  await toRest(hasty, String(asked.thread_id), as("ann", "", tenant));
  expect((await redis.lrange(`${approval}:audit`, 0, -1)).length).toBeGreaterThanOrEqual(3);
  expect(await verify(tenant)).toMatchObject({ code: 0 });
  await redis.hset(approval, "state", "rejected");
  expect(await verify(tenant)).toMatchObject({ code: 1 });
});

test("a tenant that was removed from the list of tenants is verified too", async () => {
  await redis.srem("il:tenants", tenant);
  await redis.hset(key(`approval:${rejected.approvalId}`), "state", "approved");
  const { code, text } = await verify();
  expect([code, text]).toEqual([
    1,
    expect.stringContaining(`${tenant}: BROKEN: approval ${rejected.approvalId}`),
  ]);
});

/** What somebody does who can write to Redis, and what has to be said about it. */
const ATTACKS: Record<string, [attack: () => Promise<unknown>, found: () => RegExp | string]> = {
  "the tail and the head of the log are deleted": [
    async () => {
      const [[place = ""] = []] = await redis.xrevrange(key("audit"), "+", "-", "COUNT", 1);
      await redis.xdel(key("audit"), place);
      await redis.del(key("audit:head"));
    },
    () => "head is not the link of the last entry",
  ],
  "the tail is deleted and the head set back": [
    () => rewriteLog((entry) => (entry.action === "rejected" ? undefined : entry)),
    () => `approval ${rejected.approvalId}: it is rejected, but the decision log has no decision`,
  ],
  "the whole log and its head are deleted": [
    () => redis.del(key("audit"), key("audit:head")),
    () => `approval ${pending.approvalId}: it has no entry in the decision log`,
  ],
  "the log, the approvals and their index are deleted": [
    async () => {
      const keys = await redis.keys(key("appro*"));
      await redis.del(key("audit"), key("audit:head"), ...keys);
    },
    () => `run ${pending.runId}: its approval ${pending.approvalId} does not exist`,
  ],
  "an approval's record is deleted": [
    () => redis.del(key(`approval:${rejected.approvalId}`)),
    () => `approval ${rejected.approvalId}: the decision log has entries about it`,
  ],
  "the winner is changed": [
    () => changeJson(key(`approval:${approved.approvalId}`), "winner", { by: "mallory" }),
    () => `approval ${approved.approvalId}: its winner is not the one in the decision log`,
  ],
  "the time of the winner is changed": [
    () => changeJson(key(`approval:${approved.approvalId}`), "winner", { at: "2020-01-01T00:00:00.000Z" }),
    () => `approval ${approved.approvalId}: its winner is not the one in the decision log`,
  ],
  "a pending approval is made an approved one": [
    () =>
      redis.hset(key(`approval:${pending.approvalId}`), {
        state: "approved",
        winner: JSON.stringify({ decision: "approved", by: "lee", at: new Date().toISOString() }),
      }),
    () => `approval ${pending.approvalId}: it is approved, but the decision log has no decision`,
  ],
  "the winner is changed in the record and in the whole log": [
    async () => {
      await changeJson(key(`approval:${approved.approvalId}`), "winner", { by: "mallory" });
      await rewriteLog((entry) => (entry.action === "approved" ? { ...entry, by: "mallory" } : entry));
    },
    () => `approval ${approved.approvalId}: its run's log has another decision`,
  ],
  "who asked for it is changed": [
    () => redis.hset(key(`approval:${pending.approvalId}`), "requested_by", "lee"),
    () => `approval ${pending.approvalId}: the decision log says that somebody else asked for it`,
  ],
  "an editor is removed": [
    () => redis.hset(key(`approval:${approved.approvalId}`), "editors", "[]"),
    () => `approval ${approved.approvalId}: its editors are not those in the decision log`,
  ],
  "the proposal of a pending approval is changed": [
    () => redis.hset(key(`approval:${pending.approvalId}`), "proposal", "[]"),
    () => `approval ${pending.approvalId}: its proposal does not fit its hash`,
  ],
  "a decision is put into the journal of a run that waits": [
    () =>
      redis.hset(
        key(`run:${pending.runId}:steps`),
        "approval.publish",
        JSON.stringify({ approval_id: pending.approvalId, decision: "approved", by: "lee", proposal: [] }),
      ),
    () => `approval ${pending.approvalId}: its run's journal has another decision`,
  ],
  "the approved proposal is changed in the journal": [
    () => changeJson(key(`run:${approved.runId}:steps`), "approval.publish", { proposal: [] }),
    () => `approval ${approved.approvalId}: its run's journal has another proposal`,
  ],
  "the log of a run that waits is deleted": [
    () => redis.del(key(`run:${pending.runId}:events`)),
    () => `approval ${pending.approvalId}: the log of its run is missing`,
  ],
  "an entry is added to the price book": [
    () => redis.xadd(key("book:price-book"), "*", "effect", "x:publish", "payload", "{}"),
    () => /book price-book, entry \d+-\d+: it is not in the record of effects/,
  ],
  "an entry with its effect is added, over an approval that was rejected": [
    () =>
      forgeBookEntry(
        `${rejected.runId}:publish`,
        payloadOf(rejected.runId, { approval_id: rejected.approvalId, approved_by: "lee" }),
      ),
    () => /book price-book, entry \d+-\d+: its approval was not given/,
  ],
  "an entry with its effect is added, without an approval although the step asked for one": [
    () => forgeBookEntry(`${pending.runId}:publish`, payloadOf(pending.runId, {})),
    () => /book price-book, entry \d+-\d+: it names no approval, but its step asked for one/,
  ],
  "an entry with its effect is added, of a run that does not exist": [
    () => forgeBookEntry("made-up:publish", payloadOf("made-up", {})),
    () => /book price-book, entry \d+-\d+: it names no approval, and its run does not exist/,
  ],
  "the prices of a book entry are changed": [
    () =>
      rewrite(key("book:price-book"), ({ effect = "", payload = "" }) => ({
        effect,
        payload: JSON.stringify({ ...JSON.parse(payload), payload: { prices: [] } }),
      })),
    () => /book price-book, entry \d+-\d+: it does not hold the proposal that was approved/,
  ],
  "the asker of a book entry is changed": [
    () =>
      rewrite(key("book:price-book"), ({ effect = "", payload = "" }) => ({
        effect,
        payload: JSON.stringify({ ...JSON.parse(payload), requested_by: "mallory" }),
      })),
    () => /book price-book, entry \d+-\d+: it names another asker than its approval/,
  ],
  "the mark of a sample is taken from a book entry": [
    () => redis.hset(key(`approval:${approved.approvalId}`), "sample", "1"),
    () => /book price-book, entry \d+-\d+: it lacks the mark of a sample that its approval has/,
  ],
  "the price book is deleted": [
    () => redis.del(key("book:price-book")),
    () => `effect ${approved.runId}:publish: no book has its entry`,
  ],
};

test.each(Object.entries(ATTACKS))("%s: found", async (_, [attack, found]) => {
  await attack();
  const { code, text } = await verify(tenant);
  const expected = found();
  expect(text).toEqual(
    typeof expected === "string" ? expect.stringContaining(expected) : expect.stringMatching(expected),
  );
  expect(code).toBe(1);
});
