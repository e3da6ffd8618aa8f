import { setTimeout as delay } from "node:timers/promises";
import { median } from "../load/figures.ts";
import { Load } from "../load/load.ts";
import { decide } from "../measures/approvals.ts";
import { refuseTroubles } from "../measures/measure.ts";
import { type Cores, pin } from "../os/cores.ts";
import { startRig } from "../sut/rig.ts";

export type SoakSample = {
  readonly minute: number;
  /** Resident memory of the gateway, and of Redis. */
  readonly gatewayMib: number;
  readonly storeMib: number;
};

export type SoakResult = {
  readonly minutes: number;
  readonly asks: number;
  readonly events: number;
  /** MiB a minute, over the second half. */
  readonly gatewaySlope: number;
  readonly storeSlope: number;
  readonly samples: readonly SoakSample[];
};

const SAMPLE_MS = 5_000;

/** Short, so that what Redis keeps of finished runs comes to rest within the soak. */
const KEPT_S = "60";

/**
 * Everything at once and not in a hurry: asks, streams, clients that go away in the middle, approvals. Long enough for a leak to show,
 * slow enough for Redis to hold what ten minutes leave behind.
 */
export async function soak(options: {
  readonly minutes: number;
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}): Promise<SoakResult> {
  const { minutes, cores, signal, say } = options;
  const gatewayEnv = { LOG_TTL_S: KEPT_S, RUN_TTL_S: KEPT_S, SESSION_TTL_S: KEPT_S };
  const rig = await startRig({ cores, signal, gatewayEnv });
  const url = rig.gateways[0] ?? "";
  const load = new Load();
  const samples: SoakSample[] = [];
  try {
    if (cores) pin([load.pid], [cores.harness]);
    await load.call("beginAsks", { urls: [url], side: "gateway", concurrency: 16, pauseMs: 80 });
    await load.call("beginStreams", { url, side: "gateway", streams: 40, events: 50, everyMs: 40 });
    await load.call("record");
    const since = performance.now();
    const minutesSince = () => (performance.now() - since) / 60_000;
    while (minutesSince() < minutes) {
      await disturb(load, url, rig.worker);
      await delay(SAMPLE_MS, undefined, { signal });
      const store = rig.store().rssKib;
      samples.push({
        minute: round(minutesSince()),
        gatewayMib: round((rig.sut().rssKib - store) / 1024),
        storeMib: round(store / 1024),
      });
      const last = samples.at(-1);
      if (samples.length % 12 === 0)
        say(`${last?.minute} min: gateway ${last?.gatewayMib} MiB, Redis ${last?.storeMib} MiB`);
    }
    const streams = await load.call("finishStreams");
    const asks = await load.call("finishAsks");
    refuseTroubles(streams);
    refuseTroubles(asks);
    return {
      minutes,
      asks: asks.answered,
      events: streams.events,
      gatewaySlope: slopeOf(samples.map(({ minute, gatewayMib }) => [minute, gatewayMib])),
      storeSlope: slopeOf(samples.map(({ minute, storeMib }) => [minute, storeMib])),
      samples,
    };
  } finally {
    await load.stop();
    await rig.stop();
  }
}

/** Clients that leave in the middle, and runs that wait for a decision. */
async function disturb(load: Load, url: string, worker: string): Promise<void> {
  await load.call("openHeld", url, 50, "own");
  await load.call("closeHeld");
  await decide({ load }, { url, worker, runs: 20, concurrency: 4 });
}

/**
 * MiB a minute over the second half: the first one holds the warming up. The middle one of the slopes of all pairs, so that a single
 * collection of garbage decides nothing.
 */
export function slopeOf(points: readonly (readonly [minute: number, mib: number])[]): number {
  const half = points.slice(points.length >> 1);
  const slopes = half.flatMap(([x1, y1], index) =>
    half.slice(index + 1).map(([x2, y2]) => (y2 - y1) / (x2 - x1)),
  );
  return round(median(slopes));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
