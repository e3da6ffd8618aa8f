export { AgentRates } from "./agent-rates.ts";
export { FailedAuthentications } from "./failed-authentications.ts";
export { RateCounters } from "./rate-counters.ts";
export { type LimitName, type RateFields, RequestLimits } from "./request-limits.ts";
