export { type AuthenticationOptions, authenticator, type Identify } from "./authenticate.ts";
export { IssuerError, issuersOf } from "./issuers.ts";
export { isLoopback } from "./loopback.ts";
export { isCrossSite } from "./origin.ts";
