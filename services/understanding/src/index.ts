export type {
  DomainWords,
  Localised,
  SlotDeclaration,
  SlotDeclarations,
  SlotKind,
} from "./catalogue/declarations.ts";
export {
  type EntityIndex,
  type EntityList,
  indexEntities,
  indexEntitiesInTurns,
  keysFrom,
  namesOf,
  shapeOf,
  UnspeakableInputs,
  type ValueList,
} from "./catalogue/entity-index.ts";
export {
  abbreviated,
  inBoth,
  isNameInPart,
  namedByWords,
  newSearch,
  type Search,
  seek,
  wordPositions,
} from "./catalogue/name-search.ts";
export { isOneEdit, SHORTEST_NEAR } from "./catalogue/near-index.ts";
export {
  isLimits,
  type Limit,
  type Limits,
  MOST_SELECTED,
  type SlotEdit,
  type SlotQuestion,
  type SlotReading,
  type Slots,
  type SlotValue,
} from "./catalogue/reading.ts";
export { sortedInPieces } from "./catalogue/sort-in-pieces.ts";
export type { Bound } from "./ledger/bounds.ts";
export type { Claim, Proof } from "./ledger/claim.ts";
export { type Difference, differencesOf } from "./ledger/compare.ts";
export { type Decision, decide } from "./ledger/decide.ts";
export { type Net, netOf } from "./ledger/net-claims.ts";
export { formatRisk, loadRisk, type RiskModel, riskOf, type SignModel } from "./ledger/risk.ts";
export { type Verification, type Verified, verifyClaims } from "./ledger/verify.ts";
export { mentionsOffered, type Offered } from "./mentions/offered.ts";
export { type LearntReader, loadReader } from "./reader.ts";
export { formatGoals, type GoalModel, likelihoodsOf, loadGoals } from "./routing/goals.ts";
export { loadTagger, type Model as TaggerModel, type TaggedReading, tagSlots } from "./tagger/index.ts";
export { ROLES } from "./text/amount-words.ts";
export type { Amount } from "./text/amounts.ts";
export { compileSlots, type SlotReader } from "./text/compile.ts";
export { COMMON_WORDS, MEANS } from "./text/generic-words.ts";
export { compileLexicon, type Lexicon, pluralOf, singularsOf } from "./text/lexicon.ts";
export {
  hasRole,
  isHard,
  isMention,
  isOppositeOfFlag,
  isPart,
  isPluralOfAny,
  isWord,
  means,
  type Piece,
  piecesOf,
  sameKind,
  senseOf,
} from "./text/pieces.ts";
export { type KnownWords, knownWords, type Speller, spellerOf } from "./text/spelling.ts";
export { hasDigit, plainText, type Token, tokenize } from "./text/tokens.ts";
