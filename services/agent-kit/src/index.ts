import "./node-version.ts";

export { createAgent } from "./agent.ts";
export {
  type About,
  type ConfirmedTask,
  type Consent,
  consentOf,
  type DialogueDefinition,
  dialogue,
  type Locale,
  type Localised,
  type Operation,
  type Outcome,
  type Replies,
  type Slot,
  type SlotValues,
  type Stage,
  type Turn,
  type Verdict,
  type View,
} from "./dialogue/index.ts";
export { Refused, TaskError } from "./errors.ts";
export type { RunningServer } from "./http/server.ts";
export { memoryStore } from "./idempotency/memory-store.ts";
export type { Claim, IdempotencyStore } from "./idempotency/store.ts";
export type { VerifiedCaller, VerifyCaller } from "./identity/caller.ts";
export { createLog, type Log, type TaskLog } from "./log.ts";
export { serve } from "./serve.ts";
export { type Env, SettingError, storeOf } from "./settings.ts";
export type {
  Agent,
  AgentDefinition,
  AgentSettings,
  Progress,
  TaskContext,
  TaskDefinition,
  TaskRequest,
  Token,
} from "./types.ts";
