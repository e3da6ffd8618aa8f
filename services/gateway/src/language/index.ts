export {
  type Bound,
  type Claim,
  compileSlots,
  type Decision,
  type Difference,
  type DomainWords,
  decide,
  differencesOf,
  type EntityIndex,
  type GoalModel,
  indexEntities,
  indexEntitiesInTurns,
  isLimits,
  type KnownWords,
  knownWords,
  type LearntReader,
  type Limit,
  type Limits,
  type Localised,
  likelihoodsOf,
  loadReader,
  loadRisk,
  MEANS,
  mentionsOffered,
  type Net,
  netOf,
  type Offered,
  plainText,
  pluralOf,
  type RiskModel,
  riskOf,
  type SlotDeclaration,
  type SlotDeclarations,
  type SlotKind,
  type SlotQuestion,
  type SlotReader,
  type SlotReading,
  type Slots,
  type SlotValue,
  type Speller,
  spellerOf,
  type TaggedReading,
  tagSlots,
  UnspeakableInputs,
  type Verification,
  verifyClaims,
} from "@interlock/understanding";
export { type ExamplesModel, learnExamples } from "./examples/examples-model.ts";
export type { Figure } from "./figures/figure.ts";
export { figuresIn } from "./figures/figures.ts";
export { normalised } from "./figures/normalise.ts";
export { isRounded, numbersStand } from "./figures/stands.ts";
export { type DetectInjection, injectionDetector, type Verdict } from "./injection/detect.ts";
export { type Detector, RULES as INJECTION_RULES } from "./injection/rules.ts";
export {
  FEATURES,
  featuresOf,
  readScorer,
  type Scorer,
  type ScorerFile,
  sectionOf,
} from "./injection/scorer.ts";
export { type Intent, type IntentModel, loadIntentModel, withoutGreeting } from "./intents/index.ts";
export { extendSummary, readSummary, type SaidTurn, type Summary } from "./memory/summary.ts";
export { echoSlots } from "./slots/echo.ts";
export { askingWords, asksNothing } from "./slots/idle.ts";
export { type Pair, readSlots } from "./slots/pair.ts";
export { readSelected } from "./slots/read.ts";
