import type { Registry } from "prom-client";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson, sendText } from "../respond.ts";

export type ProbeEndpointsDeps = {
  metrics: Registry;
  /** Whether this replica takes work. */
  ready: () => Promise<boolean>;
};

/** What balancers and scrapers ask. */
export function probeEndpoints({ metrics, ready }: ProbeEndpointsDeps): Endpoint[] {
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
        sendJson(res, { status: isReady ? "ready" : "not_ready" }, isReady ? 200 : 503);
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
