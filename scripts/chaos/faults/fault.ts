import type { Random } from "../random.ts";
import type { World } from "../world.ts";

/** One way of breaking the mesh. */
export type FaultKind = {
  readonly name: string;
  readonly weight: number;
  /**
   * Chooses where it happens. @returns the names of what it touches, which nothing else touches meanwhile, and the fault itself, which
   * resolves when the mesh is whole again; with false where there was nothing that it could break
   */
  readonly aim: (world: World, random: Random) => Fault;
};

export type Fault = { readonly targets: readonly string[]; readonly strike: () => Promise<boolean> };

export const REDIS = "redis";
export const redisWay = (gateway: string) => `${gateway} to redis`;
export const agentWay = (gateway: string) => `${gateway} to agents`;

const isScript = (request: Buffer) => request.includes("evalsha");
/** A script on the gateway's own keys, and one on the queue's. */
export const isOurScript = (request: Buffer) => isScript(request) && request.includes("il:{");
export const isQueueScript = (request: Buffer) => isScript(request) && request.includes("{il-queue}");
