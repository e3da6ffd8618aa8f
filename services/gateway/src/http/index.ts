export { createApi } from "./api.ts";
export { allEndpoints } from "./endpoints/index.ts";
export { kindOf } from "./respond.ts";
export { SseStreams } from "./sse.ts";
