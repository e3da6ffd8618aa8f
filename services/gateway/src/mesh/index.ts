export { bindSlots, type SplitSlots, splitSlots } from "./bind-slots.ts";
export type { Expression } from "./expression.ts";
export { ExpressionError } from "./expression-error.ts";
export { ExpressionPool, type ReadLarge } from "./expression-pool.ts";
export { loadMesh, MeshError } from "./load.ts";
export {
  type AgentLimits,
  type AgentService,
  type AgentSpec,
  type AgentStep,
  type AgentTarget,
  type ApprovalRule,
  type CallerLimits,
  type EditRule,
  type Flow,
  type FlowTarget,
  isAgentService,
  type Mesh,
  type MeshAgent,
  type MeshModels,
  type ModelBudget,
  type ModelPolicy,
  type ModelPrices,
  type ModelProvider,
  type ModelProviderKind,
  type ModelSettings,
  type ModelSpec,
  type PublishStep,
  type Rate,
  type RenderStep,
  type Service,
  type Step,
} from "./model.ts";
