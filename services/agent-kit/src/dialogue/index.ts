export { type Applied, type ApplyParts, apply } from "./apply.ts";
export { consentOf } from "./consent.ts";
export { dialogue } from "./dialogue.ts";
export type { DialogueState } from "./state.ts";
export type {
  About,
  ConfirmedTask,
  Consent,
  DialogueDefinition,
  Locale,
  Localised,
  Operation,
  Outcome,
  Replies,
  Slot,
  SlotValues,
  Stage,
  Turn,
  Verdict,
  View,
} from "./types.ts";
