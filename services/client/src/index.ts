export type { RetryPolicy } from "./backoff.ts";
export type { ChatOptions, ChatStream } from "./chat.ts";
export {
  type Approvals,
  createClient,
  type EffectOptions,
  type InterlockClient,
  type PageOptions,
  type RequestOptions,
  type RunFilters,
  type RunOrder,
  type Runs,
} from "./client.ts";
export {
  AbortedError,
  ApiError,
  type ClientErrorCode,
  ConnectionError,
  type ErrorCode,
  InterlockError,
  RunFailedError,
  type StreamDefect,
  StreamError,
  StreamGapError,
  StreamInvalidError,
  StreamTruncatedError,
} from "./errors.ts";
export type { EventStream } from "./event-stream.ts";
export type {
  ApprovalRef,
  ChatEnd,
  ChatEvent,
  ChatFailure,
  ChatResult,
  ResetEvent,
  RunEnd,
  RunEvent,
  RunResult,
  StatusEvent,
  StatusResult,
  ToolCall,
} from "./events.ts";
export type {
  Agent,
  Approval,
  ApprovalDetail,
  ApprovalPage,
  BookEntry,
  BookPage,
  CancelledRun,
  Decided,
  Decision,
  DecisionOutcome,
  Models,
  Run,
  RunPage,
  RunState,
  Session,
  SessionPage,
  StartedRun,
  Tool,
  Winner,
} from "./resources.ts";
export type { ChatEventStream, RunEventStream, StatusEventStream } from "./run-stream.ts";
export type { ClientOptions, Fetch, HeaderSource, RetryNotice, TokenSource } from "./settings.ts";
