import type { AgentContract, GatewayContract } from "./types.generated.ts";
import { contractValidators } from "./validate.ts";

export { AGENT_ERRORS, type AgentErrorCode, type AgentErrorKind } from "./errors.ts";
export type { Problem } from "./problem.ts";
export { loadRules, type Rule } from "./rules.ts";
export { type JsonSchema, schemas } from "./schemas.ts";
export type {
  AgentCard,
  AgentContract,
  AgentError,
  Budgets,
  CardLimits,
  CardTask,
  ChatRequest,
  ErrorBody,
  FinalEvent,
  FinalFailure,
  FinalSuccess,
  Grounding,
  HealthStatus,
  MeshAgent,
  MeshFlow,
  MeshManifest,
  MeshService,
  MeshStep,
  ProgressEvent,
  Refusal,
  RunFailure,
  RunRequest,
  RunResult,
  RunSuccess,
  StartedEvent,
  TokenEvent,
  Usage,
} from "./types.generated.ts";
export { compileSchema, type Validated, type Validator } from "./validate.ts";

export const agentContract = contractValidators<AgentContract>("agent");
export const gatewayContract = contractValidators<GatewayContract>("gateway");
