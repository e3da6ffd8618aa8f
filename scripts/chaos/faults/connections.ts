import { setTimeout as sleep } from "node:timers/promises";
import type { FaultProxy } from "../proxy/fault-proxy.ts";
import type { Random } from "../random.ts";
import type { Gateway } from "../world.ts";
import { agentWay, type FaultKind, isOurScript, REDIS, redisWay } from "./fault.ts";

const toRedis = (
  name: string,
  weight: number,
  strike: (proxy: FaultProxy, random: Random) => Promise<boolean>,
): FaultKind => kind(name, weight, ({ name: gateway, toRedis: proxy }) => [redisWay(gateway), proxy], strike);

const toAgents = (
  name: string,
  weight: number,
  strike: (proxy: FaultProxy, random: Random) => Promise<boolean>,
): FaultKind =>
  kind(name, weight, ({ name: gateway, toAgents: proxy }) => [agentWay(gateway), proxy], strike);

function kind(
  name: string,
  weight: number,
  way: (gateway: Gateway) => [string, FaultProxy],
  strike: (proxy: FaultProxy, random: Random) => Promise<boolean>,
): FaultKind {
  return {
    name,
    weight,
    aim: (world, random) => {
      const [target, proxy] = way(random.pick(world.gateways));
      return { targets: [target], strike: () => strike(proxy, random) };
    },
  };
}

const isAny = () => true;

async function delayed(proxy: FaultProxy, latencyMs: number, ms: number): Promise<boolean> {
  proxy.delay(latencyMs);
  await sleep(ms);
  proxy.delay(0);
  return true;
}

async function holed(proxy: FaultProxy, ms: number): Promise<boolean> {
  proxy.hole(true);
  await sleep(ms);
  proxy.hole(false);
  return true;
}

async function cut(proxy: FaultProxy): Promise<boolean> {
  if (proxy.connections === 0) return false;
  proxy.cut();
  return true;
}

/** Connections that die without a word. Both ends have to notice by themselves: until then the fault lasts. */
async function silenced(proxy: FaultProxy): Promise<boolean> {
  if (proxy.connections === 0) return false;
  proxy.silence();
  await sleep(15_000);
  return true;
}

export const CONNECTION_FAULTS: readonly FaultKind[] = [
  toRedis("reply of a script lost", 10, (proxy) => proxy.dropReply(isOurScript, 3_000)),
  toRedis("reply of Redis lost", 4, (proxy) => proxy.dropReply(isAny, 3_000)),
  toRedis("connections to Redis cut", 4, cut),
  toRedis("Redis slow", 3, (proxy, random) => delayed(proxy, random.int(20, 250), random.int(1_000, 3_000))),
  toRedis("Redis out of reach", 2, (proxy, random) => holed(proxy, random.int(500, 5_000))),
  toAgents("reply of an agent lost", 5, (proxy) => proxy.dropReply(isAny, 3_000)),
  toAgents("connections to agents cut", 5, cut),
  toAgents("agents slow", 2, (proxy, random) =>
    delayed(proxy, random.int(20, 250), random.int(1_000, 3_000)),
  ),
  toAgents("agents out of reach", 2, (proxy, random) => holed(proxy, random.int(500, 4_000))),
];

export const SILENT_FAULTS: readonly FaultKind[] = [
  toRedis("connections to Redis silent", 2, silenced),
  // Out of reach for longer than a lease: another replica takes over what this one goes on working at.
  toRedis("Redis out of reach past a lease", 2, (proxy, random) => holed(proxy, random.int(11_000, 13_000))),
  {
    name: "Redis full",
    weight: 1,
    aim: (world, random) => ({
      targets: [REDIS],
      strike: async () => {
        await world.observer.config("SET", "maxmemory", "1");
        await sleep(random.int(500, 3_000));
        await world.observer.config("SET", "maxmemory", "0");
        return true;
      },
    }),
  },
];
