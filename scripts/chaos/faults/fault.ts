import type { Random } from "../random.ts";
import type { World } from "../world.ts";

/** A kind of fault, chosen with a probability proportional to its weight. */
export type FaultKind = {
  readonly name: string;
  readonly weight: number;
  readonly aim: (world: World, random: Random) => Fault;
};

export type Fault = {
  /** Processes and paths that no other fault may touch meanwhile. */
  readonly targets: readonly string[];
  /** Resolves when the mesh is repaired: with false if there was nothing to break. */
  readonly inject: () => Promise<boolean>;
};

export const REDIS = "redis";

export function redisPath(gateway: string): string {
  return `${gateway} to redis`;
}

export function agentPath(gateway: string): string {
  return `${gateway} to agents`;
}

/** Whether a Redis command runs a script on the gateway's own keys. */
export function isOurScript(command: Buffer): boolean {
  return command.includes("evalsha") && command.includes("il:{");
}

/** Whether a Redis command runs a script on BullMQ's keys. */
export function isQueueScript(command: Buffer): boolean {
  return command.includes("evalsha") && command.includes("{il-queue}");
}
