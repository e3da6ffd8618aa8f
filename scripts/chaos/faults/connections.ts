import { setTimeout as sleep } from "node:timers/promises";
import type { FaultProxy } from "../proxy/fault-proxy.ts";
import type { Random } from "../random.ts";
import type { Gateway } from "../world.ts";
import { agentPath, type FaultKind, isOurScript, REDIS, redisPath } from "./fault.ts";

type Inject = (proxy: FaultProxy, random: Random) => Promise<boolean>;

function toRedis(name: string, weight: number, inject: Inject): FaultKind {
  return kind(name, weight, (gateway) => [redisPath(gateway.name), gateway.toRedis], inject);
}

function toAgents(name: string, weight: number, inject: Inject): FaultKind {
  return kind(name, weight, (gateway) => [agentPath(gateway.name), gateway.toAgents], inject);
}

function kind(
  name: string,
  weight: number,
  pathOf: (gateway: Gateway) => [string, FaultProxy],
  inject: Inject,
): FaultKind {
  return {
    name,
    weight,
    aim: (world, random) => {
      const [target, proxy] = pathOf(random.pick(world.gateways));
      return { targets: [target], inject: () => inject(proxy, random) };
    },
  };
}

function isAny(): boolean {
  return true;
}

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

/** Half-open connections: no data and no reset arrives. The fault lasts until both ends have timed out. */
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
  // Longer than a lease: another gateway takes over the runs that this one still executes.
  toRedis("Redis out of reach past a lease", 2, (proxy, random) => holed(proxy, random.int(11_000, 13_000))),
  {
    name: "Redis full",
    weight: 1,
    aim: (world, random) => ({
      targets: [REDIS],
      inject: async () => {
        await world.observer.config("SET", "maxmemory", "1");
        await sleep(random.int(500, 3_000));
        await world.observer.config("SET", "maxmemory", "0");
        return true;
      },
    }),
  },
];
