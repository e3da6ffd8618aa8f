import { setTimeout as sleep } from "node:timers/promises";
import type { Ledger } from "../ledger.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";
import { CONNECTION_FAULTS, SILENT_FAULTS } from "./connections.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { HEAVY_FAULTS, PROCESS_FAULTS } from "./processes.ts";

const LIGHT: readonly FaultKind[] = [...PROCESS_FAULTS, ...CONNECTION_FAULTS];
const HEAVY: readonly FaultKind[] = [...HEAVY_FAULTS, ...SILENT_FAULTS];

/** How many faults are active at once, on different targets. */
const LANES = 3;

type Scope = { world: World; ledger: Ledger; random: Random; signal: AbortSignal };

/** Injects light faults for a while, several at once. Resolves when the mesh is repaired. */
export async function injectLight(scope: Scope, ms: number): Promise<void> {
  const { random, world, signal } = scope;
  const until = Date.now() + ms;
  const busy = new Set<string>();
  const lane = async (own: Random): Promise<void> => {
    while (Date.now() < until && !signal.aborted) {
      const kind = own.weighted(LIGHT);
      const fault = kind.aim(world, own);
      if (!fault.targets.some((target) => busy.has(target))) {
        for (const target of fault.targets) busy.add(target);
        await inject(scope, kind, fault);
        for (const target of fault.targets) busy.delete(target);
      }
      await sleep(own.int(50, 500));
    }
  };
  await Promise.all(Array.from({ length: LANES }, () => lane(random.fork())));
}

/** Injects one heavy fault; each turn has the next kind. */
export async function injectHeavy(scope: Scope, turn: number): Promise<void> {
  const kind = HEAVY[turn % HEAVY.length];
  if (kind) await inject(scope, kind, kind.aim(scope.world, scope.random));
}

async function inject({ ledger }: Scope, { name }: FaultKind, fault: Fault): Promise<void> {
  if (await ledger.during(fault.inject)) ledger.count(name);
}
