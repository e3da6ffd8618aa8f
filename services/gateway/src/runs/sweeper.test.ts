import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "../../test/support/closing.ts";
import { startRedis } from "../../test/support/redis.ts";
import { storesOf } from "../../test/support/stores.ts";
import { until } from "../../test/support/until.ts";
import { readConfig } from "../config.ts";
import { dueKeys, type Keys, keysOf, TENANTS } from "../store/keys.ts";
import { type Connections, connect } from "../store/redis.ts";
import { Sweeper } from "./sweeper.ts";

const keep = closingAtEnd();
const config = { ...readConfig({}), leaseMs: 1_000 };
let redis: Connections;
let parts: ReturnType<typeof storesOf>;
let keys: Keys;
let sweepers: Sweeper[];
/** What the sweepers asked for. */
let relayed: string[];
let looked: string[];

beforeAll(async () => {
  // A server of its own: what files that run at the same time ask of theirs must not be counted here.
  redis = connect(keep(await startRedis()).url, () => undefined);
  keep({ stop: () => redis.close() });
});

beforeEach(async () => {
  await redis.commands.flushdb();
  parts = storesOf(redis.commands, config);
  keys = keysOf(randomUUID());
  [sweepers, relayed, looked] = [[], [], []];
});

afterEach(() => Promise.all(sweepers.map((sweeper) => sweeper.stop())));

function sweep(replica = parts): Sweeper {
  const sweeper = new Sweeper({
    due: replica.due,
    store: replica.store,
    leases: replica.leases,
    decisions: {
      due: async (_tenant, id) => {
        looked.push(id);
        await redis.commands.zrem(keys.pending, id);
        await parts.due.lookAgain(keys, id, undefined);
      },
    },
    relay: (tenant) => {
      relayed.push(tenant);
      void redis.commands.del(keysOf(tenant).outbox);
    },
    onTrouble: () => undefined,
  });
  sweepers.push(sweeper);
  sweeper.start();
  return sweeper;
}

const accept = (claim: boolean, replica = parts) =>
  replica.store.accept(keys, {
    runId: randomUUID(),
    sessionId: randomUUID(),
    kind: "plan",
    order: {
      message: "m",
      intent: "plan",
      target: { kind: "general" },
      model: { hint: null, chosen: "m", reason: "default" },
      subject: "s",
      issuer: "local",
      roles: ["analyst"],
    },
    events: [],
    claim,
    whenBusy: "refuse",
  });

async function scheduled(): Promise<string[]> {
  const parts = await Promise.all(
    Array.from({ length: 8 }, (_, shard) => redis.commands.zrange(dueKeys(shard).due, "0", "-1")),
  );
  return parts.flat();
}

describe("the sweeper", () => {
  test("finds a run whose holder is gone, and one that was never relayed", async () => {
    sweep();
    await accept(true);
    await until(async () => (await redis.commands.zcard(keys.leases)) === 0);
    await until(() => relayed.includes(keys.tenant));
    relayed = [];
    await accept(false);
    await until(() => relayed.length > 0);
  });

  test("puts a run that waits into the outbox again when its job was lost", async () => {
    await accept(false);
    const [entry = ""] = await redis.commands.zrange(keys.outbox, "0", "-1");
    await redis.commands.del(keys.outbox);
    await redis.commands.zadd(keys.queued, 1, entry);
    sweep();
    await until(() => relayed.length > 0);
    expect(await redis.commands.zrange(keys.queued, "0", "-1")).toEqual([entry]);
  });

  test("looks at an approval when its time has come, and at one that is late whatever its timer says", async () => {
    const later = Date.now() + 3_600_000;
    await redis.commands.zadd(keys.pending, Date.now() - 60_000, "late", later, "early", later, "due");
    await redis.commands.zadd(keys.timers, later, "late", later, "early");
    await parts.due.lookAgain(keys, "due", 50);
    sweep();
    await until(() => looked.length === 2);
    expect(looked.toSorted()).toEqual(["due", "late"]);
  });

  test("looks at the approvals of an older gateway, which have no timer", async () => {
    await parts.due.mark(keys.tenant);
    await redis.commands.zadd(keys.pending, Date.now() + 3_600_000, "older");
    sweep();
    await until(() => looked.includes("older"));
  });

  test("goes on with other tenants where one cannot be looked at", async () => {
    const broken = keysOf(randomUUID());
    await parts.due.mark(broken.tenant);
    await redis.commands.set(broken.leases, "no sorted set");
    sweep();
    await accept(true);
    await until(() => relayed.includes(keys.tenant));
  });

  test("comes to know tenants that are not in the index", async () => {
    await accept(true);
    for (let shard = 0; shard < 8; shard++) await redis.commands.del(dueKeys(shard).due);
    sweep();
    await until(() => relayed.includes(keys.tenant));
  });
});

