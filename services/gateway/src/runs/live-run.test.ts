import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "../../test/support/closing.ts";
import { testRedis } from "../../test/support/redis.ts";
import { storesOf } from "../../test/support/stores.ts";
import { type Config, readConfig } from "../config.ts";
import { GatewayError } from "../errors.ts";
import type { RunEnd, RunEventBody, StoredEvent } from "../events/index.ts";
import { EventLog } from "../store/event-log.ts";
import { readJournal } from "../store/journal.ts";
import { keysOf } from "../store/keys.ts";
import { LogReader } from "../store/log-reader.ts";
import { type Connections, connect } from "../store/redis.ts";
import { NO_USAGE } from "../store/usage-store.ts";
import { LiveRun } from "./live-run.ts";

const keep = closingAtEnd();
const keys = keysOf("live-run-test");
let redis: Connections;

beforeAll(async () => {
  redis = connect(keep(await testRedis()).url, () => undefined);
});

afterAll(() => redis.close());

const progress = (data: Record<string, unknown> = {}): RunEventBody => ({
  type: "progress",
  node: "n",
  data,
});
const END: RunEnd = {
  type: "run_finished",
  data: { status: "ok", message: "done", tools_used: [], model: "m", warnings: [] },
};

/** A run that was just accepted, its log, and what its first subscriber got. */
async function accepted(settings: Partial<Config> = {}) {
  const config = { ...readConfig({}), ...settings };
  const { store } = storesOf(redis.commands, config);
  const [id, sessionId] = [randomUUID(), randomUUID()];
  const answer = await store.accept(keys, {
    runId: id,
    sessionId,
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
    events: [progress()],
    claim: true,
    whenBusy: "refuse",
  });
  if (answer.state !== "running") throw new Error("the run was not claimed");
  const log = new EventLog(redis.log, config);
  const hold = (fence: number) =>
    new LiveRun({ id, sessionId, owner: "local:s", keys, fence, log, seq: 1, journaled: true });
  const run = hold(answer.fence);
  const seen: StoredEvent[] = [];
  let lost = false;
  run.subscribe({
    events: (batch) => void seen.push(...batch),
    lost: () => {
      lost = true;
    },
  });
  const reader = new LogReader(redis.commands, redis.tails);
  return {
    run,
    hold,
    seen,
    store,
    isLost: () => lost,
    stored: () => reader.read(keys.events(id), 1),
    entries: () => redis.commands.xlen(keys.events(id)),
    record: () => store.find(keys, id),
  };
}

describe("a run's events", () => {
  test("are numbered from where the store stands, and forwarded as the store has them", async () => {
    const { run, seen, stored, record } = await accepted();
    for (let n = 0; n < 5; n++) void run.append(progress({ n }));
    run.finish(END, "{}");
    expect(await run.done).toBe("ended");
    expect(seen.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(await stored()).toEqual(seen);
    expect(await record()).toMatchObject({ state: "finished", seq: 7, terminal: seen.at(-1)?.json });
  });

  test("are forwarded only when the store has acknowledged them", async () => {
    const { run, seen, stored } = await accepted();
    run.subscribe({
      events: (batch) =>
        void checks.push(stored().then((all) => expect(all).toEqual(expect.arrayContaining([...batch])))),
      lost: () => undefined,
    });
    const checks: Promise<void>[] = [];
    void run.append(progress());
    expect(seen).toEqual([]);
    await run.flushed();
    expect(seen).toHaveLength(1);
    await Promise.all(checks);
  });

  test("go in groups: what gathers while a write is under way goes with the next one", async () => {
    const { run, entries, stored } = await accepted();
    for (let turn = 0; turn < 200; turn++) {
      void run.append(progress({ turn }));
      if (turn % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await run.flushed();
    expect(await stored()).toHaveLength(200);
    expect(await entries()).toBeLessThan(20);
  });

  test("of several runs share a write, and each run hears of its own", async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => accepted()));
    for (const { run } of runs) for (let n = 0; n < 3; n++) void run.append(progress({ id: run.id }));
    await Promise.all(runs.map(({ run }) => run.flushed()));
    for (const { run, seen } of runs) {
      expect(seen).toHaveLength(3);
      expect(seen.every(({ json }) => json.includes(run.id))).toBe(true);
    }
  });

  test("make their producer wait where the store does not keep up", async () => {
    const { run } = await accepted();
    const wait = run.append(progress({ text: "x".repeat(1_100_000) }));
    expect(wait).toBeInstanceOf(Promise);
    await wait;
    expect(run.append(progress())).toBeUndefined();
    await run.flushed();
  });

  test("are waited for without those that follow: a step beside does not wait until another one is silent", async () => {
    const { run } = await accepted();
    let followed = 0;
    run.subscribe({
      events: () => {
        followed += 1;
        if (followed < 20) void run.append(progress({ followed }));
      },
      lost: () => undefined,
    });
    void run.append(progress());
    await run.flushed();
    expect(followed).toBe(1);
  });

  test("that an agent wrote with line feeds stay one line", async () => {
    const { run, seen, stored } = await accepted();
    void run.relay("n", { data: { a: 1 }, json: '{\n"a":1}' });
    void run.relay("n", { data: { b: 1 }, json: '{"b" : 1}' });
    await run.flushed();
    expect(seen.map(({ json }) => JSON.parse(json).data)).toEqual([{ a: 1 }, { b: 1 }]);
    expect(await stored()).toEqual(seen);
  });
});

