import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "../../test/support/closing.ts";
import { testRedis } from "../../test/support/redis.ts";
import { storesOf } from "../../test/support/stores.ts";
import { until } from "../../test/support/until.ts";
import { readConfig } from "../config.ts";
import type { GatewayError } from "../errors.ts";
import type { RunEventBody } from "../events/index.ts";
import { plainValue } from "../json-text.ts";
import type { DueIndex } from "./due-index.ts";
import { keysOf } from "./keys.ts";
import type { LeaseStore } from "./lease-store.ts";
import { type Connections, connect } from "./redis.ts";
import type { Acceptance, RunStore } from "./run-store.ts";
import { Script } from "./script.ts";

const keep = closingAtEnd();
const keys = keysOf("store-test");
let redis: Connections;
let store: RunStore;
let leases: LeaseStore;
let due: DueIndex;

beforeAll(async () => {
  redis = connect(keep(await testRedis()).url, () => undefined);
  keep({ stop: () => redis.close() });
  const config = { ...readConfig({}), leaseMs: 500, maxAttempts: 3 };
  ({ store, leases, due } = storesOf(redis.commands, config));
});

const STARTED: readonly RunEventBody[] = [
  { type: "run_started", data: { session_id: "s", intent: "plan", model: "m" } },
];

const acceptance = (more: Partial<Acceptance> = {}): Acceptance => ({
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
  events: STARTED,
  claim: false,
  whenBusy: "refuse",
  ...more,
});

const accept = async (more: Partial<Acceptance> = {}) => {
  const request = acceptance(more);
  return { ...request, accepted: await store.accept(keys, request) };
};

type Run = { runId: string; sessionId: string };
const record = async ({ runId }: Run) => {
  const found = await store.find(keys, runId);
  if (!found) throw new Error("no such run");
  return found;
};
const claim = ({ runId, sessionId }: Run, epoch?: number) =>
  leases.claim(keys, { id: runId, sessionId }, epoch);
const expired = async () => (await due.look(keys)).expired;
const leaseOver = ({ runId }: Run) => until(async () => (await expired()).includes(runId));
const outboxOf = async ({ runId }: Run) =>
  (await redis.commands.zrange(keys.outbox, "0", "-1")).filter((member) => member.includes(runId));
const activeOf = async ({ sessionId }: Run) => await redis.commands.hget(keys.session(sessionId), "active");

describe("accepting a run", () => {
  test("claims it at once, or leaves word for the queue", async () => {
    const claimed = await accept({ claim: true });
    expect(claimed.accepted).toMatchObject({ state: "running", fence: 1 });
    expect(await outboxOf(claimed)).toEqual([]);
    const queued = await accept();
    expect(queued.accepted).toMatchObject({ state: "queued" });
    expect(await outboxOf(queued)).toEqual([`run|${queued.runId}|1`]);
  });

  test("succeeds where the store's clock is ahead of what its last replies showed", async () => {
    const own = storesOf(redis.commands, readConfig({}));
    await own.due.mark(keys.tenant);
    own.shared.clock.reset(0);
    expect(await own.store.accept(keys, acceptance())).toMatchObject({ state: "queued" });
  });

  test("counts what the same group has accepted of an owner before", async () => {
    const own = storesOf(redis.commands, { ...readConfig({}), maxSubjectSessions: 3, maxSubjectRuns: 5 });
    const owner = { issuer: "local", subject: randomUUID() };
    const order = { ...acceptance().order, ...owner };
    const outcomes = (group: readonly Partial<Acceptance>[]) =>
      Promise.all(
        group.map((more) =>
          own.store.accept(keys, acceptance({ order, ...more })).then(
            ({ state }) => state,
            ({ extra }: GatewayError) => extra.quota,
          ),
        ),
      );
    const sessionId = randomUUID();
    expect(await outcomes([{}, { sessionId }, {}, {}, { sessionId, whenBusy: "enqueue" }])).toEqual([
      ...["queued", "queued", "queued", "sessions", "queued"],
    ]);
    const again = { sessionId, whenBusy: "enqueue" } as const;
    expect(await outcomes([again, again])).toEqual(["queued", "runs"]);
    const principal = `${owner.issuer}:${owner.subject}`;
    expect(await redis.commands.zcard(keys.sessionsOf(principal))).toBe(3);
    expect(await redis.commands.zcard(keys.runsOf(principal))).toBe(5);
  });

  test("sent again after a lost reply is the same run", async () => {
    const first = await accept({ claim: true });
    expect(await store.accept(keys, first)).toMatchObject({ state: "running", fence: 1 });
    expect(await redis.commands.hget(keys.session(first.sessionId), "turns")).toBe("1");
    expect(await redis.commands.xlen(keys.events(first.runId))).toBe(1);
  });

  test("sent again when the queue has brought it to another replica does not hold it twice", async () => {
    const first = await accept();
    expect(await claim(first, 1)).toMatchObject({ outcome: "ok", fence: 1 });
    expect(await store.accept(keys, first)).toMatchObject({ state: "queued" });
    expect((await claim(first)).outcome).toBe("busy");
  });
});

