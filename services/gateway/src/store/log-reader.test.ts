import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "../../test/support/closing.ts";
import { startRedis, testRedis } from "../../test/support/redis.ts";
import { until } from "../../test/support/until.ts";
import { encodeEvent, packEvents, type RunEventBody, type StoredEvent } from "../events/index.ts";
import { type Follower, LogReader } from "./log-reader.ts";
import { BLOCK_MS, type Connections, connect } from "./redis.ts";

const keep = closingAtEnd();
const use = closing();
let redisUrl: string;
let redis: Connections;
let reader: LogReader;
let log: Log;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  redis = connect(redisUrl, () => undefined);
});

afterAll(() => redis.close());

beforeEach(() => {
  const own = connect(redisUrl, () => undefined);
  reader = new LogReader(own.commands, own.tails);
  use({ stop: () => own.close() });
  use({ stop: () => reader.close() });
  log = new Log();
});

function logged(seq: number, body?: RunEventBody): StoredEvent {
  const progress: RunEventBody = { type: "progress", node: "n", data: { n: seq } };
  return encodeEvent("run", seq, "2026-01-01T00:00:00.000Z", body ?? progress);
}

/** A run's log as its holder writes it. */
class Log {
  readonly key = `log-${randomUUID()}`;
  readonly events: StoredEvent[] = [];

  /** Writes so many events as one entry. */
  async write(count: number, last?: RunEventBody): Promise<void> {
    const first = this.events.length + 1;
    const batch = Array.from({ length: count }, (_, index) =>
      logged(first + index, index === count - 1 ? last : undefined),
    );
    this.events.push(...batch);
    await redis.commands.xadd(this.key, `${this.events.length}-0`, "e", packEvents(batch));
  }

  async end(): Promise<void> {
    const data = { status: "cancelled" as const, message: "", tools_used: [], model: "m" };
    await this.write(1, { type: "run_cancelled", data });
  }
}

/** Keeps what it gets. */
function collector(over?: () => void): Follower & { seen: StoredEvent[]; hasFailed: boolean } {
  const seen: StoredEvent[] = [];
  return {
    seen,
    hasFailed: false,
    events(batch) {
      seen.push(...batch);
      if (batch.at(-1)?.type === "run_cancelled") over?.();
      return undefined;
    },
    failed() {
      this.hasFailed = true;
    },
  };
}

/** Follows to the run's end. */
async function followed(key: string, after: number): Promise<StoredEvent[]> {
  const over = Promise.withResolvers<void>();
  const follower = collector(over.resolve);
  reader.follow(key, after, follower);
  await over.promise;
  return follower.seen;
}

describe("a log", () => {
  test("is read whole from any cursor, however its events were written", async () => {
    for (let entry = 0; entry < 80; entry++) await log.write((entry % 3) + 1);
    for (const after of [0, 1, 2, 3, 77, log.events.length - 1, log.events.length]) {
      expect(await reader.read(log.key, after)).toEqual(log.events.slice(after));
    }
  });

  test("knows the first event that it still holds", async () => {
    expect(await reader.firstHeld(log.key)).toBeUndefined();
    await log.write(3);
    expect(await reader.firstHeld(log.key)).toBe(1);
  });
});

