import { setTimeout as sleep } from "node:timers/promises";
import { Api } from "./api.ts";
import { checkInvariants } from "./checks/invariants.ts";
import { settle } from "./checks/settle.ts";
import { heldBytes } from "./heap.ts";
import { approverOf, fresh } from "./load/load.ts";
import { inParallel, until } from "./pace.ts";
import type { Scope } from "./round.ts";
import type { Gateway } from "./world.ts";

/** How much memory use may differ after the storm, as a fraction. */
const TOLERANCE = 0.1;

export type MemoryReport = { name: string; beforeMb: number; afterMb: number };

/**
 * Compares each gateway's memory before and after hundreds of clients that leave in mid-stream, while connections are cut. Restarts the
 * gateways first, so that earlier faults do not count.
 */
export async function checkMemory(scope: Scope, clients: number): Promise<MemoryReport[]> {
  const { world, ledger, random } = scope;
  const api = new Api(world.gateways, ledger, random.fork());
  await Promise.all(world.gateways.map(({ process }) => process.restart()));
  // Warm-up: compiles code and opens connections before the first measurement.
  await storm(api, scope, Math.ceil(clients / 2));
  const before = await measure(scope, api);
  await ledger.during(async () => {
    const cuts = cutNowAndThen(scope);
    await storm(api, scope, clients);
    await cuts.stop();
  });
  const after = await measure(scope, api);
  return world.gateways.map(({ name }, at) => {
    const [beforeMb = 0, afterMb = 0] = [before[at], after[at]].map((bytes = 0) => bytes / 2 ** 20);
    if (Math.abs(afterMb / beforeMb - 1) > TOLERANCE) {
      ledger.violate("memory not back", name, `${beforeMb.toFixed(1)} → ${afterMb.toFixed(1)} MB`);
    }
    return { name, beforeMb, afterMb };
  });
}

/** Clients leave their stream after a few events; half of them resume it. */
async function storm(api: Api, { random, ledger }: Scope, clients: number): Promise<void> {
  await inParallel(Array.from({ length: clients }), 24, async (_, at) => {
    const caller = { user: `passer-${at % 8}`, tenant: approverOf("south").tenant, roles: [] };
    const inputs = { ms: 40, beats: 4, gate: false };
    const client = api.client(caller, "storm");
    const stream = client.chat("change", { sessionId: fresh("s"), inputs });
    let left = random.int(1, 8);
    try {
      for await (const _event of stream) if (--left === 0) break;
      if (stream.runId !== undefined && random.chance(0.5)) {
        for await (const _event of client.runs.events(stream.runId, { after: stream.lastSeq }));
      }
    } catch {
      // The client has given up after too many cuts; its run is checked all the same.
    }
  });
  ledger.count("client left", clients);
}

function cutNowAndThen({ world, random, ledger }: Scope): { stop: () => Promise<void> } {
  const over = new AbortController();
  const loop = (async () => {
    while (!over.signal.aborted) {
      await sleep(random.int(100, 400), undefined, { signal: over.signal }).catch(() => undefined);
      const { toRedis, toAgents } = random.pick(world.gateways);
      random.pick([toRedis, toAgents]).cut();
      ledger.count("connections cut");
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await loop;
    },
  };
}

async function measure(scope: Scope, api: Api): Promise<number[]> {
  const { world, ledger } = scope;
  await settle(world, api, ledger);
  await checkInvariants(scope);
  for (const gateway of world.gateways) {
    if (!(await until(() => isIdle(gateway), 10_000)))
      ledger.violate("streams or runs left behind", gateway.name);
  }
  await sleep(500);
  return await Promise.all(world.gateways.map(({ process }) => heldBytes(process)));
}

/** Whether the gateway has no runs and no open streams. */
async function isIdle({ url }: Gateway): Promise<boolean> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return ["interlock_open_streams 0", "interlock_running_runs 0"].every((line) =>
    text.includes(`\n${line}\n`),
  );
}
