import type { Mesh } from "../lib/mesh.ts";
import { Load } from "./load/load.ts";
import { countAsks } from "./measures/asks.ts";
import { startFullStore } from "./measures/full-store.ts";
import type { Bench, Measure, Values } from "./measures/measure.ts";
import { type Cores, pin } from "./os/cores.ts";
import { calibrate, type Noise, untilQuiet, watchForeign } from "./os/noise.ts";
import type { MeasureResult, Repetition } from "./report/results.ts";
import { type Rig, startRig } from "./sut/rig.ts";
import { neverRewrite } from "./sut/store-settings.ts";

export type RunOptions = {
  readonly measures: readonly Measure[];
  readonly repetitions: number;
  /** How often a disturbed measurement is tried. */
  readonly tries: number;
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
};

/** How long a measurement waits for others to leave the machine alone. */
const PATIENCE_MS = 4_000;

const WARM_S = 8;

/** From this share of a core that others used, a measurement counts as disturbed. */
const DISTURBED = 0.15;

type Log = { repetitions: Repetition[]; failures: string[] };

/** Every measure once a repetition, so that a slow minute of the machine strikes all of them, and not all repetitions of one. */
export async function runMeasures(options: RunOptions): Promise<Record<string, Omit<MeasureResult, "run">>> {
  const { measures, repetitions, say, signal } = options;
  const logs = new Map<string, Log>(measures.map(({ name }) => [name, { repetitions: [], failures: [] }]));
  const bench = new Workbench(options);
  try {
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      for (const measure of measures) {
        if (measure.once && repetition > 1) continue;
        signal.throwIfAborted();
        const log = logs.get(measure.name);
        const since = performance.now();
        try {
          const done = await leastDisturbed(measure, bench, options.tries);
          log?.repetitions.push(done);
          const took = Math.round((performance.now() - since) / 1000);
          say(`${repetition}/${repetitions} ${line(measure, done)} in ${took} s`);
        } catch (error) {
          signal.throwIfAborted();
          const message = Error.isError(error) ? error.message : String(error);
          log?.failures.push(message);
          say(`${repetition}/${repetitions} ${measure.name}: FAILED: ${message}`);
          // What a failure leaves behind must not fail the next.
          await bench.dropRig();
          await bench.renewLoad();
        }
      }
      await bench.dropRig();
    }
  } finally {
    await bench.close();
  }
  return Object.fromEntries(logs);
}

async function leastDisturbed(measure: Measure, bench: Workbench, tries: number): Promise<Repetition> {
  let best: Repetition | undefined;
  for (let attempt = 0; attempt < tries; attempt++) {
    const done = await measureOnce(measure, bench);
    if (!best || done.noise.foreign < best.noise.foreign) best = done;
    if (done.noise.foreign < DISTURBED) break;
  }
  if (!best) throw new Error("nothing was measured");
  return best;
}

async function measureOnce(measure: Measure, bench: Workbench): Promise<Repetition> {
  await untilQuiet(PATIENCE_MS);
  const calibration = calibrate();
  const foreign = watchForeign();
  const values: Values = await measure.run(bench);
  const noise: Noise = { foreign: round(foreign()), ...calibration };
  return { values: Object.fromEntries(Object.entries(values).map(([k, v]) => [k, round(v)])), noise };
}

/** What measures share: the load process, a gateway for one repetition, a full store for all. */
class Workbench implements Bench {
  readonly cores: Cores | undefined;
  readonly signal: AbortSignal;
  readonly #say: (text: string) => void;
  #load: Load;
  #rig: Promise<Rig> | undefined;
  #fullStore: Promise<Mesh> | undefined;

  constructor({ cores, signal, say }: RunOptions) {
    this.cores = cores;
    this.signal = signal;
    this.#say = say;
    this.#load = this.#startLoad();
  }

  get load(): Load {
    return this.#load;
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

  async renewLoad(): Promise<void> {
    await this.#load.stop();
    this.#load = this.#startLoad();
  }

  async close(): Promise<void> {
    await this.#load.stop();
    await this.dropRig();
    await (await this.#fullStore?.catch(() => undefined))?.stop();
  }

  /** In its first thousands of requests a gateway compiles its code: that is not what one costs from then on. */
  async #warmRig(): Promise<Rig> {
    const rig = await startRig({ cores: this.cores, signal: this.signal });
    await neverRewrite(rig.mesh);
    await countAsks(this, { urls: rig.gateways, side: "gateway", concurrency: 32 }, WARM_S, []);
    return rig;
  }

  #startLoad(): Load {
    const load = new Load();
    if (this.cores) pin([load.pid], [this.cores.harness]);
    return load;
  }
}

function line({ name }: Measure, { values, noise }: Repetition): string {
  const figures = Object.entries(values).map(([key, value]) => `${key} ${round(value)}`);
  return `${name}: ${figures.join(", ")} (others ${Math.round(noise.foreign * 100)}% of a core)`;
}

/** Five digits are more than any measurement supports. */
function round(value: number): number {
  return Number(value.toPrecision(5));
}
