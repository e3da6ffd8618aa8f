export { type Identify, identifyByHeaders } from "./by-headers.ts";
export { isCrossSite } from "./origin.ts";
