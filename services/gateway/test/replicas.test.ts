import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { closing, closingAtEnd } from "./support/closing.ts";
import { gatewayProcess } from "./support/gateway.ts";
import { ask } from "./support/http.ts";
import { as, type Where } from "./support/people.ts";
import { type RedisServer, testRedis } from "./support/redis.ts";
import { names, replica } from "./support/replicas.ts";
import { until } from "./support/until.ts";

const keep = closingAtEnd();
const use = closing();
let redis: Pick<RedisServer, "url" | "stop">;

beforeAll(async () => {
  redis = keep(await testRedis());
});

const HOSTS = ["127.0.0.1", "127.0.0.2", "127.0.0.3"] as const;
const ANN = as("ann");

function manifest(port: number) {
  return {
    egress: { allow: ["127.0.0.0/8"] },
    agents: {
      // Without retries: whatever fails is seen.
      where: {
        url: `http://where.test:${port}`,
        tasks: { WHERE: "Says where it is." },
        limits: { retries: 0 },
      },
    },
    services: { where: { agent: "where", task_type: "WHERE", keywords: ["where"], answer: "outputs.host" } },
  };
}

/** A gateway and an agent of three processes, each at an address of its own. */
async function mesh(known: readonly string[] = HOSTS) {
  const [one, two, three] = HOSTS;
  const first = use(await replica(one, 0));
  const others = [use(await replica(two, first.port)), use(await replica(three, first.port))] as const;
  const resolver = use(names({ "where.test": [...known] }));
  const gateway = use(
    await gatewayProcess({ manifest: manifest(first.port), redisUrl: redis.url, env: resolver.env }),
  );
  return { gateway, resolver, replicas: [first, ...others] as const };
}

/** Where an ask was answered. */
async function where({ url }: Where): Promise<string> {
  const answer = await ask(`${url}/api/v1/chat`, {
    headers: ANN,
    body: { message: "where", session_id: randomUUID() },
  });
  const { message } = answer.json();
  expect(HOSTS).toContain(message);
  return String(message);
}

async function whereInTurn(gateway: Where, asks: number): Promise<string[]> {
  const all: string[] = [];
  while (all.length < asks) all.push(await where(gateway));
  return all;
}

function counts(all: readonly string[]): number[] {
  return HOSTS.map((host) => all.filter((one) => one === host).length);
}

/** Until each of some replicas has had its turn. */
async function untilSpreadOver(gateway: Where, hosts: readonly string[]): Promise<void> {
  await until(async () => {
    const seen = await whereInTurn(gateway, hosts.length);
    return hosts.every((host) => seen.includes(host));
  });
}

test("asks one after the other go to each replica in turn", async () => {
  const { gateway } = await mesh();
  await untilSpreadOver(gateway, HOSTS);
  expect(counts(await whereInTurn(gateway, 12))).toEqual([4, 4, 4]);
});

test("a replica that takes its time gets fewer asks, since it has more under way", async () => {
  const { gateway, replicas } = await mesh();
  await untilSpreadOver(gateway, HOSTS);
  const [, , slow] = replicas;
  await slow.tell("hold");
  let answers = 0;
  const asks = HOSTS.map(() => where(gateway).finally(() => answers++));
  await until(() => answers === HOSTS.length - 1);
  expect(counts(await whereInTurn(gateway, 12))).toEqual([6, 6, 0]);
  await slow.tell("answer");
  expect(counts(await Promise.all(asks))).toEqual([1, 1, 1]);
});

test("a replica that is killed gets nothing more, no ask fails, and it is back when it is", async () => {
  const { gateway, replicas } = await mesh();
  await untilSpreadOver(gateway, HOSTS);
  const [, killed] = replicas;
  await killed.stop();
  expect(counts(await whereInTurn(gateway, 12))).toEqual([6, 0, 6]);
  use(await replica(killed.host, killed.port));
  await untilSpreadOver(gateway, HOSTS);
});

test("replicas are found and left as the name's addresses change, and no ask fails", async () => {
  const [one, two, three] = HOSTS;
  const { gateway, resolver } = await mesh([one]);
  expect(counts(await whereInTurn(gateway, 6))).toEqual([6, 0, 0]);
  resolver.set({ "where.test": [one, two, three] });
  await untilSpreadOver(gateway, HOSTS);
  resolver.set({ "where.test": [two, three] });
  await until(async () => counts(await whereInTurn(gateway, 4))[0] === 0);
  expect(counts(await whereInTurn(gateway, 6))).toEqual([0, 3, 3]);
});

test("an address that nobody listens at is never waited for", async () => {
  const { gateway } = await mesh([...HOSTS, "127.0.0.4"]);
  await untilSpreadOver(gateway, HOSTS);
  expect(counts(await whereInTurn(gateway, 12))).toEqual([4, 4, 4]);
});
