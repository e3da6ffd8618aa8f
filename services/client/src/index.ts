export type { RetryPolicy } from "./backoff.ts";
export type { ChatOptions, ChatStream } from "./chat.ts";
export {
  type Approvals,
  createClient,
  type EffectOptions,
  type InterlockClient,
  type PageOptions,
  type RequestOptions,
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
  ChatResult,
  ResetEvent,
  RunEnd,
  RunEvent,
  RunResult,
  ToolCall,
} from "./events.ts";
export type {
  Agent,
  Approval,
  ApprovalPage,
  Decision,
  Models,
  Run,
  RunPage,
  RunState,
  Session,
  SessionHead,
  SessionPage,
  StartedRun,
  Tool,
  Turn,
} from "./resources.ts";
export type { ChatEventStream, RunEventStream } from "./run-stream.ts";
export type { ClientOptions, Fetch, HeaderSource, RetryNotice } from "./settings.ts";