describe("a claim", () => {
  test("is one replica's, of many that want it", async () => {
    const run = await accept();
    const claims = await Promise.all(Array.from({ length: 20 }, () => claim(run, 1)));
    expect(claims.filter(({ outcome }) => outcome === "ok")).toHaveLength(1);
    expect(claims.filter(({ outcome }) => outcome === "busy")).toHaveLength(19);
  });

  test("for an epoch that is over, or a run that rests, is stale", async () => {
    const run = await accept();
    await claim(run, 1);
    expect(await leases.requeue(keys, run.runId, 1)).toBe(true);
    expect((await claim(run, 1)).outcome).toBe("stale");
    expect((await claim(run, 2)).outcome).toBe("ok");
    expect((await claim({ runId: "unknown", sessionId: "s" }, 1)).outcome).toBe("stale");
  });

  test("of a run whose lease ran out fences the one who held it", async () => {
    const run = await accept({ claim: true });
    expect((await claim(run)).outcome).toBe("busy");
    await leaseOver(run);
    expect(await claim(run)).toMatchObject({ outcome: "ok", fence: 2 });
    expect(await leases.renew(keys, [{ id: run.runId, fence: 1 }])).toEqual([run.runId]);
    expect(await leases.renew(keys, [{ id: run.runId, fence: 2 }])).toEqual([]);
  });

  test("too many leaves the run for a person, and its session to the next", async () => {
    const run = await accept({ claim: true });
    const behind = await accept({ sessionId: run.sessionId, whenBusy: "enqueue" });
    for (let attempt = 2; attempt <= 3; attempt++) {
      await leaseOver(run);
      expect(await leases.requeue(keys, run.runId)).toBe(true);
      expect((await claim(run)).outcome).toBe("ok");
    }
    await leaseOver(run);
    await leases.requeue(keys, run.runId);
    expect((await claim(run)).outcome).toBe("parked");
    expect(await record(run)).toMatchObject({ state: "needs_review", attempts: 3 });
    expect((await store.list(keys, { limit: 10, state: "needs_review" })).runs.map(({ id }) => id)).toContain(
      run.runId,
    );
    expect(await activeOf(run)).toBe(behind.runId);
    expect(await outboxOf(behind)).toEqual([`run|${behind.runId}|1`]);
    expect(await expired()).not.toContain(run.runId);
    expect((await claim(run)).outcome).toBe("stale");
  });
});

