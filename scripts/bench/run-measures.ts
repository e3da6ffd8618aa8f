import { setTimeout as delay } from "node:timers/promises";
import type { Mesh } from "../lib/mesh.ts";
import { runAsks } from "./load/asks.ts";
import { askOf } from "./load/requests.ts";
import { startFullStore } from "./measures/full-store.ts";
import type { Bench, Measure } from "./measures/measure.ts";
import type { Cores } from "./os/cores.ts";
import { watchForeign } from "./os/proc.ts";
import type { MeasureResult, Repetition } from "./report/results.ts";
import { type Rig, startRig } from "./sut/rig.ts";

export type RunOptions = {
  readonly measures: readonly Measure[];
  readonly repetitions: number;
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
};

/** How long a measurement waits for other programs to become idle. */
const PATIENCE_MS = 4_000;

/** Other programs count as idle below this share of a core. */
const QUIET = 0.1;

/** A measurement during which they used more than this share is repeated once. */
const DISTURBED = 0.15;

const WARM_S = 8;

type Log = { readonly repetitions: Repetition[]; readonly failures: string[] };

/** Runs every measure once per repetition, so that a slow minute of the machine does not affect all repetitions of one measure. */
export async function runMeasures(options: RunOptions): Promise<Record<string, Omit<MeasureResult, "run">>> {
  const { measures, repetitions, cores, signal, say } = options;
  const logs = new Map<string, Log>(measures.map(({ name }) => [name, { repetitions: [], failures: [] }]));
  let rig: Promise<Rig> | undefined;
  let store: Promise<Mesh> | undefined;
  const bench: Bench = {
    cores,
    signal,
    rig() {
      rig ??= startWarmRig(cores, signal);
      return rig;
    },
    fullStore() {
      store ??= startFullStore(cores, signal);
      return store;
    },
  };
  const dropRig = async () => {
    await stopIfStarted(rig);
    rig = undefined;
  };
  try {
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      for (const measure of measures) {
        if (measure.once && repetition > 1) continue;
        const tell = (text: string) => say(`${repetition}/${repetitions} ${measure.name}: ${text}`);
        try {
          const done = await measureCalmly(measure, bench);
          logs.get(measure.name)?.repetitions.push(done);
          tell(textOf(done));
        } catch (error) {
          signal.throwIfAborted();
          const message = Error.isError(error) ? error.message : String(error);
          logs.get(measure.name)?.failures.push(message);
          tell(`FAILED: ${message}`);
          // The next measure must not inherit what the failed one left behind.
          await dropRig();
        }
      }
      await dropRig();
    }
  } finally {
    await dropRig();
    await stopIfStarted(store);
  }
  return Object.fromEntries(logs);
}

/** Repeats a disturbed measurement once and keeps the less disturbed one. */
async function measureCalmly(measure: Measure, bench: Bench): Promise<Repetition> {
  const first = await measureOnce(measure, bench);
  if (first.foreign < DISTURBED) return first;
  const second = await measureOnce(measure, bench);
  return second.foreign < first.foreign ? second : first;
}

async function measureOnce(measure: Measure, bench: Bench): Promise<Repetition> {
  await untilQuiet(bench.signal);
  const foreign = watchForeign();
  const values = Object.entries(await measure.run(bench));
  return {
    values: Object.fromEntries(values.map(([name, value]) => [name, round(value)])),
    foreign: round(foreign()),
  };
}

async function untilQuiet(signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let foreign: () => number;
  do {
    foreign = watchForeign();
    await delay(500, undefined, { signal });
  } while (foreign() >= QUIET && performance.now() < deadline);
}

/** V8 compiles the gateway's code during its first thousands of requests; these must not count. */
async function startWarmRig(cores: Cores | undefined, signal: AbortSignal): Promise<Rig> {
  const rig = await startRig({ cores, signal });
  const asks = { urls: rig.gateways, question: askOf.gateway, concurrency: 32 };
  await runAsks(asks, { warmS: 0, seconds: WARM_S, signal });
  return rig;
}

async function stopIfStarted(started: Promise<{ stop(): Promise<void> }> | undefined): Promise<void> {
  await (await started?.catch(() => undefined))?.stop();
}

function textOf({ values, foreign }: Repetition): string {
  const figures = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  return `${figures.join(", ")} (others ${Math.round(foreign * 100)}% of a core)`;
}

/** No measurement supports more than five digits. */
function round(value: number): number {
  return Number(value.toPrecision(5));
}
