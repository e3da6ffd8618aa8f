export type { Assumptions } from "./assumptions.ts";
export { aboutCatalogue, type Catalogue } from "./catalogue.ts";
export { type CatalogueOrder, FIELDS, readCatalogue } from "./catalogue-csv.ts";
export { applyConstraints, applyPaused, applySteps, type Constrained } from "./constraints/apply.ts";
export { type OrderConstraint, says } from "./constraints/constraint.ts";
export { judgeOrder, judgeSteps } from "./constraints/judge.ts";
export { constraintsSchema, effectsProperties } from "./constraints/schema.ts";
export type {
  AppliedConstraint,
  Constrainable,
  Effects,
  OrderCheck,
  OrderCheckInputs,
  OrderVerdict,
} from "./constraints/types.ts";
export { type Dataset, parseCsv } from "./csv.ts";
export { type Finding, type FindingAction, type FindingCode, findingsSchema } from "./data/findings.ts";
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
export { inputsProperties } from "./inputs-schema.ts";
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
export { type PriceRow, priceTable, type Table, whyOf } from "./price-table.ts";
export {
  type ItemProposal,
  outcomeAtCosts,
  type ProposalTotals,
  type ProposedTier,
  proposeItem,
  tidy,
  totalProposals,
} from "./proposal.ts";
export { MOST_FIT_REPORTS, withFitReports } from "./proposal-details.ts";
export { type ItemOutcome, outcomesOf, pricesOf } from "./proposal-outcomes.ts";
export { type AboutProposal, proposalSummary, questionsOf } from "./proposal-summary.ts";
export { type Band, bandOf, type OpenBand, quantile } from "./quantiles.ts";
export { pricingReport, reportSteps } from "./report/report.ts";
export type { Optimized, PricingReport, ReportInputs, ShownReport } from "./report/types.ts";
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
  aboutCatalogueSchemas,
  constantElasticitySchema,
  demandSchema,
  failuresSchema,
  fitSchema,
  gapSchema,
  itemIdSchema,
  itemNameSchema,
  itemsSchema,
  labelSchema,
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
export { inLanguage, LANGUAGES, type Language, languageOf } from "./texts/index.ts";
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
