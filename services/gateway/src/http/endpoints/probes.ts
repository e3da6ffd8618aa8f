import type { Registry } from "prom-client";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson, sendText } from "../respond.ts";

export type ProbeEndpointsDeps = {
  metrics: Registry;
  /** Whether this replica takes work. */
  ready: () => Promise<boolean>;
  /** The longest time in the last minute for which the event loop was held. */
  loopStallMs: () => number;
};

/** What balancers and scrapers ask. */
export function probeEndpoints({ metrics, ready, loopStallMs }: ProbeEndpointsDeps): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/healthz",
      auth: "none",
      handler({ res }) {
        sendJson(res, { status: "ok" });
      },
    }),
    endpoint({
      method: "GET",
      path: "/readyz",
      auth: "none",
      async handler({ res }) {
        const isReady = await ready();
        const status = isReady ? "ready" : "not_ready";
        sendJson(res, { status, loop_stall_ms: loopStallMs() }, isReady ? 200 : 503);
      },
    }),
    endpoint({
      method: "GET",
      path: "/metrics",
      auth: "none",
      produces: ["text/plain", "application/openmetrics-text"],
      async handler({ res }) {
        sendText(res, metrics.contentType, await metrics.metrics());
      },
    }),
  ];
}
