import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { startRedis, type TestRedis } from "../../agent-kit/test/redis.ts";
import { type Entry, type Ledger, redisLedger } from "./ledger.ts";

let server: TestRedis;
let redis: Redis;
let ledger: Ledger;
beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  ledger = redisLedger(server.url);
});
afterAll(async () => {
  await ledger.close();
  redis.disconnect();
  await server.stop();
});

function entry(changes: Partial<Entry> = {}): Entry {
  const transfer = { target: "Minsu", amount_minor: "50000", currency: "KRW" };
  return { id: randomUUID(), status: "executed", at: "2026-11-18T12:00:00.000Z", transfer, ...changes };
}

async function logged(id: string): Promise<number> {
  const log = await redis.xrange("interlock:agent:{transfer}:log", "-", "+");
  return log.filter(([, fields]) => fields[1] === id).length;
}

test("an id is executed once, however often and from wherever it comes", async () => {
  const wanted = entry();
  const other = redisLedger(server.url);
  const held = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? ledger : other).record({ ...wanted, at: `call ${at}` }),
    ),
  );
  await other.close();
  expect(new Set(held.map(({ at }) => at)).size).toBe(1);
  expect(await logged(wanted.id)).toBe(1);
});

test("the agents' user of Redis may do all that the ledger does", async () => {
  const users = await readFile(new URL("../../gateway/redis/users.acl", import.meta.url), "utf8");
  const rules = /^user agents (.*)$/m.exec(users)?.[1]?.split(" ") ?? [];
  const user = `agents-${randomUUID()}`;
  await redis.call("ACL", "SETUSER", user, ...rules, ">password-of-a-test");
  const own = redisLedger(server.url.replace("redis://", `redis://${user}:password-of-a-test@`));
  const wanted = entry();
  expect(await own.record(wanted)).toEqual(wanted);
  expect(await own.record({ ...wanted, status: "withdrawn" })).toEqual(wanted);
  await own.close();
  await redis.call("ACL", "DELUSER", user);
});

test("what was withdrawn is never executed, and what was executed never withdrawn", async () => {
  const first = entry({ status: "withdrawn" });
  await ledger.record(first);
  expect(await ledger.record({ ...first, status: "executed" })).toMatchObject({ status: "withdrawn" });
  expect(await logged(first.id)).toBe(0);
  const second = entry();
  await ledger.record(second);
  expect(await ledger.record({ ...second, status: "withdrawn" })).toMatchObject({ status: "executed" });
});

test("another transfer under the same id gets the entry that is there", async () => {
  const first = entry();
  await ledger.record(first);
  const other = { ...first, transfer: { ...first.transfer, amount_minor: "1" } };
  expect(await ledger.record(other)).toEqual(first);
  expect(await logged(first.id)).toBe(1);
});
