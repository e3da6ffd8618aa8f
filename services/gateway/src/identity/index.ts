export { type Identify, identifyByHeaders } from "./by-headers.ts";
export { isFromHere, isLoopback } from "./loopback.ts";
export { isCrossSite } from "./origin.ts";
