import { hash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { auditTenants } from "./audit.ts";
import { verifyChain } from "./audit-chain.ts";

const tenant = `audit-${process.pid}`;
const log = `il:{${tenant}}:audit`;
let redis: Redis;

beforeAll(async () => {
  redis = new Redis(process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379");
  await redis.sadd("il:tenants", tenant);
});
afterAll(async () => {
  await redis.srem("il:tenants", tenant);
  await redis.del(log, `${log}:head`);
  await redis.quit();
});

/** A log of 1,200 entries, more than a page holds; returns the place of each. */
async function writeLog(): Promise<string[]> {
  await redis.del(log, `${log}:head`);
  const pipeline = redis.pipeline();
  let link = "";
  for (let at = 1; at <= 1_200; at++) {
    const entry = JSON.stringify({ approval: `a${at}`, action: "approved" });
    const digest = hash("sha256", entry);
    link = hash("sha1", link + digest);
    pipeline.xadd(log, `${at}-0`, "entry", entry, "digest", digest, "link", link);
  }
  pipeline.set(`${log}:head`, link);
  await pipeline.exec();
  return Array.from({ length: 1_200 }, (_, index) => `${index + 1}-0`);
}

/** Puts another entry in the place of one, as somebody would who rewrites history. */
async function replace(place: string, change: (fields: Record<string, string>) => void): Promise<void> {
  const all = await redis.xrange(log, "-", "+");
  await redis.del(log);
  const pipeline = redis.pipeline();
  for (const [id, [, entry = "", , digest = "", , link = ""]] of all) {
    const fields = { entry, digest, link };
    if (id === place) change(fields);
    pipeline.xadd(log, id, ...Object.entries(fields).flat());
  }
  await pipeline.exec();
}

beforeEach(async () => {
  await writeLog();
});

test("a log that nobody touched is unbroken", async () => {
  expect(await auditTenants(redis)).toContain(tenant);
  expect(await verifyChain(redis, tenant)).toMatchObject({ tenant, entries: 1_200 });
});

test("a tenant without decisions has an unbroken log of none", async () => {
  expect(await verifyChain(redis, "nobody")).toEqual({
    tenant: "nobody",
    entries: 0,
    digest: "",
  });
});

test("a changed text is found by its digest, a changed pair of both by the next link", async () => {
  await replace("700-0", (fields) => {
    fields.entry = '{"approval":"a700","action":"rejected"}';
  });
  expect(await verifyChain(redis, tenant)).toMatchObject({ broken: { place: "700-0", why: "digest" } });
  await replace("700-0", (fields) => {
    fields.digest = hash("sha256", fields.entry ?? "");
  });
  expect(await verifyChain(redis, tenant)).toMatchObject({ broken: { place: "700-0", why: "link" } });
});

test("a head that is not the last entry's link is found, whichever of them changed", async () => {
  const cutOff = { entries: 1_200, broken: { place: "head", why: "cut_off" } };
  await redis.del(`${log}:head`);
  expect(await verifyChain(redis, tenant)).toMatchObject(cutOff);
  await writeLog();
  const [[, [, , , , , link = ""]] = ["", []]] = await redis.xrevrange(log, "+", "-", "COUNT", 1);
  const entry = JSON.stringify({ approval: "forged", action: "approved" });
  const digest = hash("sha256", entry);
  await redis.xadd(log, "*", "entry", entry, "digest", digest, "link", hash("sha1", link + digest));
  expect(await verifyChain(redis, tenant)).toMatchObject({ ...cutOff, entries: 1_201 });
  await redis.del(log);
  expect(await verifyChain(redis, tenant)).toMatchObject({ ...cutOff, entries: 0 });
});

test("a removed entry is found, at the end of the log too", async () => {
  await redis.xdel(log, "3-0");
  expect(await verifyChain(redis, tenant)).toMatchObject({ broken: { place: "4-0", why: "link" } });
  await writeLog();
  await redis.xdel(log, "1200-0");
  expect(await verifyChain(redis, tenant)).toMatchObject({ broken: { place: "head", why: "cut_off" } });
});
