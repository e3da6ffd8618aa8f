import { setTimeout as delay } from "node:timers/promises";
import { mostOpenFiles } from "../os/proc.ts";
import { type Rig, startRig } from "../sut/rig.ts";
import { type Bench, type Measure, refuseTroubles, type Values } from "./measure.ts";
import { countStreams } from "./streams.ts";

const SETTLE_MS = 2_500;

/** Both sides break a silence every 15 s: less than that is not what an idle stream costs. */
const KEEPALIVE_MS = 15_000;

/** Files of the gateway besides its streams: connections to Redis, the log, scripts. */
const OTHER_FILES = 400;

export const idle: Measure = {
  name: "idle",
  title: "5,000 open streams that say nothing",
  run: (bench) => hold(bench, 5_000, 2_000),
};

export const open10k: Measure = {
  name: "open10k",
  title: "10,000 open streams on one gateway",
  once: true,
  run: (bench) => hold(bench, 10_000, KEEPALIVE_MS),
};

async function hold(bench: Bench, streams: number, watchMs: number): Promise<Values> {
  const { cores, signal, load } = bench;
  // A gateway of its own: memory that other measures have left behind would take up what the streams need.
  const rig = await startRig({ cores, signal });
  const url = rig.gateways[0] ?? "";
  try {
    await warmUp(bench, url);
    const before = rig.sut();
    const storeBefore = rig.store();
    const since = performance.now();
    const own = withOwnRun(streams);
    await load.call("openHeld", url, own, "own");
    if (own < streams) await load.call("openHeld", url, streams - own, "second");
    const openedMs = performance.now() - since;
    await delay(SETTLE_MS, undefined, { signal });
    const [idleCpu, storeIdleCpu] = await cpuShares(rig, watchMs, signal);
    const after = rig.sut();
    const storeAfter = rig.store();
    const held = await load.call("heldState");
    refuseTroubles(held);
    const grownKib = after.rssKib - before.rssKib;
    const storeKib = storeAfter.rssKib - storeBefore.rssKib;
    return {
      open: held.open,
      ownRuns: own,
      kibPerStream: grownKib / held.open,
      storeKibPerStream: storeKib / held.open,
      rssMib: after.rssKib / 1024,
      idleCpuPercent: idleCpu * 100,
      storeIdleCpuPercent: storeIdleCpu * 100,
      openedPerS: held.open / (openedMs / 1000),
    };
  } finally {
    await load.call("closeHeld");
    await rig.stop();
  }
}

/** What is loaded, compiled and pooled with the first streams is no stream's own. */
async function warmUp(bench: Bench, url: string): Promise<void> {
  const options = { url, side: "gateway", streams: 20, events: 20, everyMs: 0 } as const;
  await countStreams(bench, options, 0.5, []);
  await delay(500, undefined, { signal: bench.signal });
}

/** Shares of a core, of everything and of Redis alone. */
async function cpuShares(rig: Rig, ms: number, signal: AbortSignal): Promise<[sut: number, store: number]> {
  const [sut, store] = [rig.sut().cpuS, rig.store().cpuS];
  const since = performance.now();
  await delay(ms, undefined, { signal });
  const seconds = (performance.now() - since) / 1000;
  return [(rig.sut().cpuS - sut) / seconds, (rig.store().cpuS - store) / seconds];
}

/**
 * A stream with a run of its own takes two of the gateway's files: one to the client, one to the agent. Where the system does not allow
 * that many, the rest are second readers of those runs.
 */
function withOwnRun(streams: number): number {
  return Math.max(1, Math.min(streams, mostOpenFiles() - OTHER_FILES - streams));
}