describe("a step's result", () => {
  test("is in the store together with the event that tells of it", async () => {
    const { run, store, stored } = await accepted();
    void run.journal("step", '{"outputs":{}}', progress({ told: true }));
    await run.flushed();
    expect(await store.journal(keys, run.id)).toEqual({ step: '{"outputs":{}}' });
    expect((await stored()).at(-1)?.json).toContain('"told":true');
  });
});

describe("a run's end", () => {
  test("is the first one that is given; nothing comes after it", async () => {
    const { run, stored } = await accepted();
    run.finish(END, "{}");
    run.finish({ ...END, data: { ...END.data, message: "another" } }, "{}");
    expect(run.append(progress())).toBeUndefined();
    await run.done;
    const all = await stored();
    expect(all).toHaveLength(1);
    expect(all[0]?.json).toContain('"message":"done"');
  });

  test("is the log's limit where the run writes too much, and what was refused is not told", async () => {
    const { run, seen, stored } = await accepted({ maxRunBytes: 10_000 });
    void run.append(progress({ text: "x".repeat(4_000) }));
    await run.flushed();
    void run.append(progress({ text: "y".repeat(8_000) }));
    await run.flushed();
    expect(run.signal.reason).toMatchObject({ code: "output_limit" });
    run.finish(END, "{}");
    expect(await run.done).toBe("ended");
    expect(seen.map(({ seq, type }) => [seq, type])).toEqual([
      [2, "progress"],
      [3, "run_finished"],
    ]);
    expect(await stored()).toEqual(seen);
  });
});

describe("a run that this replica does not hold any more", () => {
  test("writes nothing, aborts what runs, and sends its subscribers to the store", async () => {
    const { run, hold, isLost, stored } = await accepted();
    const stale = hold(run.fence + 7);
    const other = { lost: false };
    stale.subscribe({
      events: () => undefined,
      lost: () => {
        other.lost = true;
      },
    });
    void stale.append(progress());
    expect(await stale.done).toBe("lost");
    expect(other.lost).toBe(true);
    expect(stale.signal.aborted).toBe(true);
    expect(await stored()).toEqual([]);
    expect(isLost()).toBe(false);
    void run.append(progress());
    await run.flushed();
    expect(await stored()).toHaveLength(1);
  });

  test("is let go of without an end, and takes no more events", async () => {
    const { run, isLost, record } = await accepted();
    run.lose(new GatewayError("interrupted"));
    run.lose(new GatewayError("cancelled"));
    expect(await run.done).toBe("lost");
    expect(isLost()).toBe(true);
    expect(run.signal.reason).toMatchObject({ code: "interrupted" });
    expect(run.append(progress())).toBeUndefined();
    expect(await record()).toMatchObject({ state: "running", seq: 1 });
  });
});

test("what models used is journaled with the next result, and is what another holder begins with", async () => {
  const { run, hold, store } = await accepted();
  const used = { ...NO_USAGE, calls: 1, inputTokens: 7, nanoUsd: 3 };
  run.charge(used);
  run.charge(used);
  await run.journal("one", '{"warnings":[]}', progress());
  await run.flushed();
  const { used: known, results } = readJournal(await store.journal(keys, run.id));
  expect(known).toEqual({ ...NO_USAGE, calls: 2, inputTokens: 14, nanoUsd: 6 });
  expect(Object.keys(results)).toEqual(["one"]);
  const next = hold(run.fence + 1);
  next.charge(known);
  next.charge(used);
  expect(next.used).toMatchObject({ calls: 3, inputTokens: 21 });
});
