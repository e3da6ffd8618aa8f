export { LONGEST_WAIT_MS } from "./admission.ts";
export { AgentClient, type AgentClientOptions } from "./client.ts";
export { brokenContract } from "./outputs.ts";
export { AgentRegistry, type AgentRegistryOptions } from "./registry.ts";
export {
  type RemoteAsk,
  RemoteClient,
  type RemoteClientOptions,
  type RemoteStream,
} from "./remote/client.ts";
export { brokenRemote, RemoteError, truncatedRemote } from "./remote/error.ts";
export type { RemoteEvent } from "./remote/events.ts";
export type { TaskSchemas } from "./task-schemas.ts";
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
  DispatchRequest,
  OutputsProblem,
  SignDispatch,
} from "./types.ts";
export { type UpstreamCode, UpstreamError } from "./upstream-error.ts";
export { Upstreams } from "./upstreams.ts";
