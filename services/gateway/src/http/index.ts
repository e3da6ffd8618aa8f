export { clientAddress } from "./client-address.ts";
export type { Endpoint } from "./endpoint.ts";
export { allEndpoints } from "./endpoints/index.ts";
export { metricsEndpoint } from "./endpoints/probes.ts";
export { parseInPieces } from "./json-pieces.ts";
export { describeError } from "./respond.ts";
export { createApiServer } from "./server.ts";
export { SseStreams } from "./sse.ts";