describe("the indexes of runs", () => {
  const indexed = async (index: string) => await redis.commands.zrange(keys.runsBy(index), "0", "-1");

  test("have a run from its acceptance on, and how it ended from its end on", async () => {
    const run = await accept({ indexes: ["flow:indexed", "agent:one"] });
    expect([await indexed("flow:indexed"), await indexed("agent:one")]).toEqual([[run.runId], [run.runId]]);
    expect(await redis.commands.zscore(keys.openRuns, run.runId)).not.toBeNull();
    const found = await store.list(keys, { limit: 10, sessionId: run.sessionId, state: "queued" });
    expect(found.runs.map(({ id }) => id)).toEqual([run.runId]);
    const record = await store.find(keys, run.runId);
    if (!record) throw new Error("no such run");
    const turn = { role: "assistant", run_id: run.runId, text: "", at: "", status: "cancelled" } as const;
    const audit = { text: "", digest: "" };
    const event = { type: "run_cancelled", data: { status: "cancelled", message: "" } } as never;
    await store.cancel(keys, record, { first: [], event, turn, approval: { winner: "", audit } });
    expect(await redis.commands.zscore(keys.openRuns, run.runId)).toBeNull();
    expect(await indexed("state:cancelled")).toContain(run.runId);
  });

  test("of a session are its latest", async () => {
    const first = await accept({});
    const ids = Array.from({ length: 216 }, () => randomUUID());
    await redis.commands.hset(keys.session(first.sessionId), "active", "", "runs", ids.join(" "));
    const latest = await accept({ sessionId: first.sessionId });
    const known = await redis.commands.hget(keys.session(first.sessionId), "runs");
    expect(known?.split(" ")).toEqual([...ids.slice(1), latest.runId]);
    const { runs } = await store.list(keys, { limit: 10, sessionId: first.sessionId });
    expect(runs.map(({ id }) => id)).toEqual([latest.runId]);
  });

  test("lose what is not kept any more, and their names with the last of it", async () => {
    const run = await accept({ indexes: ["flow:gone"] });
    const kept = await accept({ indexes: ["flow:kept"] });
    const long = 1_000;
    for (const [index, { runId }] of [
      ["flow:gone", run],
      ["flow:kept", kept],
    ] as const)
      await redis.commands.zadd(keys.runsBy(index), long, runId);
    await redis.commands.zadd(keys.openRuns, long, run.runId);
    await redis.commands.zadd(keys.runIndexes, long, "flow:gone", long, "flow:kept");
    await redis.commands.del(keys.run(run.runId));
    await store.trim(keys);
    expect([await indexed("flow:gone"), await indexed("flow:kept")]).toEqual([[], [kept.runId]]);
    expect(await redis.commands.zscore(keys.openRuns, run.runId)).toBeNull();
    const names = await redis.commands.zrange(keys.runIndexes, "0", "-1");
    expect(names).toContain("flow:kept");
    expect(names).not.toContain("flow:gone");
  });
});

describe("a lease", () => {
  test("that is renewed does not run out; many are renewed at once", async () => {
    // Long enough that a pause of this machine between two renewals does not end it.
    const { store, leases } = storesOf(redis.commands, { ...readConfig({}), leaseMs: 2_000 });
    const runs = [acceptance({ claim: true }), acceptance({ claim: true }), acceptance()] as const;
    for (const run of runs) await store.accept(keys, run);
    const fences = runs.map(({ runId }) => ({ id: runId, fence: 1 }));
    const end = performance.now() + 3_000;
    while (performance.now() < end) {
      // The third is nobody's yet.
      expect(await leases.renew(keys, fences)).toEqual([runs[2].runId]);
      for (const { runId, sessionId } of runs.slice(0, 2))
        expect((await leases.claim(keys, { id: runId, sessionId }, undefined)).outcome).toBe("busy");
      await setTimeout(50);
    }
  });
});

