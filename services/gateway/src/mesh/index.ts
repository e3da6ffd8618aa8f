export { bindSlots, type SplitSlots, splitSlots } from "./bind-slots.ts";
export type { Expression } from "./expression.ts";
export { ExpressionError } from "./expression-error.ts";
export { ExpressionPool, type ReadLarge } from "./expression-pool.ts";
export { type LoadedEdition, loadEdition, loadEditionInTurns, loadMesh } from "./load.ts";
export { MeshError } from "./mesh-error.ts";
export {
  type AgentLimits,
  type AgentService,
  type AgentSpec,
  type AgentStep,
  type AgentTarget,
  type ApprovalRule,
  type CallerLimits,
  type DialogueService,
  type DialogueStep,
  type EditRule,
  type Flow,
  type FlowStep,
  type FlowTarget,
  isAgentService,
  isDialogueService,
  isRemoteService,
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
  type RemoteService,
  type RemoteTarget,
  type RenderStep,
  type Service,
  type Step,
} from "./model.ts";
export type { Sources } from "./sources.ts";
export { atOnce, type InPieces, inTurns } from "./turns.ts";
