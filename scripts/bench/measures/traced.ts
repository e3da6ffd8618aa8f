import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runAsks } from "../load/asks.ts";
import { askOf } from "../load/requests.ts";
import { type Rig, type RigOptions, startRig } from "../sut/rig.ts";
import type { Bench, Measure, Values } from "./measure.ts";

const PAIRS = 10;
/** Less than a hundredth is looked for. */
const PAIRS_OFF = 30;
const SHARE = "0.1";
const WARM_S = 15;

/** Two gateways over one Redis take turns: one exports no traces, the other every tenth to a collector that only takes them. */
export const traced: Measure = {
  name: "traced",
  title: "Simple ask with every tenth traced, against none",
  async run(bench) {
    const collector = createServer((req, res) => req.resume().on("end", () => res.end()));
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const { port } = collector.address() as AddressInfo;
    const exporting = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: SHARE,
    };
    try {
      const costs = await inTurns(bench, { gatewayEnv: exporting }, PAIRS);
      // Whatever else the machine does adds to the cost of a round: the least one has the least of it.
      const untracedCpuUs = Math.min(...costs.map(([us]) => us));
      const tracedCpuUs = Math.min(...costs.map(([, us]) => us));
      return { untracedCpuUs, tracedCpuUs, tracedCpuRatio: tracedCpuUs / untracedCpuUs };
    } finally {
      collector.closeAllConnections();
      collector.close();
    }
  },
};

const UNTRACED = new URL("../sut/untraced.ts", import.meta.url).href;

/** The gateway as it is, which exports nothing, and one without what tracing needs, take turns. */
export const tracingOff: Measure = {
  name: "tracing-off",
  title: "Simple ask with tracing off, against a gateway without it",
  async run(bench): Promise<Values> {
    const stripped = { gatewayEnv: { NODE_OPTIONS: `--import=${UNTRACED}` } };
    const costs = await inTurns(bench, stripped, PAIRS_OFF);
    const { mean, low, high } = interval(costs.map(([off, without]) => off / without - 1));
    return { offShare: mean, offShareLow: low, offShareHigh: high };
  },
};

/** The mean, and the interval that has it in 95 of 100 cases. */
export function interval(shares: readonly number[]): { mean: number; low: number; high: number } {
  const mean = shares.reduce((sum, one) => sum + one, 0) / shares.length;
  const variance = shares.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (shares.length - 1);
  // Student's t for 29 degrees of freedom; for more it is little less.
  const half = 2.045 * Math.sqrt(variance / shares.length);
  return { mean, low: mean - half, high: mean + half };
}

/** What an ask costs at a plain gateway and at another one over the same Redis, pair by pair; each is first every other time. */
async function inTurns(
  { cores, signal }: Pick<Bench, "cores" | "signal">,
  other: Pick<RigOptions, "gatewayEnv">,
  pairs: number,
): Promise<[plainUs: number, otherUs: number][]> {
  const plain = await startRig({ cores, signal });
  try {
    const second = await startRig({ cores, signal, store: plain.mesh, ...other });
    try {
      // What encodes the spans runs a few times a second only: the compiler takes that long to know it.
      for (const rig of [plain, second]) await costOf(rig, signal, WARM_S);
      const costs: [number, number][] = [];
      for (let pair = 0; pair < pairs; pair++) {
        const early = await costOf(pair % 2 === 0 ? plain : second, signal);
        const late = await costOf(pair % 2 === 0 ? second : plain, signal);
        costs.push(pair % 2 === 0 ? [early, late] : [late, early]);
      }
      return costs;
    } finally {
      await second.stop();
    }
  } finally {
    await plain.stop();
  }
}

/** CPU of gateway and Redis for an ask. */
async function costOf(rig: Rig, signal: AbortSignal, seconds = 1): Promise<number> {
  const { answered, cpuS } = await runAsks(
    { urls: rig.gateways, question: askOf.gateway, concurrency: 32 },
    { warmS: 0.3, seconds, usages: [rig.sut], signal },
  );
  return ((cpuS[0] ?? 0) * 1e6) / answered;
}
