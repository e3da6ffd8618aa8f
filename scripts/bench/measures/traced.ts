import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { runAsks } from "../load/asks.ts";
import { askOf } from "../load/requests.ts";
import { type Rig, startRig } from "../sut/rig.ts";
import type { Measure } from "./measure.ts";

const PAIRS = 10;
const SHARE = "0.1";
const WARM_S = 15;

/** Two gateways over one Redis take turns: one exports no traces, the other every tenth to a collector that only takes them. */
export const traced: Measure = {
  name: "traced",
  title: "Simple ask with every tenth traced, against none",
  async run({ cores, signal }) {
    const collector = createServer((req, res) => req.resume().on("end", () => res.end()));
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const { port } = collector.address() as AddressInfo;
    const plain = await startRig({ cores, signal });
    try {
      const tracing = await startRig({
        cores,
        signal,
        store: plain.mesh,
        gatewayEnv: {
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
          OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
          OTEL_TRACES_SAMPLER_ARG: SHARE,
        },
      });
      try {
        // What encodes the spans runs a few times a second only: the compiler takes that long to know it.
        for (const rig of [plain, tracing]) await costOf(rig, signal, WARM_S);
        const costs: [off: number, on: number][] = [];
        for (let pair = 0; pair < PAIRS; pair++)
          costs.push([await costOf(plain, signal), await costOf(tracing, signal)]);
        // Whatever else the machine does adds to the cost of a round: the least one has the least of it.
        const untracedCpuUs = Math.min(...costs.map(([us]) => us));
        const tracedCpuUs = Math.min(...costs.map(([, us]) => us));
        return { untracedCpuUs, tracedCpuUs, tracedCpuRatio: tracedCpuUs / untracedCpuUs };
      } finally {
        await tracing.stop();
      }
    } finally {
      await plain.stop();
      collector.closeAllConnections();
      collector.close();
    }
  },
};

/** CPU of gateway and Redis for an ask. */
async function costOf(rig: Rig, signal: AbortSignal, seconds = 1): Promise<number> {
  const { answered, cpuS } = await runAsks(
    { urls: rig.gateways, question: askOf.gateway, concurrency: 32 },
    { warmS: 0.3, seconds, usages: [rig.sut], signal },
  );
  return ((cpuS[0] ?? 0) * 1e6) / answered;
}