describe("a follower", () => {
  test("gets what is there, then what comes, and is done at the end", async () => {
    await log.write(2);
    const events = followed(log.key, 1);
    await log.write(1);
    await log.write(3);
    await log.end();
    expect(await events).toEqual(log.events.slice(1));
  });

  test("gets each event once and in order, whenever it comes and wherever it begins", async () => {
    const followers: [after: number, events: Promise<StoredEvent[]>][] = [];
    for (let entry = 0; entry < 120; entry++) {
      await log.write((entry % 4) + 1);
      const after = (entry * 7) % (log.events.length + 1);
      followers.push([after, followed(log.key, after)]);
    }
    await log.end();
    for (const [after, events] of followers) expect(await events).toEqual(log.events.slice(after));
  });

  test("does not wait for the reads of others: many logs at once, each heard of at once", async () => {
    const logs = Array.from({ length: 40 }, () => new Log());
    const follower = collector();
    for (const one of logs) reader.follow(one.key, 0, follower);
    const start = performance.now();
    for (const one of logs) await one.write(1);
    await until(() => follower.seen.length === logs.length);
    expect(performance.now() - start).toBeLessThan(BLOCK_MS / 2);
  });

  test("that comes to a log while others are read is heard of at once, time after time", async () => {
    for (let round = 0; round < 30; round++) {
      const own = new Log();
      const follower = collector();
      const start = performance.now();
      reader.follow(own.key, 0, follower);
      await own.write(1);
      await until(() => follower.seen.length === 1);
      expect(performance.now() - start).toBeLessThan(BLOCK_MS / 2);
    }
  });

  test("that leaves gets no more, and the others do", async () => {
    const [one, two] = [collector(), collector()];
    const leave = reader.follow(log.key, 0, one);
    reader.follow(log.key, 0, two);
    await log.write(1);
    await until(() => one.seen.length === 1 && two.seen.length === 1);
    leave();
    await log.write(1);
    await until(() => two.seen.length === 2);
    expect(one.seen).toHaveLength(1);
  });

  test("that can take no more holds nobody up, and goes on where it stopped", async () => {
    const room = Promise.withResolvers<void>();
    const slow = collector();
    let first = true;
    const busy: Follower = {
      failed: () => undefined,
      events(batch) {
        void slow.events(batch);
        if (!first) return undefined;
        first = false;
        return room.promise;
      },
    };
    const quick = collector();
    reader.follow(log.key, 0, busy);
    reader.follow(log.key, 0, quick);
    for (let entry = 0; entry < 50; entry++) await log.write(2);
    await until(() => quick.seen.length === 100);
    expect(slow.seen.length).toBeLessThan(100);
    room.resolve();
    await until(() => slow.seen.length === 100);
    await log.write(1);
    await until(() => slow.seen.length === 101 && quick.seen.length === 101);
    expect(slow.seen).toEqual(log.events);
  });

  test("loses nothing where its connection is cut", async () => {
    const follower = collector();
    reader.follow(log.key, 0, follower);
    await log.write(1);
    await until(() => follower.seen.length === 1);
    for (let round = 0; round < 3; round++) {
      const clients = String(await redis.commands.client("LIST"));
      const ids = [...clients.matchAll(/^id=(\d+) .* name=gateway-reader /gm)].map(([, id]) => id ?? "");
      for (const id of ids) await redis.commands.client("KILL", "ID", id);
      await log.write(2);
      await until(() => follower.seen.length === log.events.length);
    }
    expect(follower.seen).toEqual(log.events);
  });

  test("is waited for where its store is away as a reader catches up", async () => {
    const server = use(await startRedis());
    const connections = connect(server.url, () => undefined);
    use({ stop: () => connections.close() });
    const waiting = new LogReader(connections.commands, connections.tails);
    use({ stop: () => waiting.close() });
    await connections.commands.xadd(log.key, "1-0", "e", packEvents([logged(1)]));
    await server.kill();
    await until(() => connections.commands.status !== "ready");
    const follower = collector();
    waiting.follow(log.key, 0, follower);
    // Longer than the client library's own patience.
    await until(() => connections.commands.status === "reconnecting");
    await expect(connections.commands.ping()).rejects.toThrow();
    await server.restart();
    await until(() => follower.seen.length === 1);
    expect(follower.hasFailed).toBe(false);
  });

  test("hears that events are no longer held, rather than getting what is left of them", async () => {
    for (let entry = 0; entry < 4; entry++) await log.write(1);
    await redis.commands.xtrim(log.key, "MINID", "3-0");
    const follower = collector();
    reader.follow(log.key, 0, follower);
    await until(() => follower.hasFailed);
    expect(follower.seen).toEqual([]);
    const later = collector();
    reader.follow(log.key, 2, later);
    await until(() => later.seen.length === 2);
    expect(later.seen).toEqual(log.events.slice(2));
  });
});

test("closing ends the wait for events at once", async () => {
  const follower = collector();
  reader.follow(log.key, 0, follower);
  const start = performance.now();
  await reader.close();
  expect(performance.now() - start).toBeLessThan(BLOCK_MS / 2);
  await until(() => follower.hasFailed);
});
