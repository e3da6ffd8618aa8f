import { setTimeout as sleep } from "node:timers/promises";
import type { ManagedProcess } from "../../cli/src/managed-process.ts";
import type { Random } from "../random.ts";
import type { Gateway, World } from "../world.ts";
import { type FaultKind, isOurScript, isQueueScript, REDIS, redisPath } from "./fault.ts";

const READY_MS = 40_000;

async function killAndRestart(process: ManagedProcess, downMs: number): Promise<boolean> {
  process.kill("SIGKILL");
  await process.exited();
  await sleep(downMs);
  process.start();
  await process.ready(READY_MS);
  return true;
}

async function freeze(process: ManagedProcess, ms: number): Promise<boolean> {
  process.kill("SIGSTOP");
  await sleep(ms);
  process.kill("SIGCONT");
  await process.ready(READY_MS);
  return true;
}

function gatewaysOf(world: World): ManagedProcess[] {
  return world.gateways.map(({ process }) => process);
}

/** Kills every process at once and starts all of them again: only what Redis has on disk survives. */
export async function blackout(world: World, downMs: number): Promise<boolean> {
  const all = [...gatewaysOf(world), ...world.workers, world.redis];
  for (const process of all) process.kill("SIGKILL");
  await Promise.all(all.map((process) => process.exited()));
  await sleep(downMs);
  for (const process of all) process.start();
  await Promise.all(all.map((process) => process.ready(READY_MS)));
  return true;
}

function kind(
  name: string,
  weight: number,
  candidates: (world: World) => readonly ManagedProcess[],
  inject: (process: ManagedProcess, random: Random) => Promise<boolean>,
): FaultKind {
  return {
    name,
    weight,
    aim: (world, random) => {
      const process = random.pick(candidates(world));
      return { targets: [process.name], inject: () => inject(process, random) };
    },
  };
}

/** Kills a gateway at a certain moment of its traffic with Redis: `moment` resolves then, with false if it did not come in time. */
function killedAtWrite(
  name: string,
  weight: number,
  moment: (gateway: Gateway, random: Random) => Promise<boolean>,
): FaultKind {
  return {
    name,
    weight,
    aim: (world, random) => {
      const gateway = random.pick(world.gateways);
      const inject = async () => {
        const came = await moment(gateway, random);
        gateway.process.kill("SIGKILL");
        await gateway.process.exited();
        gateway.toRedis.hole(false);
        await killAndRestart(gateway.process, random.int(50, 500));
        return came;
      };
      return { targets: [gateway.name, redisPath(gateway.name)], inject };
    },
  };
}

async function restart(process: ManagedProcess): Promise<boolean> {
  await process.restart(READY_MS);
  return true;
}

export const PROCESS_FAULTS: readonly FaultKind[] = [
  kind("worker restarted with SIGTERM", 2, (world) => world.workers, restart),
  killedAtWrite("gateway killed before a write", 3, async ({ toRedis }, random) => {
    // Commands that it sends from now on never arrive.
    toRedis.hole(true);
    await sleep(random.int(5, 150));
    return true;
  }),
  killedAtWrite("gateway killed after a write", 4, ({ toRedis }) => toRedis.dropReply(isOurScript, 3_000)),
  killedAtWrite("gateway killed while queueing", 3, ({ toRedis }) => toRedis.dropReply(isQueueScript, 3_000)),
  kind("gateway killed", 3, gatewaysOf, (process, random) => killAndRestart(process, random.int(50, 1_500))),
  kind(
    "worker killed",
    4,
    (world) => world.workers,
    (process, random) => killAndRestart(process, random.int(50, 1_000)),
  ),
  kind(
    "Redis killed",
    3,
    (world) => [world.redis],
    (process, random) => killAndRestart(process, random.int(50, 3_000)),
  ),
  kind("gateway frozen", 2, gatewaysOf, (process, random) => freeze(process, random.int(500, 4_000))),
  kind(
    "worker frozen",
    2,
    (world) => world.workers,
    (process, random) => freeze(process, random.int(500, 4_000)),
  ),
  kind(
    "Redis frozen",
    2,
    (world) => [world.redis],
    (process, random) => freeze(process, random.int(200, 3_500)),
  ),
];

/** Faults that last long or hit every process. They are injected one at a time. */
export const HEAVY_FAULTS: readonly FaultKind[] = [
  // Longer than a lease (10 s): another gateway takes over the runs of the frozen one.
  kind("gateway frozen past its lease", 3, gatewaysOf, (process, random) =>
    freeze(process, random.int(11_000, 13_500)),
  ),
  {
    name: "everything killed",
    weight: 1,
    aim: (world, random) => ({
      targets: [
        REDIS,
        ...gatewaysOf(world).map(({ name }) => name),
        ...world.workers.map(({ name }) => name),
      ],
      inject: () => blackout(world, random.int(50, 2_000)),
    }),
  },
];
