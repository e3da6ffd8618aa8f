export { partName, writtenManifest } from "./assemble.ts";
export type { Measure, Place, Sign } from "./compile-measures.ts";
export { constraintsFor, constraintsOf, type SplitSlots, slotsOf, splitSlots } from "./constraints.ts";
export { type Condition, ConditionError, type Context, membersOf, type Template } from "./data/index.ts";
export { effectsOf, mayChange, ruleOfTask, takesEffect } from "./effects.ts";
export { LargeValues, type ReadLarge } from "./large/large-values.ts";
export { type LoadedEdition, loadEdition, loadEditionInTurns, loadMesh } from "./load.ts";
export { mayPush } from "./may-push.ts";
export { MeshError } from "./mesh-error.ts";
export {
  type AgentLimits,
  type AgentService,
  type AgentSpec,
  type AgentStep,
  type AgentTarget,
  type ApprovalRule,
  type CallerLimits,
  type Check,
  type DialogueService,
  type DialogueStep,
  type EditRule,
  type Flow,
  type FlowStep,
  type FlowTarget,
  isAgentService,
  isDialogueService,
  isRemoteService,
  isRoundsService,
  type McpAuth,
  type McpServerSpec,
  type McpToolRule,
  type Mesh,
  type MeshAgent,
  type MeshModels,
  type MeshTools,
  type ModelBudget,
  type ModelPolicy,
  type ModelPrices,
  type ModelProvider,
  type ModelProviderKind,
  type ModelSettings,
  type ModelSpec,
  type Orders,
  type PublishStep,
  type Rate,
  type RemoteService,
  type RemoteTarget,
  type RenderStep,
  type RoundsService,
  type RoundsStep,
  type Service,
  type Step,
  type ToolStep,
  type Verify,
  type Webhook,
} from "./model.ts";
export { OWN_PATHS } from "./own-paths.ts";
export type { Sources } from "./sources.ts";
export { flowStep, idWithin, ownStepId } from "./step-within.ts";
export { readTable } from "./table/index.ts";
export { atOnce, type InPieces, inTurns } from "./turns.ts";
