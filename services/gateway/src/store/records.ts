import type {
  ApprovalWinner,
  AssistantTurn,
  AuditEntryView,
  DialogueRest,
  RunView,
  ToolCallRecord,
  UserTurn,
} from "@interlock/contracts";
import type { Constraints } from "../constraint.ts";
import type { JsonText } from "../json-text.ts";
import type { SessionFields } from "./dialogue-fields.ts";
import type { UsageAmounts } from "./usage-store.ts";

/** Why a model was chosen for a turn. */
export type ModelChoice = {
  hint: string | null;
  chosen: string;
  reason: "override" | "experiment" | "hint" | "task_default" | "default";
};

/** What a run or a task is asked with; large inputs stay text. */
export type Inputs = Readonly<Record<string, unknown>> | JsonText;

/** What a run was accepted with; kept in its record, so that any replica can carry the run on. */
export type RunOrder = {
  message: string;
  inputs?: Inputs;
  intent: string;
  target: RunTarget;
  model: ModelChoice;
  /** The caller wants the answer of that model or of none. */
  disableFallbacks?: true;
  subject: string;
  /** Who vouched for the subject; see caller.ts. */
  issuer: string;
  /**
   * The caller's roles when the run was accepted. The whole plan was authorised then, so a holder that resumes it, after an approval or
   * on another replica, does not check again. Agents get the roles, for row filters.
   */
  roles: readonly string[];
  /** The caller's own name for the conversation. */
  conversationId?: string;
  /** The request that started the run, for the log. */
  requestId?: string;
  /** The caller waits for the answer alone and reads no events. */
  quiet?: boolean;
  /** The service that the caller spoke to, where they named one. */
  service?: string;
  /** The language of the message, where an agent is told and the message has words. */
  locale?: string;
  /** The edition of the manifest that it was accepted under, and is executed with. */
  edition?: string;
  /** Where the run belongs in a trace: see TraceContext. */
  traceparent?: string;
  tracestate?: string;
  /** The gateways that the request came through, first the one that the user spoke to. */
  hops?: readonly string[];
  /** Milliseconds that kept results of tools may be old; absent: as old as each tool allows. */
  maxAgeMs?: number;
  /** A plan is wanted: what a remote gateway is told. */
  plan?: boolean;
  /** The language that the user wrote in: buttons are in it. */
  language?: "en" | "ko";
  /** The first line of the answer: what was applied of what the user said, and what was not. */
  preface?: string;
  /** What buttons say while the run waits for an approval. */
  pauseButtons?: readonly string[];
  /** Buttons of the answer: what the user may want next. */
  buttons?: readonly string[];
  /** What the turn said that constrains the run. What is applied, what the user reads of it and what is verified is made from this. */
  constraints?: Constraints;
  /** How the message was understood, where it was not by keywords. */
  understood?: Understood;
  /** What models used before the run began. */
  used?: UsageAmounts;
  /** Results of earlier runs that this run uses instead of asking again, by its own steps. */
  takesOver?: Readonly<Record<string, EarlierResult>>;
};

/** How a message was understood. */
export type Understood = {
  category: string;
  /** Between 0 and 1. */
  confidence: number;
  target_agent?: string | undefined;
  goals: readonly string[];
  /** Their names alone: what the user said of them is for nobody's log. */
  slots: readonly string[];
  source: "rules" | "local" | "user" | "model";
};

/** Where an earlier run keeps a step's result. */
export type EarlierResult = { run: string; step: string };

/** What a run executes: goals of a flow, one agent's service, or nothing, where the turn is answered without one. */
export type RunTarget =
  | {
      kind: "flow";
      flow: string;
      goals: readonly string[];
      /** The service that makes the answer from its goal's result, instead of the flow's answer step. */
      answer?: string;
      /** What steps read instead of the turn's message: the message that the user has answered a question about. */
      message?: string;
    }
  | {
      kind: "service";
      service: string;
      /**
       * What a dialogue or remote service is told instead of the turn's message: the message that the user has answered a question about;
       * empty where the user comes back to a dialogue and has said nothing yet.
       */
      message?: string;
    }
  /** One task of an agent, which the caller has named. */
  | { kind: "task"; agent: string; task: string }
  | { kind: "general"; reply?: Reply };

/** What the gateway itself says, with buttons for likely answers. */
export type Reply = { text: string; buttons: readonly string[] };

export type RunState = RunView["state"];

