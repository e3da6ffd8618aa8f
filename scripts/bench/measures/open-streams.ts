import { setTimeout as delay } from "node:timers/promises";
import { HeldStreams } from "../load/held-streams.ts";
import { runStreams } from "../load/streams.ts";
import { mostOpenFiles } from "../os/proc.ts";
import { startRig } from "../sut/rig.ts";
import type { Bench, Measure, Values } from "./measure.ts";

const SETTLE_MS = 2_500;

/** Gateway and agent send a keepalive every 15 s; a shorter span would miss their cost. */
const KEEPALIVE_MS = 15_000;

/** Files that the gateway needs besides its streams: connections to Redis, the log, scripts. */
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

async function hold({ cores, signal }: Bench, streams: number, watchMs: number): Promise<Values> {
  // A fresh gateway: streams would reuse memory that other measures have freed.
  const rig = await startRig({ cores, signal });
  const url = rig.gateways[0] ?? "";
  const held = new HeldStreams(url);
  try {
    // Code and pools that the first streams load must not count as memory of the idle ones.
    const warmUp = { url, side: "gateway", streams: 20, events: 20, everyMs: 0 } as const;
    await runStreams(warmUp, { seconds: 0.5, signal });
    await delay(500, undefined, { signal });
    const [before, storeBefore] = [rig.sut(), rig.store()];
    const opening = performance.now();
    const own = withOwnRun(streams);
    await held.openRuns(own);
    await held.openReaders(streams - own);
    const openedMs = performance.now() - opening;
    await delay(SETTLE_MS, undefined, { signal });
    const [still, storeStill] = [rig.sut(), rig.store()];
    const watching = performance.now();
    await delay(watchMs, undefined, { signal });
    const watchedS = (performance.now() - watching) / 1000;
    const [after, storeAfter] = [rig.sut(), rig.store()];
    const open = held.count();
    return {
      open,
      ownRuns: own,
      kibPerStream: (after.rssKib - before.rssKib) / open,
      storeKibPerStream: (storeAfter.rssKib - storeBefore.rssKib) / open,
      rssMib: after.rssKib / 1024,
      idleCpuPercent: ((after.cpuS - still.cpuS) / watchedS) * 100,
      storeIdleCpuPercent: ((storeAfter.cpuS - storeStill.cpuS) / watchedS) * 100,
      openedPerS: open / (openedMs / 1000),
    };
  } finally {
    held.close();
    await rig.stop();
  }
}

/**
 * A stream with its own run takes two of the gateway's files: one to the client, one to the agent. Beyond the limit of open files, the
 * remaining streams are second readers of those runs.
 */
function withOwnRun(streams: number): number {
  return Math.max(1, Math.min(streams, mostOpenFiles() - OTHER_FILES - streams));
}
