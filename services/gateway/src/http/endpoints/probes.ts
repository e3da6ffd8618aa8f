import type { IncomingHttpHeaders } from "node:http";
import type { Registry, RegistryContentType } from "prom-client";
import { GatewayError } from "../../errors.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson, sendText } from "../respond.ts";

export type ProbeEndpointsDeps = {
  /** Undefined where they have a port of their own. */
  metrics: Registry<RegistryContentType> | undefined;
  /** Whether a request comes from a program on this machine: only those see internal details. */
  isLocal: (headers: IncomingHttpHeaders) => boolean;
  /** Whether this replica takes work: it does not while it starts, and while it stops. */
  takesWork: () => boolean;
  /** Whether the store answers. */
  storeAnswers: () => Promise<boolean>;
  /** The longest time in the last minute for which the event loop was held. */
  loopStallMs: () => number;
  /** Names the edition of the manifest that counts for new requests. */
  edition: string;
};

/** The probes of load balancers and metrics scrapers. */
export function probeEndpoints({
  metrics,
  isLocal,
  takesWork,
  storeAnswers,
  loopStallMs,
  edition,
}: ProbeEndpointsDeps): Endpoint[] {
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
      async handler({ req, res }) {
        // Without its store a replica still answers, that the store is away: so do the others, and a balancer needs one to send to.
        const isUp = await storeAnswers();
        const isReady = takesWork();
        const state = { status: isReady ? "ready" : "not_ready", store: isUp ? "ok" : "away" };
        const inside = isLocal(req.headers) ? { loop_stall_ms: loopStallMs(), edition } : {};
        sendJson(res, { ...state, ...inside }, isReady ? 200 : 503);
      },
    }),
    ...(metrics ? [metricsEndpoint(metrics, isLocal)] : []),
  ];
}

/** @param admits who may read the metrics; others get 404 */
export function metricsEndpoint(
  metrics: Registry<RegistryContentType>,
  admits: (headers: IncomingHttpHeaders) => boolean = () => true,
): Endpoint {
  return endpoint({
    method: "GET",
    path: "/metrics",
    auth: "none",
    produces: ["text/plain", "application/openmetrics-text"],
    async handler({ req, res }) {
      if (!admits(req.headers)) throw new GatewayError("not_found");
      sendText(res, metrics.contentType, await metrics.metrics());
    },
  });
}
