export {
  type CommitmentOutcome,
  commitmentOutcome,
  type Layer,
  optimalCommitment,
  optimalMultiple,
  uncovered,
} from "./commitment.ts";
export { SavingsError, type SavingsErrorCode } from "./errors.ts";
export { RECOMMENDATION_KINDS } from "./kinds.ts";
export { DEFAULT_RULES, planning, savingsPlan } from "./plan.ts";
export { type CommitmentRisk, commitmentRisk, type RiskOptions } from "./regret.ts";
export type {
  Action,
  CommitmentOption,
  CommitmentPool,
  Discounts,
  Evidence,
  Grade,
  NotJudged,
  PoolUsage,
  Recommendation,
  RecommendationKind,
  Resource,
  ResourceKind,
  ResourceUsage,
  SavingsPlan,
  SavingsRequest,
  SavingsRules,
  Size,
  StorageTier,
  StoredData,
  Transfer,
} from "./types.ts";
