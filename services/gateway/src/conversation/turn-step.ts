import type { SessionView } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import type { Mesh } from "../mesh/index.ts";
import type { Runs, StartOptions } from "../runs/index.ts";
import type { IdempotencyKey, RunTarget } from "../store/index.ts";
import type { Router } from "./router.ts";
import type { Sessions } from "./sessions.ts";

/** One message of a caller, whatever protocol it came by. */
export type TurnRequest = {
  caller: Caller;
  /** Absent: the caller names a flow instead. */
  message?: string | undefined;
  sessionId: string;
  /** The caller's own name for the conversation. */
  conversationId?: string | undefined;
  inputs?: Readonly<Record<string, unknown>> | undefined;
  /** The flow that the caller wants executed, instead of one that is understood from the message. */
  flow?: string | undefined;
  /** The goals that the caller wants, instead of those that are understood. */
  goals?: readonly string[] | undefined;
  /** A plan is wanted, even where one service would do. */
  plan?: boolean | undefined;
  /** The model that the caller would like. */
  modelHint?: string | undefined;
  /** The caller waits for the answer alone and reads no events. */
  quiet?: boolean | undefined;
  /** Whoever has room executes the run; the caller does not wait for it. */
  background?: boolean | undefined;
  whenBusy?: StartOptions["whenBusy"] | undefined;
  idempotency?: IdempotencyKey | undefined;
  requestId?: string | undefined;
  traceparent?: string | undefined;
};

/** What a turn knows so far; each step of the pipeline adds to it. */
export type Turn = {
  readonly request: TurnRequest;
  /** Reads the session when a step needs it: a turn that needs none costs no look-up. */
  session: () => Promise<SessionView | undefined>;
  intent: string;
  target: RunTarget;
  inputs?: Readonly<Record<string, unknown>>;
};

export type TurnDeps = { mesh: Mesh; route: Router; runs: Runs; sessions: Sessions };

type Outcome = "next" | "answered";

/**
 * One step of a turn; it may wait for something. It may set the turn's intent and target, add what later steps need, or end the turn: `answered` keeps the later
 * steps from running, and the turn's target says what answers it. It throws a GatewayError to refuse the turn.
 */
export type TurnStep = (turn: Turn, deps: TurnDeps) => Outcome | Promise<Outcome>;
