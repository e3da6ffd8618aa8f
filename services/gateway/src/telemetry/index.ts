export { tokenMeters } from "./meters.ts";
export { ERROR_TYPE, GEN_AI, GEN_AI_PROVIDERS, HTTP, INTERLOCK } from "./names.ts";
export type { EndedAs, OpenSpan } from "./span.ts";
export { traceHeaders } from "./trace-headers.ts";
export { tracing } from "./tracing.ts";
