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
  const { measures, repetitions, say, signal } = options;
  const results = new Map<string, Log>(measures.map(({ name }) => [name, { repetitions: [], failures: [] }]));
  const bench = new Workbench(options);
  try {
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      for (const measure of measures) {
        if (measure.once && repetition > 1) continue;
        const tell = (text: string) => say(`${repetition}/${repetitions} ${measure.name}: ${text}`);
        try {
          const done = await measureCalmly(measure, bench);
          results.get(measure.name)?.repetitions.push(done);
          tell(textOf(done));
        } catch (error) {
          signal.throwIfAborted();
          const message = Error.isError(error) ? error.message : String(error);
          results.get(measure.name)?.failures.push(message);
          tell(`FAILED: ${message}`);
          // The next measure must not inherit what the failed one left behind.
          await bench.dropRig();
        }
      }
      await bench.dropRig();
    }
  } finally {
    await bench.close();
  }
  return Object.fromEntries(results);
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
  const values = await measure.run(bench);
  return {
    values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, round(value)])),
    foreign: round(foreign()),
  };
}

async function untilQuiet(signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const foreign = watchForeign();
    await delay(500, undefined, { signal });
    if (foreign() < QUIET) return;
  }
}

/** Shares one gateway among the measures of a repetition, and one full store among all repetitions. */
class Workbench implements Bench {
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  readonly #say: (text: string) => void;
  #rig: Promise<Rig> | undefined;
  #fullStore: Promise<Mesh> | undefined;

  constructor({ cores, signal, say }: RunOptions) {
    this.cores = cores;
    this.signal = signal;
    this.#say = say;
  }

  rig(): Promise<Rig> {
    this.#rig ??= this.#warmRig();
    return this.#rig;
  }

  fullStore(): Promise<Mesh> {
    if (!this.#fullStore) {
      this.#say("filling a Redis with finished runs…");
      this.#fullStore = startFullStore(this.cores, this.signal);
    }
    return this.#fullStore;
  }

  async dropRig(): Promise<void> {
    const rig = this.#rig;
    this.#rig = undefined;
    await (await rig?.catch(() => undefined))?.stop();
  }

  async close(): Promise<void> {
    await this.dropRig();
    await (await this.#fullStore?.catch(() => undefined))?.stop();
  }

  /** V8 compiles the gateway's code during its first thousands of requests; these must not count. */
  async #warmRig(): Promise<Rig> {
    const { cores, signal } = this;
    const rig = await startRig({ cores, signal });
    await runAsks(
      { urls: rig.gateways, question: askOf.gateway, concurrency: 32 },
      { warmS: 0, seconds: WARM_S, signal },
    );
    return rig;
  }
}

function textOf({ values, foreign }: Repetition): string {
  const figures = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  return `${figures.join(", ")} (others ${Math.round(foreign * 100)}% of a core)`;
}

/** No measurement supports more than five digits. */
function round(value: number): number {
  return Number(value.toPrecision(5));
}
