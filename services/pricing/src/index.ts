export { evaluateItem, type Outcome, totalOutcome } from "./demand.ts";
export { PricingError, type PricingErrorCode, type PricingErrorDetails } from "./errors.ts";
export { type ItemOptimum, optimizeItem, type TierOptimum } from "./optimize-item.ts";
export { type DatasetSource, type Resolved, resolveItems } from "./resolve.ts";
export {
  CONSTRAINT_FAMILIES,
  DEFAULT_INCREMENT,
  DEFAULT_TIER_ORDER,
  type GapFor,
  makeSettings,
  type OptimizeSettings,
  settingsFor,
} from "./settings.ts";
export type {
  ConstantElasticity,
  ConstraintFamily,
  DemandSpec,
  Fit,
  FitReport,
  Item,
  Logit,
  Objective,
  PricingInputs,
  ProposedItem,
  ResolvedItem,
  ResolvedTier,
  Tier,
} from "./types.ts";
