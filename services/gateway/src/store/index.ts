export { type ApprovalHead, newApprovalFields } from "./approval-fields.ts";
export { type ApprovalOperation, ApprovalStore, type OperationOutcome } from "./approval-store.ts";
export { AuditLog, type LoggedEntry } from "./audit-log.ts";
export { type BookedApproval, BookStore, type StoredBookEntry } from "./book-store.ts";
export { BrowserStore } from "./browser-store.ts";
export { DeliveryIndex } from "./delivery-index.ts";
export {
  type Dialogue,
  type DialogueHead,
  dialogueFields,
  type SessionFields,
} from "./dialogue-fields.ts";
export { DueIndex, type Taken } from "./due-index.ts";
export { EditionStore } from "./edition-store.ts";
export { type ErasedCounts, ErasureStore } from "./erasure-store.ts";
export {
  type Effect,
  EventLog,
  type LogSource,
  type LogWrite,
  type NewApproval,
  type WriteOutcome,
} from "./event-log.ts";
export { FeedbackStore, type Rating } from "./feedback-store.ts";
export { GetTurns } from "./get-turns.ts";
export { GroupCall } from "./group.ts";
export {
  artifactField,
  begunField,
  callField,
  decisionField,
  emptyJournal,
  type Journal,
  REMOTE_RUN,
  readJournal,
  roundField,
  WARNED,
  writeDecision,
  writeResult,
  writeUsed,
} from "./journal.ts";
export { GLOBAL_RATE, type Keys, keysOf } from "./keys.ts";
export { type Claim, LeaseStore } from "./lease-store.ts";
export { type Follower, LogReader } from "./log-reader.ts";
export { NOTICES, type Notice, type NoticeType, Outbox, type OutboxEntry, type Wants } from "./outbox.ts";
export type { PageCursor } from "./page.ts";
export { type PushPlace, PushStore } from "./push-store.ts";
export type {
  Approval,
  AuditEntry,
  AuditRecord,
  EarlierResult,
  IdempotencyKey,
  Inputs,
  JournaledCall,
  JournaledRound,
  ModelChoice,
  NewAudit,
  RemoteApproval,
  Reply,
  RunOrder,
  RunRecord,
  RunState,
  RunTarget,
  StepDecision,
  StepResult,
  TurnEntry,
  Understood,
  Winner,
} from "./records.ts";
export { type Connections, connect, SILENCE_MS, toStoreError } from "./redis.ts";
export { disconnect, queueConnection, type RedisClient, readRedisUrl, redisEndpoints } from "./redis-url.ts";
export { Replication } from "./replication.ts";
export type { Retention, RetentionOf } from "./retention.ts";
export type { RunPage } from "./run-search.ts";
export { type Acceptance, type Accepted, RunStore } from "./run-store.ts";
export { type SessionMemory, SessionStore } from "./session-store.ts";
export { StoreClock } from "./store-clock.ts";
export { connected } from "./timed-write.ts";
export {
  addUsage,
  type BudgetLimits,
  dayOf,
  NO_USAGE,
  type Reservation,
  type Spending,
  USAGE_DAYS,
  type UsageAmounts,
  type UsageGroupKind,
  type UsageOf,
  UsageStore,
} from "./usage-store.ts";
