import type { ManagedProcess } from "../cli/src/managed-process.ts";
import type { Api } from "./api.ts";
import type { Ledger } from "./ledger.ts";
import { approverOf, fresh } from "./load/load.ts";
import { ROOM } from "./pace.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** How long a stream may pause when its gateway is drained. */
const RESUME_MS = 3_000 * ROOM;
/** Time between SIGTERM and SIGKILL. */
const STOP_MS = 10_000 * ROOM;

type Scope = { world: World; api: Api; ledger: Ledger; random: Random };

/**
 * Restarts the gateways one after another with SIGTERM, under load. This is not a fault: no request may fail, every process must exit
 * with 0, and streams must continue within three seconds.
 */
export async function rollingRestart(scope: Scope): Promise<void> {
  const { world, ledger, random } = scope;
  const gateways = random.shuffled(world.gateways).map(({ process }) => process);
  const over = new AbortController();
  const watching = longestGap(scope, over.signal);
  for (const process of gateways) {
    await restart(process, ledger);
    ledger.count("gateway restarted with SIGTERM");
  }
  over.abort();
  const gapMs = await watching;
  ledger.longestGapMs = Math.max(ledger.longestGapMs, gapMs);
  if (gapMs > RESUME_MS) ledger.violate("stream resumed late", "rolling restart", `${Math.round(gapMs)} ms`);
}

async function restart(process: ManagedProcess, ledger: Ledger): Promise<void> {
  await process.stop(STOP_MS);
  if (process.ending !== "ended with exit code 0")
    ledger.violate("not drained", process.name, process.ending);
  process.start();
  await process.ready();
}

/** Follows runs that report progress several times a second. @returns the longest time between two events of one run (ms) */
async function longestGap({ api, ledger }: Scope, over: AbortSignal): Promise<number> {
  const caller = { user: "watcher", tenant: approverOf("north").tenant, roles: [] };
  let longest = 0;
  while (!over.aborted) {
    const body = { session_id: fresh("s"), flow: "change", inputs: { ms: 1_000, beats: 5, gate: false } };
    const { body: started } = await api.settle("POST", "/runs", caller, { body, key: fresh("watched") });
    if (typeof started.run_id !== "string") continue;
    ledger.acknowledge(started.run_id, caller, "watched");
    let last: number | undefined;
    try {
      for await (const _ of api.client(caller, "watched").runs.events(started.run_id)) {
        const now = performance.now();
        if (last !== undefined) longest = Math.max(longest, now - last);
        last = now;
        if (over.aborted) break;
      }
    } catch (error) {
      ledger.violate(
        "stream lost in a rolling restart",
        started.run_id,
        Error.isError(error) ? error.name : "",
      );
    }
  }
  return longest;
}