describe("a tenant", () => {
  test("is taken by one of several replicas", async () => {
    const tenants = Array.from({ length: 300 }, () => randomUUID());
    await redis.commands.sadd(TENANTS, ...tenants);
    const replicas = [parts, storesOf(redis.commands, config)];
    for (const { due } of replicas) for (let page = 0; page < 30; page++) await due.walk();
    const taken: string[] = [];
    for (let round = 0; round < 5; round++)
      for (const some of await Promise.all(replicas.map(({ due }) => due.take())))
        taken.push(...some.map(({ tenant }) => tenant));
    expect(taken.toSorted()).toEqual(tenants.toSorted());
  });

  /** Makes the tenant due, and takes it. */
  const takeIt = async () => {
    for (let shard = 0; shard < 8; shard++)
      await redis.commands.zadd(dueKeys(shard).due, "XX", 1, keys.tenant);
    const [taken] = await parts.due.take();
    if (!taken) throw new Error("nothing is due");
    return taken;
  };

  test("in which nothing is left is dropped, but not while a mark announces something", async () => {
    const { due } = parts;
    await due.mark(keys.tenant);
    await due.schedule(await takeIt(), undefined);
    expect(await scheduled()).toEqual([keys.tenant]);
    const taken = await takeIt();
    for (let shard = 0; shard < 8; shard++) await redis.commands.del(dueKeys(shard).marked);
    await due.schedule(taken, undefined);
    expect(await scheduled()).toEqual([]);
  });

  test("that somebody else has taken since is not put off", async () => {
    const { due } = parts;
    await due.mark(keys.tenant);
    const stale = await takeIt();
    for (let shard = 0; shard < 8; shard++) await redis.commands.del(dueKeys(shard).marked);
    const held = await takeIt();
    await due.schedule(stale, String(Date.now() + 3_600_000));
    await due.schedule(stale, undefined);
    expect(await scheduled()).toEqual([keys.tenant]);
    await due.schedule(held, undefined);
    expect(await scheduled()).toEqual([]);
  });

  test("with an approval alone is not looked at until that expires", async () => {
    const later = Date.now() + 3_600_000;
    await parts.due.mark(keys.tenant);
    const taken = await takeIt();
    for (let shard = 0; shard < 8; shard++) await redis.commands.del(dueKeys(shard).marked);
    await redis.commands.zadd(keys.pending, later, "approval");
    await redis.commands.zadd(keys.timers, later, "approval");
    const { next } = await parts.due.look(keys);
    expect(Number(next)).toBe(later);
    await parts.due.schedule(taken, next);
    expect(await parts.due.take()).toEqual([]);
  });
});

test("tenants in which nothing happens cost nothing: no command names them", async () => {
  const names = Array.from({ length: 20_000 }, (_, n) => `idle-${n}`);
  for (let shard = 0; shard < 8; shard++) {
    const later = Date.now() + 3_600_000;
    const members = names.filter((_, n) => n % 8 === shard).flatMap((name) => [later, name]);
    await redis.commands.zadd(dueKeys(shard).due, ...members);
  }
  const before = await commandsSoFar();
  sweep();
  await accept(true);
  await until(() => relayed.includes(keys.tenant));
  expect((await commandsSoFar()) - before).toBeLessThan(names.length / 4);
});

async function commandsSoFar(): Promise<number> {
  const info = await redis.commands.info("stats");
  return Number(/total_commands_processed:(\d+)/.exec(info)?.[1]);
}
