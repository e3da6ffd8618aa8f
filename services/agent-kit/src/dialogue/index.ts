export { consentOf } from "./consent.ts";
export { dialogue } from "./dialogue.ts";
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
