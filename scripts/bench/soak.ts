import { setTimeout as delay } from "node:timers/promises";
import { runAsks } from "./load/asks.ts";
import { runDecisions } from "./load/decisions.ts";
import { median } from "./load/figures.ts";
import { HeldStreams } from "./load/held-streams.ts";
import { askOf } from "./load/requests.ts";
import { runStreams } from "./load/streams.ts";
import type { Cores } from "./os/cores.ts";
import { startRig } from "./sut/rig.ts";

const SAMPLE_MS = 5_000;

/** Retention of finished runs: short, so that their number in Redis levels off during the soak. */
const KEPT_S = "60";

/**
 * Runs asks, streams, disconnecting clients and approvals at the same time, at a moderate rate, and watches the memory of gateway and
 * Redis.
 *
 * @returns a summary
 */
export async function soak(minutes: number, cores: Cores | undefined, signal: AbortSignal): Promise<string> {
  const gatewayEnv = { LOG_TTL_S: KEPT_S, RUN_TTL_S: KEPT_S, SESSION_TTL_S: KEPT_S };
  const rig = await startRig({ cores, signal, gatewayEnv });
  const url = rig.gateways[0] ?? "";
  const began = performance.now();
  const minute = () => (performance.now() - began) / 60_000;
  const samples: { minute: number; gatewayMib: number; storeMib: number }[] = [];
  const disturbAndWatch = async () => {
    while (minute() < minutes) {
      const leaving = new HeldStreams(url);
      await leaving.openRuns(50);
      leaving.close();
      await runDecisions({ url, worker: rig.worker, runs: 20, concurrency: 4 });
      await delay(SAMPLE_MS, undefined, { signal });
      const storeMib = rig.store().rssKib / 1024;
      samples.push({ minute: minute(), gatewayMib: rig.sut().rssKib / 1024 - storeMib, storeMib });
    }
  };
  const counting = { seconds: minutes * 60, signal };
  try {
    const [asks, streams] = await Promise.all([
      runAsks(
        { urls: [url], question: askOf.gateway, concurrency: 16, pauseMs: 80 },
        { ...counting, warmS: 0 },
      ),
      runStreams({ url, side: "gateway", streams: 40, events: 50, everyMs: 40 }, counting),
      disturbAndWatch(),
    ]);
    const slopes = [
      slopeOf(samples.map((sample) => [sample.minute, sample.gatewayMib])),
      slopeOf(samples.map((sample) => [sample.minute, sample.storeMib])),
    ].map((slope) => slope.toFixed(2));
    return (
      `${minutes} minutes, ${asks.answered.toLocaleString("en")} asks and ${streams.events.toLocaleString("en")} streamed events: ` +
      `over the second half the gateway's memory moved by ${slopes[0]} MiB a minute, that of Redis by ${slopes[1]}.`
    );
  } finally {
    await rig.stop();
  }
}

/**
 * MiB a minute over the second half; the first half is warm-up. The median of the slopes of all pairs (Theil–Sen) is robust against a
 * single garbage collection.
 */
export function slopeOf(points: readonly (readonly [minute: number, mib: number])[]): number {
  const half = points.slice(points.length >> 1);
  return median(
    half.flatMap(([x1, y1], index) => half.slice(index + 1).map(([x2, y2]) => (y2 - y1) / (x2 - x1))),
  );
}
