export { type Identify, identifyByHeaders } from "./by-headers.ts";
