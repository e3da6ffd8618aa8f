import type { TraceContext } from "@interlock/contracts";
import {
  type Attributes,
  createTraceState,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  type Tracer,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import { OpenSpan } from "./span.ts";

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  internal: SpanKind.INTERNAL,
} as const;

export type SpanOptions = {
  kind?: keyof typeof KINDS;
  /** Ids, names and codes; never what somebody has said. */
  attributes?: Attributes;
  /** Begins a trace of its own, which refers to the parent. */
  linked?: boolean;
  /** Milliseconds since the epoch; absent: now. */
  startedAt?: number;
};

/** Makes spans, all of them by hand: instrumenting libraries would cost more than the work. */
export class Tracing {
  readonly #tracer: Tracer;

  constructor(tracer: Tracer) {
    this.#tracer = tracer;
  }

  /** Starts a span, which whoever starts it ends. */
  span(name: string, parent: TraceContext, options: SpanOptions = {}): OpenSpan {
    const { kind = "internal", attributes = {}, linked = false, startedAt } = options;
    // Of a trace that is not sampled one span is enough: the others would be as empty.
    if (parent instanceof OpenSpan && !parent.isRecording && !linked) return parent;
    const context = parent instanceof OpenSpan ? parent.span.spanContext() : spanContextOf(parent);
    return new OpenSpan(
      this.#tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          attributes,
          ...(startedAt === undefined ? {} : { startTime: startedAt }),
          ...(linked && context ? { links: [{ context }] } : {}),
        },
        linked || !context ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context),
      ),
    );
  }
}

function spanContextOf({ traceparent, tracestate }: TraceContext): SpanContext | undefined {
  if (traceparent === undefined) return undefined;
  return {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53, 55), 16),
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  };
}

/**
 * Undefined unless an SDK was loaded before the gateway (`--import`): then `tracing?.span(…)` is one branch, and its arguments are not
 * evaluated.
 */
export const tracing: Tracing | undefined = tracingOf(trace.getTracerProvider());

function tracingOf(provider: TracerProvider): Tracing | undefined {
  const tracer =
    provider instanceof ProxyTracerProvider
      ? provider.getDelegateTracer("interlock.gateway")
      : provider.getTracer("interlock.gateway");
  return tracer && new Tracing(tracer);
}
