/**
 * Loaded before a service, by `node --import`: where OTEL_EXPORTER_OTLP_ENDPOINT names a collector, its spans and meters are exported there
 * over http/protobuf. Anywhere else it loads nothing.
 */
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT) {
  const { startExport } = await import("./export.ts");
  startExport(process.env);
}
