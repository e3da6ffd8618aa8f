import type { AgentContract, ConformanceContract, GatewayContract } from "./types.generated.ts";
import { contractValidators } from "./validate.ts";

export { AGENT_ERRORS, type AgentErrorCode, type AgentErrorKind, agentErrorKind } from "./errors.ts";
export { explain } from "./explain.ts";
export { isDeeperThan, type JsonProblem, type JsonRead, readJson } from "./json.ts";
export { nearest } from "./nearest.ts";
export type { Problem } from "./problem.ts";
export { loadRules, type Rule } from "./rules.ts";
export { type JsonSchema, schemas } from "./schemas.ts";
export type {
  AgentCard,
  AgentContract,
  AgentError,
  AgentList,
  ApprovalSummary,
  ApprovalView,
  ApprovalWinner,
  AssistantTurn,
  AuditEntryView,
  Budgets,
  CardLimits,
  CardTask,
  ChatAnswer,
  ChatEvent,
  ChatHealth,
  ChatRequest,
  ChatToolCall,
  ConformanceBaseline,
  ConformanceKnown,
  ConformanceReport,
  ConformanceResult,
  ConformanceTarget,
  DecisionAnswer,
  DecisionRequest,
  ErrorBody,
  FinalEvent,
  FinalFailure,
  FinalSuccess,
  GatewayContract,
  GatewayHealth,
  Grounding,
  HealthStatus,
  ListedAgent,
  ListedTool,
  LogEvent,
  MeshAgent,
  MeshApproval,
  MeshClaimSource,
  MeshClaims,
  MeshFlow,
  MeshIssuer,
  MeshLimits,
  MeshManifest,
  MeshRate,
  MeshRole,
  MeshService,
  MeshSlot,
  MeshStep,
  ModelList,
  PlannedStep,
  PolicyCheckResult,
  Refusal,
  RunFailure,
  RunRequest,
  RunResult,
  RunSuccess,
  RunView,
  SessionHead,
  SessionList,
  SessionView,
  StartedEvent,
  StatusEvent,
  TokenEvent,
  ToolList,
  Usage,
  UserTurn,
  WorkingSetView,
} from "./types.generated.ts";
export { compileSchema, type Validated, type Validator } from "./validate.ts";

export const agentContract = contractValidators<AgentContract>("agent");
export const gatewayContract = contractValidators<GatewayContract>("gateway");
export const conformanceContract = contractValidators<ConformanceContract>("conformance");
