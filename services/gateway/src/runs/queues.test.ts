import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { closingAtEnd } from "../../test/support/closing.ts";
import { testRedis } from "../../test/support/redis.ts";
import { until } from "../../test/support/until.ts";
import { keysOf } from "../store/keys.ts";
import { Outbox } from "../store/outbox.ts";
import { type Connections, connect } from "../store/redis.ts";
import { Queues, type QueuesDeps } from "./queues.ts";

const keep = closingAtEnd();
const TENANT = "queues-test";
const keys = keysOf(TENANT);
let redisUrl: string;
let redis: Connections;
let queues: Queues;
/** What the queue asked for, in order: run ids with their epochs, and approvals. */
let asked: string[];
let answer: (asked: string) => Promise<void>;

beforeAll(async () => {
  redisUrl = keep(await testRedis()).url;
  redis = connect(redisUrl, () => undefined);
  keep({ stop: () => redis.close() });
});

beforeEach(() => {
  asked = [];
  answer = async () => undefined;
  queues = started({});
});

afterEach(() => queues.close());

function started(more: Partial<QueuesDeps>): Queues {
  const hear = async (word: string) => {
    asked.push(word);
    await answer(word);
  };
  return new Queues({
    redisUrl,
    holder: {
      room: async () => undefined,
      claim: async (_keys, run, epoch) => {
        await hear(`${run} ${epoch}`);
        return "executed";
      },
    },
    outbox: new Outbox(redis.commands),
    decisions: { lookAgain: async (_tenant, id) => await hear(`approval ${id}`) },
    tell: async (_tenant, { type, run }) => await hear(`${type} ${run}`),
    concurrency: 4,
    onTrouble: () => undefined,
    ...more,
  });
}

const put = (...members: string[]) =>
  redis.commands.zadd(keys.outbox, ...members.flatMap((member) => [0, member]));
const outbox = () => redis.commands.zrange(keys.outbox, "0", "-1");

describe("the relay", () => {
  test("brings what is in the outbox to a worker, once, and empties it", async () => {
    const ids = Array.from({ length: 300 }, () => randomUUID());
    await put(...ids.map((id) => `run|${id}|1`));
    for (let times = 0; times < 5; times++) queues.relay(TENANT);
    await until(() => asked.length >= 300);
    await until(async () => (await outbox()).length === 0);
    expect(asked.toSorted()).toEqual(ids.map((id) => `${id} 1`).toSorted());
  });

  test("by two replicas at once, or again after a crash, makes one job", async () => {
    const other = started({});
    const id = randomUUID();
    for (let times = 0; times < 3; times++) {
      await put(`run|${id}|1`);
      queues.relay(TENANT);
      other.relay(TENANT);
      await until(async () => (await outbox()).length === 0);
    }
    await put(`run|${id}|2`);
    queues.relay(TENANT);
    await until(() => asked.includes(`${id} 2`));
    expect(asked).toEqual([`${id} 1`, `${id} 2`]);
    await other.close();
  });

  test("has an approval's timer set", async () => {
    const id = randomUUID();
    await put(`approval|${id}`);
    queues.relay(TENANT);
    await until(async () => (await outbox()).length === 0);
    expect(asked).toEqual([`approval ${id}`]);
  });
});

test("a job whose work could not be done comes again: nobody else knows that the run waits", async () => {
  const id = randomUUID();
  answer = async () => {
    if (asked.length < 3) throw new Error("the store is away");
  };
  await put(`run|${id}|1`);
  queues.relay(TENANT);
  await until(() => asked.length === 3);
  expect(asked).toEqual(Array.from({ length: 3 }, () => `${id} 1`));
});
