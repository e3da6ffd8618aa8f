import { metrics, trace } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { samplerOf } from "./sampler.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How long spans and counts are gathered before they are sent. */
const SPANS_MS = 5_000;
const METERS_MS = 60_000;

/** Starts to export. The exporters read the other variables with OTEL_EXPORTER_OTLP_ themselves. */
export function startExport(env: Env): void {
  const named = resourceFromAttributes({ "service.name": serviceOf(process.argv[1]) });
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
  const resource = named.merge(detectResources({ detectors: [envDetector] }));
  const tracers = new TracerProvider({
    resource,
    sampler: samplerOf(env),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: delayOf(env.OTEL_BSP_SCHEDULE_DELAY, SPANS_MS),
      }),
    ],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(),
        exportIntervalMillis: delayOf(env.OTEL_METRIC_EXPORT_INTERVAL, METERS_MS),
      }),
    ],
  });
  trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  // The service has ended its work: what is left is sent, or given up where the collector is away.
  process.once("beforeExit", () => void Promise.allSettled([tracers.shutdown(), meters.shutdown()]));
}

function delayOf(text: string | undefined, fallback: number): number {
  return text !== undefined && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : fallback;
}

/** `…/services/optimizer/src/main.ts` is interlock-optimizer. */
function serviceOf(main = ""): string {
  const name = /([^/\\]+)[/\\]src[/\\]main\.[jt]s$/.exec(main)?.[1];
  return name === undefined ? "interlock" : `interlock-${name}`;
}
