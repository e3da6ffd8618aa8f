export { Features, GROUP, GROUPS, type Lexicon } from "./features.ts";
export { withoutGreeting } from "./greeting.ts";
export { KeyTable } from "./hash.ts";
export { type IntentModel, isKorean, loadIntentModel } from "./intent-model.ts";
export { featureValue, type Intent, LinearModel } from "./linear-model.ts";
export { type IntentModelFile, packKeys, packWeights, readModelFile } from "./model-file.ts";
