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
  type EditRule,
  type Flow,
  type FlowTarget,
  isAgentService,
  type Mesh,
  type MeshAgent,
  type ModelPolicy,
  type PublishStep,
  type Rate,
  type RenderStep,
  type Service,
  type Step,
} from "./model.ts";
export type { Sources } from "./sources.ts";
export { atOnce, type InPieces, inTurns } from "./turns.ts";
