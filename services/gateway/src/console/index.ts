export { Browsers } from "./browsers.ts";
export { pageEndpoints } from "./page-endpoints.ts";
export { signInEndpoints } from "./sign-in-endpoints.ts";
