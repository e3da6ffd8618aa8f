export { urlProblem } from "./check-url.ts";
export { Egress, type EgressDeps, EgressError, type Resolve } from "./egress.ts";
export { type EgressOptions, type EgressRefusal, EgressRules, type Endpoint } from "./rules.ts";
