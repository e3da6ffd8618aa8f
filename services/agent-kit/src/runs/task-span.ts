import type { TraceContext } from "@interlock/contracts";
import {
  createTraceState,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace as tracers,
} from "@opentelemetry/api";
import type { Prepared } from "./tasks.ts";

/** The span of a task that runs. */
export type TaskSpan = {
  /** What the task does belongs below it. */
  readonly trace: TraceContext;
  /** @param code why the task has failed */
  end(code: string | undefined): void;
};

/** Undefined unless an OpenTelemetry SDK was loaded before the agent (`--import`). */
const tracer = tracerOf(tracers.getTracerProvider());

function tracerOf(provider: TracerProvider): Tracer | undefined {
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer("interlock.agent-kit")
    : provider.getTracer("interlock.agent-kit");
}

/** Continues the caller's trace. */
export function startTaskSpan({
  prepared,
  trace,
  provenance,
}: {
  prepared: Prepared;
  trace: TraceContext;
  provenance: object;
}): TaskSpan | undefined {
  if (!tracer) return undefined;
  const { task, request } = prepared;
  const span = tracer.startSpan(
    `task ${task.type}`,
    {
      kind: SpanKind.SERVER,
      attributes: {
        ...("agent" in provenance ? { "gen_ai.agent.name": String(provenance.agent) } : {}),
        "interlock.task": task.type,
        "interlock.request.id": request.request_id,
      },
    },
    parentOf(trace),
  );
  return {
    trace: contextOf(span),
    end(code) {
      if (code !== undefined) span.setAttribute("error.type", code).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function parentOf({ traceparent, tracestate }: TraceContext) {
  if (traceparent === undefined) return ROOT_CONTEXT;
  return tracers.setSpanContext(ROOT_CONTEXT, {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53, 55), 16),
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: createTraceState(tracestate) }),
  });
}

function contextOf(span: Span): TraceContext {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const tracestate = traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    ...(tracestate ? { tracestate } : {}),
  };
}

/** Sends what has ended, before the process does. Never rejects. */
export async function flushSpans(): Promise<void> {
  const provider = tracers.getTracerProvider();
  const sdk: object = provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider;
  if ("forceFlush" in sdk && typeof sdk.forceFlush === "function")
    await Promise.resolve(sdk.forceFlush()).catch(() => undefined);
}
