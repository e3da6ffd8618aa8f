import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import protobuf from "protobufjs";
import { until } from "./until.ts";

/** What a test reads of the protocol's messages; unknown fields are skipped. */
const MESSAGES = protobuf.parse(`
  syntax = "proto3";
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    string trace_state = 3;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    repeated Event events = 11;
    repeated Link links = 13;
    Status status = 15;
  }
  message Event { string name = 2; repeated KeyValue attributes = 3; }
  message Link { bytes trace_id = 1; bytes span_id = 2; }
  message Status { string message = 2; int32 code = 3; }
  message Metrics { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message Metric { string name = 1; string unit = 3; Sum sum = 7; Histogram histogram = 9; }
  message Sum { repeated Number data_points = 1; }
  message Number { fixed64 start_time_unix_nano = 2; double as_double = 4; sfixed64 as_int = 6; repeated KeyValue attributes = 7; }
  message Histogram { repeated Distribution data_points = 1; }
  message Distribution { fixed64 count = 4; double sum = 5; repeated double explicit_bounds = 7; repeated KeyValue attributes = 9; }
  message Resource { repeated KeyValue attributes = 1; }
  message KeyValue { string key = 1; Value value = 2; }
  message Value { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; Array array_value = 5; } }
  message Array { repeated Value values = 1; }
`).root;

export type Attributes = Record<string, unknown>;

export type ReceivedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  parentId: string;
  traceState: string;
  name: string;
  /** `internal`, `server`, `client`, `producer`. */
  kind: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  links: { traceId: string; spanId: string }[];
  /** The status of a failure, if it is one, has the code 2. */
  failed: boolean;
  statusMessage: string;
};

export type ReceivedPoint = { name: string; unit: string; value: number; attributes: Attributes };

export type Otlp = {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  /** What exporting processes need in their environment, beside their own. */
  env: Record<string, string>;
  spans: ReceivedSpan[];
  points: ReceivedPoint[];
  /** All bodies as they came, as Latin-1. */
  bytes: string[];
  /** Waits for a span, and returns the first that fits. */
  span(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  stop(): Promise<void>;
};

const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"];
const REGISTER = new URL("../../../telemetry/src/register.ts", import.meta.url).href;

/** A collector of OTLP over http/protobuf. It decodes with a library of its own: the exporter has written its encoder itself. */
export async function otlpReceiver(): Promise<Otlp> {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const bytes: string[] = [];
  const server = createServer(async (req, res) => {
    const body = await bodyOf(req);
    bytes.push(body.toString("latin1"));
    const message = decoded(req.url === "/v1/traces" ? "Traces" : "Metrics", body);
    if (req.url === "/v1/traces") spans.push(...spansIn(message));
    else points.push(...pointsIn(message));
    res.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url, spans, points, bytes },
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
      NODE_OPTIONS: `--import=${REGISTER}`,
    },
    async span(fits) {
      await until(() => spans.some(fits));
      const [found] = spans.filter(fits);
      if (!found) throw new Error("the span is gone");
      return found;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is that of the messages above
type Decoded = any;

function decoded(name: string, body: Buffer): Decoded {
  const type = MESSAGES.lookupType(name);
  const message = type.toObject(type.decode(body), { longs: String, defaults: true });
  return message;
}

function spansIn({ resourceSpans }: Decoded): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: Decoded) =>
    scopeSpans.flatMap(({ spans }: Decoded) =>
      spans.map(
        (span: Decoded): ReceivedSpan => ({
          service: String(attributesOf(resource.attributes)["service.name"]),
          traceId: hex(span.traceId),
          spanId: hex(span.spanId),
          parentId: hex(span.parentSpanId),
          traceState: span.traceState,
          name: span.name,
          kind: KINDS[span.kind] ?? "",
          startedAt: Number(span.startTimeUnixNano) / 1e6,
          endedAt: Number(span.endTimeUnixNano) / 1e6,
          attributes: attributesOf(span.attributes),
          links: span.links.map((link: Decoded) => ({
            traceId: hex(link.traceId),
            spanId: hex(link.spanId),
          })),
          failed: span.status?.code === 2,
          statusMessage: span.status?.message ?? "",
        }),
      ),
    ),
  );
}

function pointsIn({ resourceMetrics }: Decoded): ReceivedPoint[] {
  return resourceMetrics.flatMap(({ scopeMetrics }: Decoded) =>
    scopeMetrics.flatMap(({ metrics }: Decoded) =>
      metrics.flatMap(({ name, unit, sum, histogram }: Decoded) =>
        [...(sum?.dataPoints ?? []), ...(histogram?.dataPoints ?? [])].map((point: Decoded) => ({
          ...{ name, unit, attributes: attributesOf(point.attributes) },
          value: point.sum ?? (Number(point.asInt) || point.asDouble),
        })),
      ),
    ),
  );
}

const hex = (value: Uint8Array): string => Buffer.from(value).toString("hex");

function attributesOf(attributes: Decoded): Attributes {
  return Object.fromEntries(attributes.map(({ key, value }: Decoded) => [key, plainOf(value)]));
}

function plainOf(value: Decoded): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(plainOf);
  return value.stringValue ?? value.boolValue ?? value.doubleValue ?? Number(value.intValue);
}