describe("putting a run back", () => {
  test("is for its holder, or for anybody once the lease has run out", async () => {
    const run = await accept({ claim: true });
    expect(await leases.requeue(keys, run.runId, 7)).toBe(false);
    expect(await leases.requeue(keys, run.runId)).toBe(false);
    await leaseOver(run);
    expect(await leases.requeue(keys, run.runId)).toBe(true);
    expect(await leases.requeue(keys, run.runId)).toBe(false);
    expect(await record(run)).toMatchObject({ state: "resuming", epoch: 2, fence: 2, attempts: 1 });
    expect(await outboxOf(run)).toEqual([`run|${run.runId}|2`]);
  });

  test("by its holder is no failed attempt", async () => {
    const run = await accept({ claim: true });
    for (let times = 0; times < 10; times++) {
      const { fence } = await record(run);
      expect(await leases.requeue(keys, run.runId, fence)).toBe(true);
      expect((await claim(run)).outcome).toBe("ok");
    }
    expect(await record(run)).toMatchObject({ state: "running", attempts: 1 });
  });
});

describe("cancelling", () => {
  const cancel = async (run: Run) =>
    await store.cancel(keys, await record(run), {
      first: STARTED,
      event: {
        type: "run_cancelled",
        data: { status: "cancelled", message: "m", tools_used: [], model: "m" },
      },
      turn: {
        role: "assistant",
        run_id: run.runId,
        text: "m",
        at: new Date().toISOString(),
        status: "cancelled",
      },
      approval: { winner: "{}", audit: { text: "{}", digest: "" } },
    });

  test("fences the holder, frees the session, and is the end", async () => {
    const run = await accept({ claim: true });
    expect(await cancel(run)).toBe("cancelled");
    const after = await record(run);
    expect(after).toMatchObject({ state: "cancelled", fence: 2, seq: 2 });
    expect(await leases.renew(keys, [{ id: run.runId, fence: 1 }])).toEqual([run.runId]);
    expect(await leases.requeue(keys, run.runId, 1)).toBe(false);
    expect((await claim(run)).outcome).toBe("stale");
    expect(await activeOf(run)).toBe("");
    expect(await cancel(run)).toBe("cancelled");
    expect(await record(run)).toEqual(after);
    const left = await redis.commands.ttl(keys.events(run.runId));
    expect(left).toBeGreaterThan(0);
    expect(await redis.commands.ttl(keys.run(run.runId))).toBeGreaterThan(left);
  });

  test("begins a log that has nothing yet", async () => {
    const run = await accept({ claim: true, events: [] });
    expect(await record(run)).toMatchObject({ state: "running", seq: 0 });
    expect(await cancel(run)).toBe("cancelled");
    const entries = await redis.commands.xrange(keys.events(run.runId), "-", "+");
    expect(entries.map(([id]) => id)).toEqual(["1-0", "2-0"]);
    expect(entries.map(([, [, json = ""]]) => JSON.parse(json))).toMatchObject([
      { seq: 1, type: "run_started" },
      { seq: 2, type: "run_cancelled" },
    ]);
    expect(await record(run)).toMatchObject({ state: "cancelled", seq: 2 });
  });

  test("shows as a lease that is gone, as handing over does", async () => {
    const [held, cancelled, back] = [
      await accept({ claim: true }),
      await accept({ claim: true }),
      await accept({ claim: true }),
    ];
    const ids = [held.runId, cancelled.runId, back.runId];
    expect(await leases.unheld(keys, ids)).toEqual([]);
    await cancel(cancelled);
    await leases.requeue(keys, back.runId, 1);
    expect(await leases.unheld(keys, ids)).toEqual([cancelled.runId, back.runId]);
  });

  test("takes a run out of the queue and out of its session's line", async () => {
    const first = await accept();
    const second = await accept({ sessionId: first.sessionId, whenBusy: "enqueue" });
    const third = await accept({ sessionId: first.sessionId, whenBusy: "enqueue" });
    await cancel(second);
    expect(await outboxOf(second)).toEqual([]);
    await cancel(first);
    expect(await outboxOf(first)).toEqual([]);
    expect(await activeOf(first)).toBe(third.runId);
    await cancel(third);
    expect(await activeOf(first)).toBe("");
    expect(await redis.commands.exists(keys.waiting(first.sessionId))).toBe(0);
  });
});

