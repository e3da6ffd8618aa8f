export type { Endpoint } from "./endpoint.ts";
export { allEndpoints } from "./endpoints/index.ts";
export { kindOf } from "./respond.ts";
export { createApiServer } from "./server.ts";
export { SseStreams } from "./sse.ts";
