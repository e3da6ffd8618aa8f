export { type ExamplesModel, learnExamples } from "./examples/examples-model.ts";
export { numbersStand } from "./figures/stands.ts";
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
export { compileSlots, type SlotReader } from "./slots/compile.ts";
export type {
  DomainWords,
  Localised,
  SlotDeclaration,
  SlotDeclarations,
  SlotKind,
} from "./slots/declarations.ts";
export { echoSlots } from "./slots/echo.ts";
export { type EntityIndex, indexEntities, indexEntitiesInTurns } from "./slots/entity-index.ts";
export { askingWords, asksNothing } from "./slots/idle.ts";
export { readSlots } from "./slots/read.ts";
export type { SlotQuestion, SlotReading, Slots, SlotValue } from "./slots/reading.ts";