export type RunRecord = {
  id: string;
  sessionId: string;
  subject: string;
  /** The principal whose run it is; see caller.ts. */
  owner: string;
  kind: RunView["kind"];
  state: RunState;
  /** Of the last event that the store holds. */
  seq: number;
  /** Grows with each holder; a write with an older one is refused. */
  fence: number;
  /** Grows each time the run is put on the queue; a job with an older one is dropped. */
  epoch: number;
  attempts: number;
  createdAt: number;
  finishedAt?: number;
  /** Without its inputs: they may be large, and only an execution reads them. */
  order: Omit<RunOrder, "inputs">;
  /** The run's latest approval. */
  approvalId?: string;
  /** The event that ended the run, as JSON; it outlives the log. */
  terminal?: string;
};

/** One turn's side of a conversation, as the session keeps it. */
export type TurnEntry = UserTurn | AssistantTurn;

/** What a person decided about a step; lies in the journal beside the results, under `approval.<step>`. */
export type StepDecision = {
  approval_id: string;
  decision: "approved" | "rejected" | "withdrawn" | "expired";
  by: string;
  note?: string;
  /** Exactly what was approved: the step takes this and evaluates nothing anew. */
  proposal?: unknown;
};

/** A step's result: what the journal holds and what later steps' templates see. */
export type StepResult = {
  outputs?: object;
  /** What a render step, or the agent of a dialogue, says to the user. */
  text?: string;
  /** Where a turn leaves its dialogue. */
  dialogue?: DialogueOutcome;
  warnings: readonly string[];
  /** It was made from a sample, since nobody gave inputs; see runs/sample.ts. */
  sample?: "flow" | "agent";
  /** What the step's `keep` takes from its last inputs and outputs, for later steps. */
  kept?: unknown;
  /** How often a step that repairs asked its agent, or a tool-calling agent its model. */
  rounds?: number;
  /** A tool-calling agent was ended before its model was done. */
  exceeded?: true;
  /** The model that answered. */
  model?: string;
};

/** A call of a tool that has ended: what is told of it, and what it came to. */
export type JournaledCall = {
  record: ToolCallRecord;
  output?: unknown;
  /** What the model reads of it. */
  text: string;
  /** Its tool and arguments; equal calls have equal ones. */
  signature: string;
  /** It changed something, or may have. */
  acts: boolean;
};

/** What a model said in one of its rounds. */
export type JournaledRound = {
  text: string;
  calls: readonly { id: string; name: string; input: unknown }[];
  model: string;
};

/** Where a turn leaves its dialogue: what its caller is told, and what the session keeps. */
export type DialogueOutcome = { rest: DialogueRest; buttons: readonly string[]; kept: SessionFields };

/** Who decided what; what a caller that came too late is told. */
export type Winner = ApprovalWinner;

/** An approval that another gateway asks for, of the run there that a run here mirrors. */
export type RemoteApproval = { service: string; run: string; approval: string };

export type Approval = {
  id: string;
  runId: string;
  sessionId: string;
  flow: string;
  step: string;
  state: "pending" | Winner["decision"];
  requestedBy: string;
  /** One of these is wanted beside the permission to decide; empty: none. */
  roles: readonly string[];
  fourEyes: boolean;
  /** Seconds since a caller proved who they are, within which they may decide; absent: any. */
  maxAgeS?: number;
  /** Who changed the proposal since it was made. */
  editors: readonly string[];
  proposal: unknown;
  proposalHash: string;
  /** What the flow shows beside the proposal. */
  shown: unknown;
  /** Whether it was made from a sample; absent in records from before there was a mark. */
  sample?: boolean;
  /** The principal whose run asks for it; absent in older records. */
  owner?: string;
  createdAt: number;
  expiresAt: number;
  warnBeforeMs: number;
  expiresInMs: number;
  onExpiry: "reject" | "escalate";
  escalateTo: readonly string[];
  winner?: Winner;
  /** Where it is decided; absent: here. */
  remote?: RemoteApproval;
};

/** One entry of the decision log. It names who did what to which proposal, never the proposal itself. */
export type AuditEntry = Omit<AuditEntryView, "id" | "digest" | "link">;

/** An entry as the log holds it: `digest` is the SHA-256 of its text, `link` binds it to all before it. */
export type AuditRecord = { id: string; entry: AuditEntry; digest: string; link: string };

/** The text of a new entry of the decision log, and its SHA-256. */
export type NewAudit = { text: string; digest: string };

/** A caller's Idempotency-Key, bound to the caller, and the digest of what it was sent with. */
export type IdempotencyKey = { digest: string; bodyDigest: string };
