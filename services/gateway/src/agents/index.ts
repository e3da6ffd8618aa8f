export { LONGEST_WAIT_MS } from "./admission.ts";
export { AgentClient, type AgentClientOptions } from "./client.ts";
export { brokenContract } from "./outputs.ts";
export { AgentRegistry, type AgentRegistryOptions } from "./registry.ts";
export type {
  AgentAnswer,
  AgentEvent,
  AgentLimits,
  AgentLoad,
  AgentObserver,
  AgentResult,
  AgentSpec,
  AgentStatus,
  Allowance,
  AttemptReport,
  BreakerState,
  DispatchRequest,
  OutputsProblem,
  SignDispatch,
} from "./types.ts";
export { type UpstreamCode, UpstreamError } from "./upstream-error.ts";
