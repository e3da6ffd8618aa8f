export type { Assumptions } from "./assumptions.ts";
export { aboutCatalogue, type Catalogue } from "./catalogue.ts";
export { type Dataset, parseCsv } from "./csv.ts";
export { evaluateItem, logitDemand, type Outcome, ownElasticity, totalOutcome } from "./demand.ts";
export type { Distribution } from "./distribution.ts";
export { PricingError, type PricingErrorCode, type PricingErrorDetails } from "./errors.ts";
export {
  DEFAULT_MAX_ITEMS,
  type ExplanationInputs,
  type ExplanationProgress,
  explainPrices,
  explainSteps,
} from "./explanation.ts";
export type {
  Attribution,
  Explanation,
  Factor,
  ItemExplanation,
  Move,
  TierExplanation,
  TraceStep,
} from "./explanation-types.ts";
export { collect, type Failure, failuresOf, joined, workable } from "./failures.ts";
export { type FittedDemand, fitDemand } from "./fit.ts";
export { type Format, formatFor, type Printing } from "./format.ts";
export type { MinGap } from "./gap.ts";
export { type ItemOptimum, optimizeItem, type TierOptimum } from "./optimize-item.ts";
export { type PolicyProgress, policyCheck, policySteps } from "./policy.ts";
export type {
  Conflict,
  PolicyInputs,
  PolicyItem,
  PolicyResult,
  PolicyTier,
  PolicyVerdict,
  RuleName,
  Suggestion,
  Violation,
  ViolationType,
} from "./policy-types.ts";
export {
  type ItemProposal,
  type ProposalTotals,
  type ProposedTier,
  proposeItem,
  tidy,
  totalProposals,
} from "./proposal.ts";
export { withFitReports } from "./proposal-details.ts";
export { proposalSummary } from "./proposal-summary.ts";
export { type Band, bandOf, type OpenBand, quantile } from "./quantiles.ts";
export {
  type DatasetSource,
  type ItemResolver,
  itemResolver,
  type Pause,
  type Resolved,
  resolveItems,
} from "./resolve.ts";
export {
  drained,
  proposalsFor,
  type ResolvedRequest,
  resolveAll,
  tellWarnings,
} from "./resolve-all.ts";
export { makeRng, type Rng } from "./rng.ts";
export { type Robustness, wilsonInterval } from "./robustness.ts";
export { parseRulePack, type RulePack, RulePackError, resolveGap, standardRulePack } from "./rule-pack.ts";
export {
  catalogueSchema,
  constantElasticitySchema,
  demandSchema,
  failuresSchema,
  fitSchema,
  gapSchema,
  itemIdSchema,
  itemNameSchema,
  itemsSchema,
  logitSchema,
  minGapSchema,
  outcomeSchema,
  priceSchema,
  proposedSchema,
  settingsProperties,
  shareSchema,
  tierNameSchema,
  tierSchema,
} from "./schemas.ts";
export {
  analyseItem,
  type ItemSensitivity,
  type Regret,
  type ScenarioReport,
  type SensitivityTotals,
} from "./sensitivity.ts";
export { analyseItems, type SensitivityReport } from "./sensitivity-report.ts";
export {
  CONSTRAINT_FAMILIES,
  DEFAULT_INCREMENT,
  DEFAULT_TIER_ORDER,
  type EffectiveRules,
  effectiveRules,
  type GapFor,
  type GapsUsed,
  gapsUsed,
  makeSettings,
  type OptimizeSettings,
  settingsFor,
} from "./settings.ts";
export { type ShadowPrice, shadowPrices } from "./shadow-prices.ts";
export { MOST_PLAYERS, shapley, shapleyVector } from "./shapley.ts";
export type { TornadoBar } from "./tornado.ts";
export type {
  ConstantElasticity,
  ConstraintFamily,
  DemandSpec,
  Estimator,
  Fit,
  FitReport,
  Item,
  Logit,
  Objective,
  PricingInputs,
  ProposedItem,
  ResolvedItem,
  ResolvedTier,
  Substitution,
  Tier,
} from "./types.ts";
export { type Belief, beliefOf, DEFAULT_UNCERTAINTY, type UncertaintyInputs } from "./uncertainty.ts";