test("the inputs of runs are read by whoever executes them, not with lists and records", async () => {
  const inputs = { text: "x".repeat(256 * 1024) };
  const runs = await Promise.all(
    Array.from({ length: 20 }, () => accept({ order: { ...acceptance().order, inputs } })),
  );
  const sent = async () =>
    Number(/total_net_output_bytes:(\d+)/.exec(await redis.commands.info("stats"))?.[1]);
  const before = await sent();
  const { runs: listed } = await store.list(keys, { limit: 20 });
  expect(listed.map(({ id }) => id).toSorted()).toEqual(runs.map(({ runId }) => runId).toSorted());
  for (const run of runs) expect((await record(run)).order).not.toHaveProperty("inputs");
  expect((await sent()) - before).toBeLessThan(inputs.text.length);
  for (const run of runs) {
    const order = await store.order(keys, await record(run));
    expect(plainValue(order.inputs)).toEqual(inputs);
  }
});

test("a script loads itself where the server does not know it", async () => {
  const run = await accept({ claim: true });
  await redis.commands.script("FLUSH", "SYNC");
  expect(await leases.renew(keys, [{ id: run.runId, fence: 1 }])).toEqual([]);
  expect(() => new Script("absent")).toThrow();
});

test("an owner's indexes are trimmed with the tenant's, and owners who have nothing left are forgotten", async () => {
  const own = keysOf(randomUUID());
  const { commands } = redis;
  const [kept, left] = ["local:s", "local:left"];
  const run = acceptance();
  await store.accept(own, run);
  await store.accept(own, { ...acceptance(), order: { ...run.order, subject: "left" } });
  const [gone] = await commands.zrange(own.runsOf(left), "0", "-1");
  await commands.del(own.run(String(gone)));
  for (const owner of [kept, left]) {
    // As if long ago.
    await commands.zadd(own.owners, "XX", 1, owner);
    await commands.zadd(own.sessionsOf(owner), 1, "gone");
    await commands.zadd(own.runsOf(owner), 1, "gone");
  }
  await commands.zadd(own.runsOf(left), 1, String(gone));
  await commands.zrem(own.sessionsOf(left), ...(await commands.zrange(own.sessionsOf(left), "1", "-1")));
  await commands.zadd(own.openRunsOf(kept), 1, "gone-and-still-open");
  await store.trim(own);
  expect(await commands.zscore(own.openRunsOf(kept), "gone-and-still-open")).toBeNull();
  expect(await commands.zrange(own.runsOf(kept), "0", "-1")).toEqual([run.runId]);
  expect(await commands.zrange(own.sessionsOf(kept), "0", "-1")).toEqual([run.sessionId]);
  expect(await commands.zrange(own.owners, "0", "-1")).toEqual([kept]);
  expect(Number(await commands.zscore(own.owners, kept))).toBeGreaterThan(1);
  expect(await commands.exists(own.runsOf(left), own.sessionsOf(left))).toBe(0);
});

test("a session is its first owner's: another subject, and the same of another issuer, are told that there is none", async () => {
  const run = acceptance();
  await store.accept(keys, run);
  for (const other of [{ subject: "t" }, { issuer: "idp" }]) {
    const foreign = { ...acceptance({ sessionId: run.sessionId, whenBusy: "enqueue" }) };
    await expect(store.accept(keys, { ...foreign, order: { ...run.order, ...other } })).rejects.toMatchObject(
      {
        code: "not_found",
      },
    );
    expect(await store.find(keys, foreign.runId)).toBeUndefined();
  }
  expect((await store.list(keys, { limit: 10, owner: "local:s" })).runs.map(({ id }) => id)).toContain(
    run.runId,
  );
});
