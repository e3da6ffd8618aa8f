import type { TraceContext } from "@interlock/contracts";

/** The headers that tell whoever is called where the call belongs. */
export function traceHeaders({ traceparent, tracestate }: TraceContext): Record<string, string> {
  if (traceparent === undefined) return {};
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate };
}
