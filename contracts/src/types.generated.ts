/** Generated from the schemas by scripts/generate.ts; do not edit. */

/**
 * The data of the one terminal event of a stream (`final`; `complete` and `done` are accepted too). `status`, `ok` and `success` never contradict each other.
 */
export type FinalEvent = FinalSuccess | FinalFailure;
/**
 * The answer of POST /agents/run/sync with HTTP 200: a success or a business failure. `status` and `ok` never contradict each other.
 */
export type RunResult = RunSuccess | RunFailure;
/**
 * Sent as `Authorization`.
 */
export type A2APushAuthentication = {
  scheme: string;
  credentials: string;
} | null;
export type A2AConfiguration = {
  /**
   * The task goes on by itself.
   */
  returnImmediately?: boolean;
  historyLength?: number;
  /**
   * Who is told of the task's changes.
   */
  taskPushNotificationConfig?: null | A2APushRequest;
} | null;
export type BatchOutcome = {
  [k: string]: unknown;
} & {
  approval_id: string;
  /**
   * As the same decision alone would be answered: 200, or that of the error.
   */
  status: number;
  decided?: DecisionAnswer;
  refused?: ErrorBody;
};
/**
 * What a user reads while the agent works.
 */
export type MeshText =
  | string
  | {
      en: string;
      ko?: string;
    };
/**
 * What an answer calls the default inputs.
 */
export type MeshText1 =
  | string
  | {
      en: string;
      ko?: string;
    };
/**
 * Data are moved by templates: a reference such as steps.check.outputs.totals; an object or a list of templates; numbers, true, false and null as they are; `...: reference` adds the members of an object; { first: [reference, …] }, { count: reference }, { literal: value }, { text: "Mean {outputs.mean}" }.
 */
export type MeshStep = {
  [k: string]: unknown;
} & {
  /**
   * The agent that performs the step.
   */
  agent?: string;
  /**
   * What the agent is asked for.
   */
  task_type?: string;
  /**
   * Steps that must be done before; a plan with this step has them, too.
   */
  needs?: string[];
  /**
   * Steps that are waited for if the plan has them.
   */
  after?: string[];
  /**
   * Whether the plan goes on where the step fails.
   */
  optional?: boolean;
  /**
   * The inputs of the task, an object, over {request, steps, constraints}; where the step has an approval, also over {approval}.
   */
  inputs?: unknown;
  /**
   * What of the step the run's events contain, over {outputs, rounds, warnings, kept}.
   */
  show?: unknown;
  /**
   * The tool of an MCP server that the step calls, `<server>.<tool>`. Its inputs are the tool's arguments; what its server does not say that it only reads needs `effect`.
   */
  tool?: string;
  /**
   * Joins texts, over {request, steps, constraints}: a template of a text or of several, which stand one below the other.
   */
  render?: unknown;
  repair?: MeshRepair;
  /**
   * What is written to the book `to`, exactly once, over {request, steps, constraints, approval}.
   */
  publish?: unknown;
  /**
   * The book that a publish step writes to; absent: `published`.
   */
  to?: string;
  /**
   * Whether a publish step also publishes what was made from a sample, since a request had no inputs: for demonstrations. Absent: such a request is refused.
   */
  allow_sample?: boolean;
  /**
   * An agent's step that changes the world. `repeatable`: the agent heeds the Idempotency-Key, so it is asked again after a fault. `once`: its outcome cannot be asked for again; where Redis fails over, sent once only with EFFECT_REPLICAS; after a fault a person looks.
   */
  effect?: "repeatable" | "once";
  approval?: MeshApproval;
  verify?: MeshVerify;
  /**
   * What later steps see as `steps.<id>.kept`, over {inputs, outputs, rounds, request, steps}.
   */
  keep?: unknown;
  /**
   * The text of the step, where it answers the turn: a reference into {outputs}.
   */
  text?: string;
};
/**
 * A text, or a text by language; the English one serves for languages that are left out.
 */
export type MeshText2 =
  | string
  | {
      en: string;
      ko?: string;
    };
export type MeshMeasure = {
  [k: string]: unknown;
} & {
  /**
   * How values are written. A percent is a fraction: 0.05 is 5 %.
   */
  kind: "percent" | "money" | "number" | "count";
  label: MeshText2;
  nouns: MeshPhrases;
  phrases?: MeshMeasurePhrases;
  before?: MeshPlace;
  /**
   * Its value; of one thing, that of the first place that has it.
   */
  from?: MeshPlace1 | MeshPlace1[];
  difference?: MeshOperands;
  ratio?: MeshOperands1;
  /**
   * From this measure's value before to the one after, as a share of the first.
   */
  change?: string;
  /**
   * Its values can be added up.
   */
  sums?: boolean;
  /**
   * The largest is the one farthest from 0.
   */
  by_size?: boolean;
  /**
   * A message may order it in the same words, so only a question that says of when it is (`today`, `before`, `proposed`) looks it up.
   */
  ordered?: boolean;
};
/**
 * What people call it. A plural in -s need not be declared.
 *
 * @maxItems 200
 */
export type MeshPhrases = string[];
/**
 * @maxItems 200
 */
export type MeshPhrases1 = string[];
/**
 * Its value of today, where `from` is that of a proposal.
 */
export type MeshPlace = string;
/**
 * Where values stand: `inputs.…`, or `steps.<step>.outputs.…` and `.kept.…` of a step of the proposal. In brackets behind a list or an object is the slot whose values tell its parts apart: `inputs.items[items].tiers[tiers].price`.
 */
export type MeshPlace1 = string;
/**
 * The first measure less the second.
 *
 * @minItems 2
 * @maxItems 2
 */
export type MeshOperands = string[];
/**
 * The first measure as a share of the second.
 *
 * @minItems 2
 * @maxItems 2
 */
export type MeshOperands1 = string[];
export type MeshService = {
  [k: string]: unknown;
} & {
  /**
   * The flow that it asks for.
   */
  flow?: string;
  /**
   * The agent that it asks.
   */
  agent?: string;
  /**
   * The task of that agent.
   */
  task_type?: string;
  dialogue?: MeshDialogue;
  /**
   * The service is a tool-calling agent: a model answers with the help of these tools, in rounds. `<server>.<tool>` of an MCP server, `<server>.*` for all of its tools, a task of an agent in lower case, or a service with a flow. A caller's rounds have those that the caller may use.
   *
   * @minItems 1
   * @maxItems 100
   */
  tools?: string[];
  /**
   * The model that chooses tools and answers. Absent: the one of the task `rounds`, or the default one.
   */
  model?: string;
  /**
   * A text file with what the model is to do, and how.
   */
  instructions?: string;
  /**
   * Times that the model is asked (default 5). One that wants more calls then gets none, and the answer is what there is, with `rounds_exceeded`.
   */
  max_rounds?: number;
  remote?: MeshRemote;
  /**
   * What it is for, for lists and models.
   */
  description?: string;
  /**
   * Messages that ask for the service, in any language: similar ones are taken for it, unless it is a goal of a flow that knows what it is asked for. The first ones are shown to people.
   *
   * @maxItems 500
   */
  examples?: string[];
  /**
   * Words that tell that a message is for it.
   */
  keywords?: string[];
  /**
   * The text of the answer, over {outputs, warnings, request}: a template such as outputs.summary or { text: "Mean {outputs.mean}" }, or a list of such. Without it the answer has the outputs, and a text of them.
   */
  answer?: unknown;
  /**
   * The goals of the flow that it asks for; absent: the flow's default ones.
   *
   * @minItems 1
   */
  goals?: string[];
  label?: MeshText3;
  orders?: MeshOrders;
};
/**
 * A text, or a text by language; the English one serves for languages that are left out.
 */
export type MeshText3 =
  | string
  | {
      en: string;
      ko?: string;
    };
/**
 * @minItems 1
 * @maxItems 50
 */
export type MeshOrderWords = string[];
export type MeshEndpoint = {
  [k: string]: unknown;
} & {
  task_type?: string;
  /**
   * What publish steps write to the book of this name.
   */
  book?: string;
};
/**
 * A text, or a text by language; the English one serves for languages that are left out.
 */
export type MeshText4 =
  | string
  | {
      en: string;
      ko?: string;
    };
/**
 * Agents all of whose tasks may be asked.
 */
export type MeshNames = string[];
/**
 * Single tasks, as `agent/TASK`.
 */
export type MeshPairs = string[];
/**
 * Flows all of whose goals may be asked for.
 */
export type MeshNames1 = string[];
/**
 * Single goals, as `flow/goal`.
 */
export type MeshPairs1 = string[];
/**
 * Services that it may use.
 */
export type MeshNames2 = string[];
/**
 * Task types in lower case.
 */
export type MeshNames3 = string[];
/**
 * Models that a request may ask for.
 */
export type MeshNames4 = string[];
/**
 * Books that may be read: what publish steps wrote, whoever asked for it.
 */
export type MeshNames5 = string[];
/**
 * Approvals that may be read, as `flow/step`, whatever roles they name.
 */
export type MeshPairs2 = string[];
/**
 * Approvals that may be read and decided, as `flow/step`, by those whom they name.
 */
export type MeshPairs3 = string[];
export type MeshClaimSource = {
  [k: string]: unknown;
} & {
  /**
   * The claim of the token.
   */
  claim?: string;
  /**
   * What each value of the claim stands for; others stand for nothing. Absent: the values as they are.
   */
  map?: {
    [k: string]: string[];
  };
  /**
   * Whatever the token says.
   *
   * @minItems 1
   */
  is?: string[];
};
/**
 * One event of a run's log, as the run dialect sends it. A run ends with exactly one of `run_finished`, `run_failed`, `run_cancelled`.
 */
export type LogEvent =
  | RunStarted
  | RunPlan
  | StepStarted
  | RunProgress
  | RunToken
  | StepFinished
  | StepFailed
  | StepRepair
  | RunWarning
  | RunPaused
  | ApprovalDecided
  | ApprovalEdited
  | ApprovalExpiring
  | ApprovalEscalated
  | RunParked
  | RunFinished
  | RunFailed
  | RunCancelled;
export type Names = string[];
export type Strings = string[];
/**
 * The body of POST /api/v1/runs: a background run of a flow, or of whatever a message asks for.
 */
export type RunStartRequest = {
  session_id: string;
  flow?: string;
  /**
   * At most as many characters (code points) as MAX_MESSAGE_CHARS of the gateway says, 4,000 where it is not set. Control characters other than tab and line breaks are refused, and so is a message that tries to change what the assistant may do (AGT_004).
   */
  message?: string;
  inputs?: {
    [k: string]: unknown;
  };
  /**
   * Of the flow; absent: its default ones.
   *
   * @minItems 1
   */
  goals?: string[];
} & {
  [k: string]: unknown;
};
/**
 * The data of one event of the status dialect. The line `event` is `status` for `thinking`, `executing`, `warning`, `complete` and `error`; `message` for `text`; `token` for `token`; `tool_call` for `tool`. Exactly one `complete` or `error` comes, last: a stream that ends without it has failed, and `error` says that the run has. The line `id` is the seq of the run's event. The `text` of the answer goes before the event that ends the stream and has no `id`, since both stand for one event of the run.
 */
export type StatusEvent = StatusWorking | StatusComplete | StatusError | StatusText | StatusToken | StatusTool;
/**
 * How a table was read: as inputs, or with what keeps it from being read.
 */
export type TableReading = {
  /**
   * The flow that it is read for.
   */
  flow: string;
  /**
   * The flows that the caller may use and that take a table.
   */
  flows: string[];
  /**
   * What columns can be for. Empty: each is a field of its own name.
   */
  fields: {
    field: string;
    needed: boolean;
  }[];
  /**
   * The fields that are read, each from a column, or the same for all rows.
   */
  columns: {
    field: string;
    column?: string;
    otherwise?: string | number | boolean;
    kind: "number" | "text" | "flag";
  }[];
  /**
   * Columns that nothing is read from.
   */
  unused: string[];
  rows: number;
  /**
   * For messages. Absent where there are problems.
   */
  inputs?: {};
  /**
   * How it was read, in a sentence.
   */
  note?: {
    en: string;
    ko: string;
  };
  /**
   * What keeps it from being read, without its values.
   *
   * @minItems 1
   */
  problems?: {
    line: number;
    column: number;
    text: {
      en: string;
      ko: string;
    };
    /**
     * The field that no column is for.
     */
    lacks?: string;
  }[];
} & {
  [k: string]: unknown;
};
/**
 * The tools that a tool-calling model can use.
 */
export type ToolList = ListedTool[];
/**
 * One event of the turn dialect: its name, which is the line `event`, and its data. Exactly one DONE comes, last, whatever became of the turn; a stream that ends without it was cut off. The line `id` is `<run>:<seq>`, and `<run>:<seq>:done` on DONE; where several events stand for one of the run's, the last one has it. The stream begins with a block that has an id and `retry` alone.
 */
export type TurnEvent = TurnAgentStart | TurnAgentDone | TurnToken | TurnLlmDone | TurnTaskProgress | TurnDone;

export interface Contracts {
  agent: AgentContract;
  conformance: ConformanceContract;
  gateway: GatewayContract;
}
export interface AgentContract {
  card: AgentCard;
  dialogueAnswer: DialogueAnswer;
  dialogueCheckpoint: DialogueCheckpoint;
  dialogueTurn: DialogueTurn;
  error: AgentError;
  final: FinalEvent;
  grounding: Grounding;
  health: HealthStatus;
  refusal: Refusal;
  runRequest: RunRequest;
  runResult: RunResult;
  started: StartedEvent;
  token: TokenEvent;
  usage: Usage;
}
/**
 * The answer of GET /agents/card: describes the agent and its tasks.
 */
export interface AgentCard {
  name: string;
  version: string;
  description?: string;
  /**
   * The contract that the agent keeps.
   */
  contract: "agent/v1";
  /**
   * @minItems 1
   */
  task_types: CardTask[];
  limits?: CardLimits;
}
export interface CardTask {
  task_type: string;
  description?: string;
  /**
   * JSON Schema of the task's inputs.
   */
  inputs: {
    [k: string]: unknown;
  };
  /**
   * JSON Schema of the task's outputs.
   */
  outputs: {
    [k: string]: unknown;
  };
  /**
   * Example inputs of the task.
   */
  examples?: {
    [k: string]: unknown;
  }[];
}
/**
 * Limits other than the defaults of 1 MiB each.
 */
export interface CardLimits {
  max_event_bytes?: number;
  max_body_bytes?: number;
}
/**
 * The outputs of a task that holds a dialogue.
 */
export interface DialogueAnswer {
  /**
   * What the next turn's inputs begin with. Clients see it: no secrets. `stage`, `slots` and `queue` are what their user interfaces look for.
   */
  state: {};
  /**
   * What the user reads, in the user's language.
   */
  message: string;
  /**
   * What the dialogue waits for: a free answer, a yes or no, whether to go on with what is left, or nothing, since it is over.
   */
  next_action: "ASK" | "CONFIRM" | "ASK_CONTINUE" | "DONE";
  ui_hint?: DialogueHint;
  /**
   * What this turn changed in the world. The gateway lists each once, whatever is repeated.
   *
   * @maxItems 100
   */
  effects?: DialogueEffect[];
}
export interface DialogueHint {
  /**
   * @maxItems 20
   */
  buttons?: string[];
}
export interface DialogueEffect {
  /**
   * Stays the same when the turn is repeated.
   */
  id: string;
  /**
   * Such as transfer.
   */
  kind: string;
  [k: string]: unknown;
}
/**
 * The data of a progress event in the middle of a turn: the gateway keeps this state, whatever becomes of the turn, and shows nobody the event. An agent sends one before and after each change of the world.
 */
export interface DialogueCheckpoint {
  checkpoint: DialogueProgress;
  [k: string]: unknown;
}
export interface DialogueProgress {
  /**
   * What the next turn's inputs begin with where this turn fails.
   */
  state: {};
  /**
   * What this turn has changed in the world so far.
   *
   * @maxItems 100
   */
  effects?: DialogueEffect[];
}
/**
 * The inputs of a task that holds a dialogue: one message of the user, and all that the dialogue has come to. The agent keeps nothing between turns.
 */
export interface DialogueTurn {
  /**
   * What the agent answered with last, in this session; null where the dialogue begins.
   */
  state: {} | null;
  /**
   * What the user says. Empty where the user comes back to the dialogue and has said nothing yet.
   */
  message: string;
  /**
   * Earlier turns of the session, oldest first, as the user knew them when this message was sent: without it, and without what was answered after that.
   */
  history: DialogueHistoryEntry[];
  /**
   * The language of the message, as BCP 47 has it: en, ko.
   */
  locale: string;
}
export interface DialogueHistoryEntry {
  role: "user" | "assistant";
  text: string;
}
/**
 * Why a run failed or was refused. Never contains a value from the request's inputs.
 */
export interface AgentError {
  /**
   * Stable, for programs, such as INVALID_INPUTS. A code that the contract does not list means that the inputs are at fault.
   */
  code: string;
  /**
   * For people.
   */
  message: string;
  details?: {
    [k: string]: unknown;
  };
}
export interface FinalSuccess {
  request_id: string;
  task_type: string;
  /**
   * `ok` or `success`; another word of success only beside `ok: true` or `success: true`.
   */
  status: string;
  ok?: true;
  /**
   * `true` means what `ok: true` means. A value other than a boolean has no meaning here.
   */
  success?: unknown;
  /**
   * The task's own outputs.
   */
  outputs?: {
    [k: string]: unknown;
  };
  /**
   * The outputs, under the name that some agents use.
   */
  data?: {
    [k: string]: unknown;
  };
  artifacts?: string[];
  provenance?: {
    [k: string]: unknown;
  };
  usage?: Usage;
  warnings?: string[];
  grounding?: Grounding;
}
/**
 * What a run consumed.
 */
export interface Usage {
  input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
  [k: string]: unknown;
}
/**
 * The evidence for the outputs.
 */
export interface Grounding {
  sources?: unknown[];
  citations?: unknown[];
  span_refs?: unknown[];
  [k: string]: unknown;
}
export interface FinalFailure {
  request_id: string;
  task_type: string;
  status: "error";
  ok: false;
  success?: unknown;
  /**
   * Empty: a run that failed has no outputs.
   */
  outputs?: {};
  /**
   * Empty: a run that failed has no outputs.
   */
  data?: {};
  error: AgentError;
  artifacts?: string[];
  provenance?: {
    [k: string]: unknown;
  };
  usage?: Usage;
  warnings?: string[];
  grounding?: Grounding;
}
/**
 * The answer of GET /health and GET /health/ready. An agent that accepts no runs answers the latter with 503.
 */
export interface HealthStatus {
  status: string;
}
/**
 * The body of every 4xx and 5xx answer to a run request. The run was not started.
 */
export interface Refusal {
  /**
   * The one that was sent if it was a string, else empty.
   */
  request_id: string;
  ok: false;
  status: "error";
  /**
   * Empty: a run that failed has no outputs.
   */
  outputs: {};
  warnings: string[];
  error: AgentError;
}
/**
 * What a caller sends to POST /agents/run/sync and POST /agents/run/stream. Unknown fields are ignored.
 */
export interface RunRequest {
  /**
   * Chosen by the caller and echoed in every answer.
   */
  request_id: string;
  /**
   * Which of the agent's tasks to run.
   */
  task_type: string;
  workflow_id?: string;
  stage_id?: string;
  user_id?: string;
  domain_id?: string;
  risk_tier?: string;
  /**
   * In DEMO, a request without inputs runs on the agent's sample, with a warning. In LIVE it is refused.
   */
  mode?: "DEMO" | "LIVE";
  /**
   * The language of the texts in the answer, as in BCP 47. A `language` among the task's inputs wins; agents without texts in it answer in their own.
   */
  language?: string;
  /**
   * The task's own inputs.
   */
  inputs?: {
    [k: string]: unknown;
  };
  budgets?: Budgets;
}
export interface Budgets {
  /**
   * Timeout in milliseconds, from the arrival of the request.
   */
  timeout_ms?: number;
  max_tokens?: number;
}
export interface RunSuccess {
  request_id: string;
  task_type?: string;
  /**
   * `ok` or `success`; another word of success only beside `ok: true`.
   */
  status?: string;
  ok?: true;
  /**
   * The task's own outputs.
   */
  outputs: {
    [k: string]: unknown;
  };
  artifacts?: string[];
  provenance?: {
    [k: string]: unknown;
  };
  usage?: Usage;
  warnings?: string[];
  grounding?: Grounding;
}
export interface RunFailure {
  request_id: string;
  task_type?: string;
  status: "error";
  ok: false;
  /**
   * Empty: a run that failed has no outputs.
   */
  outputs: {};
  error: AgentError;
  artifacts?: string[];
  provenance?: {
    [k: string]: unknown;
  };
  usage?: Usage;
  warnings?: string[];
  grounding?: Grounding;
}
/**
 * The data of the first event of a stream.
 */
export interface StartedEvent {
  request_id: string;
  task_type: string;
}
/**
 * The data of a token event: the next piece of generated text.
 */
export interface TokenEvent {
  text: string;
}
export interface ConformanceContract {
  baseline: ConformanceBaseline;
  report: ConformanceReport;
}
/**
 * Known failures that are accepted for now, each with a reason. An entry that matches no failure is stale, and fails the check.
 */
export interface ConformanceBaseline {
  known: ConformanceKnown[];
}
export interface ConformanceKnown {
  rule: string;
  reason: string;
  /**
   * Applies to this target only. Without it, to all.
   */
  url?: string;
  /**
   * Applies to this task type only. Without it, to all.
   */
  task_type?: string;
}
/**
 * The result of a conformance check, for programs. It contains rule ids, verdicts and the check's own sentences, never a body, an input or an output of an agent.
 */
export interface ConformanceReport {
  format: "interlock-conformance/v1";
  /**
   * Which rules were checked.
   */
  contract: "agent/v1";
  tool: ConformanceTool;
  started_at: string;
  duration_ms: number;
  /**
   * Whether a SHOULD counts like a MUST.
   */
  strict: boolean;
  /**
   * No target has an error, and the baseline has no stale entry.
   */
  passed: boolean;
  totals: ConformanceTotals;
  /**
   * @minItems 1
   */
  targets: ConformanceTarget[];
  /**
   * Entries of the baseline that match no failure.
   */
  stale: ConformanceKnown[];
}
export interface ConformanceTool {
  name: string;
  version: string;
}
/**
 * Number of results of all targets, by severity.
 */
export interface ConformanceTotals {
  targets: number;
  targets_passed: number;
  pass: number;
  error: number;
  warning: number;
  known: number;
}
export interface ConformanceTarget {
  /**
   * The base URL.
   */
  url: string;
  task_type: string;
  passed: boolean;
  duration_ms: number;
  /**
   * Number of requests.
   */
  requests: number;
  /**
   * The inputs of the runs: the agent's own sample (empty inputs in mode DEMO), inputs that were given, or the example of its card.
   */
  inputs: "sample" | "given" | "card";
  results: ConformanceResult[];
}
export interface ConformanceResult {
  rule: string;
  level: "MUST" | "SHOULD";
  title: string;
  /**
   * `needs-inputs`: the agent keeps the contract, but its run failed on the inputs that the check had. `not-reached`: could not be judged. `not-applicable`: the rule does not apply to this agent.
   */
  verdict: "pass" | "fail" | "needs-inputs" | "not-reached" | "not-applicable";
  /**
   * `error` fails the check, `warning` does not, `known` is in the baseline.
   */
  severity: "none" | "error" | "warning" | "known";
  /**
   * Absent for a pass.
   */
  reason?: string;
  /**
   * How to fix it.
   */
  hint?: string;
  /**
   * The reason that the baseline gives.
   */
  known?: string;
}
export interface GatewayContract {
  a2aPushRequest: A2APushRequest;
  a2aSendRequest: A2ASendRequest;
  agUiRunRequest: AgUiRunRequest;
  agentList: AgentList;
  answerTable: AnswerTable;
  apiIndex: ApiIndex;
  approvalList: ApprovalList;
  approvalView: ApprovalView;
  approveRequest: ApproveRequest;
  auditList: AuditList;
  auditLogView: AuditLogView;
  batchDecisionAnswer: BatchDecisionAnswer;
  batchDecisionRequest: BatchDecisionRequest;
  bookPage: BookPage;
  callerView: CallerView;
  cancelRequest: CancelRequest;
  catalogueReading: CatalogueReading;
  catalogueRequest: CatalogueRequest;
  chatAnswer: ChatAnswer;
  chatEvent: ChatEvent;
  chatHealth: ChatHealth;
  chatRequest: ChatRequest;
  completedList: CompletedList;
  completionRequest: CompletionRequest;
  decisionAnswer: DecisionAnswer;
  decisionRequest: DecisionRequest;
  erasureAnswer: ErasureAnswer;
  erasureRequest: ErasureRequest;
  error: ErrorBody;
  feedbackList: FeedbackList;
  feedbackRequest: FeedbackRequest;
  feedbackView: FeedbackView;
  health: GatewayHealth;
  keySet: KeySet;
  mcpList: McpList;
  mcpToolList: McpToolList;
  mesh: MeshManifest;
  messagesAnswer: MessagesAnswer;
  messagesError: MessagesError;
  messagesRequest: MessagesRequest;
  modelList: ModelList;
  policyCheckRequest: PolicyCheckRequest;
  policyCheckResult: PolicyCheckResult;
  reloadAnswer: ReloadAnswer;
  runAccepted: RunAccepted;
  runCancelled: CancelAnswer;
  runEvent: LogEvent;
  runLineage: RunLineage;
  runList: RunList;
  runStartRequest: RunStartRequest;
  runView: RunView;
  serviceCompletionRequest: ServiceCompletionRequest;
  serviceList: ServiceList;
  serviceResponseRequest: ServiceResponseRequest;
  sessionDebug: SessionDebug;
  sessionList: SessionList;
  sessionTranscript: SessionTranscript;
  sessionView: SessionView;
  statusEvent: StatusEvent;
  tableReading: TableReading;
  tableRequest: TableRequest;
  toolCall: ToolCallRecord;
  toolList: ToolList;
  turnAnswer: TurnAnswer;
  turnEvent: TurnEvent;
  turnRequest: TurnRequest;
  usageReport: UsageReport;
  webhookDeliveryList: WebhookDeliveryList;
  webhookDelivery: WebhookDelivery;
}
/**
 * A receiver of a task's changes, as A2A's TaskPushNotificationConfig. Its secrets are never read back.
 */
export interface A2APushRequest {
  /**
   * One of this id is replaced; absent: a new one.
   */
  id?: string | null;
  /**
   * The task, where neither the path nor the message names it.
   */
  taskId?: string | null;
  /**
   * Where changes are posted: a host of `peers.a2a.push_to`.
   */
  url: string;
  /**
   * Sent as `X-A2A-Notification-Token`.
   */
  token?: string | null;
  authentication?: A2APushAuthentication;
}
/**
 * A message to the mesh, or to one of its services, as A2A's SendMessageRequest.
 */
export interface A2ASendRequest {
  message: A2AMessage;
  configuration?: A2AConfiguration;
  /**
   * `interlock/service` names the service that the message is for.
   */
  metadata?: {} | null;
}
export interface A2AMessage {
  /**
   * A message that is sent again is answered with the same task.
   */
  messageId: string;
  /**
   * The session; absent: a new one.
   */
  contextId?: string | null;
  /**
   * The task that has asked something, or waits for a decision.
   */
  taskId?: string | null;
  role?: "ROLE_USER";
  /**
   * @minItems 1
   * @maxItems 100
   */
  parts: A2APart[];
}
export interface A2APart {
  text?: string;
  /**
   * A decision-request, with `approval_id` where no taskId names the task.
   */
  data?: unknown;
}
/**
 * One turn with a service, as AG-UI's RunAgentInput. The session's own transcript and state count, not those that come along.
 */
export interface AgUiRunRequest {
  /**
   * The session.
   */
  threadId: string;
  /**
   * The client's own name for the turn; the run has an id of its own.
   */
  runId: string;
  /**
   * The last one is the user's, unless the request answers an interrupt.
   *
   * @maxItems 1000
   */
  messages: AgUiMessage[];
  /**
   * Refused unless empty: a service has tools of its own.
   *
   * @maxItems 128
   */
  tools?: {}[] | null;
  /**
   * The answer of an interrupt.
   *
   * @maxItems 16
   */
  resume?: AgUiResume[] | null;
}
export interface AgUiMessage {
  role?: string;
  /**
   * A text, or parts of text. Anything else is refused.
   */
  content?: unknown;
}
export interface AgUiResume {
  /**
   * The approval.
   */
  interruptId: string;
  /**
   * `cancelled` takes the request for the approval back.
   */
  status: "resolved" | "cancelled";
  /**
   * A decision-request; without a `decision` the run is followed, and nothing is decided.
   */
  payload?: unknown;
}
/**
 * The agents of the mesh and how they are.
 */
export interface AgentList {
  agents: ListedAgent[];
}
export interface ListedAgent {
  name: string;
  description?: string;
  tasks: string[];
  status: "ready" | "not_ready" | "unknown";
  /**
   * When this replica first found it in this status.
   */
  since?: string;
  /**
   * Why it is not ready. no_answer: it gave no whole answer in time. refused: it says so itself, or has no such endpoint. invalid: it answered other than the contract says.
   */
  reason?: "no_answer" | "refused" | "invalid";
  /**
   * Not closed: the agent failed too often and is spared.
   */
  breaker: "closed" | "open" | "half_open";
  version?: string;
  card?: ListedCard;
  /**
   * When the status was last found out.
   */
  checked_at?: string;
  load?: AgentLoad;
}
export interface ListedCard {
  name: string;
  contract: string;
  description?: string;
  task_types: string[];
}
/**
 * What this replica has at the agent.
 */
export interface AgentLoad {
  running: number;
  /**
   * How many may run at once now, as was learnt.
   */
  limit: number;
  waiting: number;
  /**
   * The geometric mean of its latest answers' latencies; absent before the first.
   */
  latency_ms?: number;
  /**
   * How long the oldest of those has waited.
   */
  oldest_ms: number;
}
/**
 * A table of an answer. An agent gives its tables as `outputs.tables`.
 */
export interface AnswerTable {
  title: string;
  /**
   * The step that made it. Its outputs have all rows.
   */
  node?: string;
  /**
   * @minItems 1
   */
  columns: {
    name: string;
    /**
     * For people, in the language of the answer.
     */
    label: string;
  }[];
  /**
   * A cell for each column. Shares are fractions.
   */
  rows: (string | number | boolean | null)[][];
  /**
   * How many rows there are, where not all of them are here.
   */
  total_rows?: number;
}
/**
 * What is where, for programs.
 */
export interface ApiIndex {
  name: string;
  /**
   * Paths by what is there.
   */
  links: {
    [k: string]: string;
  };
}
/**
 * Approvals that the caller may see.
 */
export interface ApprovalList {
  approvals: ApprovalSummary[];
  /**
   * Whether any of the caller's roles may decide approvals at all.
   */
  can_decide: boolean;
  /**
   * Why the list is empty, where the caller's roles may see no approvals.
   */
  note?: string;
  /**
   * The caller's roles, where none of them may see approvals.
   */
  your_roles?: string[];
  /**
   * The `cursor` of the next page; absent on the last.
   */
  next?: string;
}
export interface ApprovalSummary {
  id: string;
  run_id: string;
  session_id: string;
  flow: string;
  step: string;
  state: "pending" | "approved" | "rejected" | "withdrawn" | "expired" | "cancelled";
  proposal_hash: string;
  requested_by: string;
  /**
   * Empty: anyone of the tenant.
   */
  allowed_roles: string[];
  /**
   * The roles that may decide it: the `allowed_roles`, or where it names none, those whose permissions include it.
   */
  deciding_roles: string[];
  /**
   * Whether whoever reads this may approve it as it stands.
   */
  may_approve: boolean;
  /**
   * Whether the proposal was made from a sample, since nobody gave inputs. Absent in approvals from before there was a mark.
   */
  sample?: boolean;
  links: ApprovalLinks;
  /**
   * Whoever asked for the run or changed the proposal cannot approve it.
   */
  four_eyes: boolean;
  editors: string[];
  created_at: string;
  expires_at: string;
  on_expiry: "reject" | "escalate";
  /**
   * Null while it is pending.
   */
  winner: null | ApprovalWinner;
}
export interface ApprovalLinks {
  self: string;
  decision: string;
  audit: string;
  run: string;
}
export interface ApprovalWinner {
  decision: "approved" | "rejected" | "withdrawn" | "expired" | "cancelled";
  by: string;
  at: string;
  note?: string;
}
/**
 * An approval with its proposal.
 */
export interface ApprovalView {
  id: string;
  run_id: string;
  session_id: string;
  flow: string;
  step: string;
  state: "pending" | "approved" | "rejected" | "withdrawn" | "expired" | "cancelled";
  proposal_hash: string;
  requested_by: string;
  /**
   * Empty: anyone of the tenant.
   */
  allowed_roles: string[];
  /**
   * The roles that may decide it: the `allowed_roles`, or where it names none, those whose permissions include it.
   */
  deciding_roles?: string[];
  /**
   * Whether whoever reads this may approve it as it stands.
   */
  may_approve?: boolean;
  /**
   * Whether the proposal was made from a sample, since nobody gave inputs. Absent in approvals from before there was a mark.
   */
  sample?: boolean;
  links?: ApprovalViewLinks;
  /**
   * Whoever asked for the run or changed the proposal cannot approve it.
   */
  four_eyes: boolean;
  editors: string[];
  created_at: string;
  expires_at: string;
  on_expiry: "reject" | "escalate";
  /**
   * Null while it is pending.
   */
  winner: null | ApprovalDecidedBy;
  /**
   * Exactly what is to be approved.
   */
  proposal: unknown;
  /**
   * What the flow shows beside it: before, violations, robustness.
   */
  shown: unknown;
  edit?: ApprovalEdit;
}
export interface ApprovalViewLinks {
  self: string;
  decision: string;
  audit: string;
  run: string;
}
export interface ApprovalDecidedBy {
  decision: "approved" | "rejected" | "withdrawn" | "expired" | "cancelled";
  by: string;
  at: string;
  note?: string;
}
/**
 * How the proposal may be changed while it is pending, and so what its entries are; absent where it may not.
 */
export interface ApprovalEdit {
  /**
   * The members of an edit that say where it is made: `item_id` names the element of a list that has it, `tiers.tier` the member of the map `tiers` that is called like the edit's `tier`.
   *
   * @minItems 1
   */
  keys: string[];
  /**
   * The member that an edit sets there.
   */
  set: string;
  /**
   * The shape of the list of edits, as a JSON Schema.
   */
  schema?: {};
  /**
   * Of a call that waits, whose proposal is `{tool, arguments}`: what the tool takes, as a JSON Schema. An edit is `{argument, value}`; without a value the argument is left out.
   */
  arguments?: {};
}
/**
 * The body of POST /api/v1/chat/approve: approves what the run waits for, as it stands.
 */
export interface ApproveRequest {
  thread_id: string;
  note?: string;
}
/**
 * What was done to an approval, oldest first.
 */
export interface AuditList {
  entries: AuditEntryView[];
}
export interface AuditEntryView {
  id: string;
  approval: string;
  action:
    "requested" | "approved" | "rejected" | "withdrawn" | "expired" | "cancelled" | "edited" | "escalated" | "warned";
  by: string;
  at: string;
  proposal_hash: string;
  note?: string;
  /**
   * SHA-256 of the entry's text.
   */
  digest: string;
  /**
   * Binds the entry to all before it.
   */
  link: string;
}
/**
 * The decision log of a tenant, latest first: decisions, and acts of security.
 */
export interface AuditLogView {
  entries: LoggedEntry[];
  /**
   * The `before` of the next page; absent on the last.
   */
  next?: string;
}
export interface LoggedEntry {
  id: string;
  /**
   * Of a decision as GET /api/v1/approvals/{id}/audit has it; of an act of security `act`, `at`, `count`, `resource`, `by`, `code`, `reason`, `from`.
   */
  entry: {
    [k: string]: unknown;
  };
  /**
   * SHA-256 of the entry's text.
   */
  digest: string;
  /**
   * Binds the entry to all before it.
   */
  link: string;
}
/**
 * What each decision of a batch came to, in the order of the request.
 */
export interface BatchDecisionAnswer {
  outcomes: BatchOutcome[];
}
/**
 * A decision as it was recorded; the same decision sent again answers the same.
 */
export interface DecisionAnswer {
  approval_id: string;
  run_id: string;
  decision: "approved" | "rejected" | "withdrawn" | "edited";
  by: string;
  at: string;
  /**
   * After an edit: of the new proposal.
   */
  proposal_hash: string;
}
/**
 * Every error of the gateway. Never repeats a value of the request.
 */
export interface ErrorBody {
  error: string;
  /**
   * Stable. Readers take a code that they do not know by the HTTP status; the examples are all codes of this version.
   */
  code: string;
  retryable: boolean;
  request_id: string;
  [k: string]: unknown;
}
/**
 * The body of POST /api/v1/approvals/decisions.
 */
export interface BatchDecisionRequest {
  /**
   * Each approval once.
   *
   * @minItems 1
   * @maxItems 100
   */
  decisions: BatchedDecision[];
}
export interface BatchedDecision {
  approval_id: string;
  decision: "approve" | "reject";
  note?: string;
  /**
   * Of the proposal that the decision is about.
   */
  proposal_hash: string;
}
/**
 * What publish steps wrote to a book, newest first. Large entries make a page shorter than its `limit`.
 */
export interface BookPage {
  /**
   * The name that publish steps have in `to`.
   */
  book: string;
  entries: BookEntry[];
  /**
   * The `before` of the next page; absent on the last.
   */
  next?: string;
}
export interface BookEntry {
  id: string;
  published_at: string;
  run_id: string;
  /**
   * The publish step. Run and step together have one entry.
   */
  step: string;
  /**
   * Who asked for the run. Absent where that is not known any more.
   */
  requested_by?: string;
  /**
   * Whether it was made from sample inputs and not from anybody's own. Absent in entries from before there was a mark.
   */
  sample?: boolean;
  /**
   * Null where the step needed none.
   */
  approval: null | BookApproval;
  /**
   * What was published.
   */
  payload: unknown;
}
export interface BookApproval {
  id: string;
  decided_by: string;
  decided_at?: string;
  /**
   * Of exactly the proposal that was approved.
   */
  proposal_hash?: string;
}
/**
 * Who the caller is.
 */
export interface CallerView {
  subject: string;
  /**
   * Who vouches for the subject, as the manifest names them; `local` without a token.
   */
  issuer: string;
  tenant: string;
  roles: string[];
  /**
   * When the subject proved who they are.
   */
  authenticated_at?: string;
  may: CallerRights;
}
/**
 * What the caller's roles grant, as far as a user interface shows more or less for it.
 */
export interface CallerRights {
  see_approvals: boolean;
  decide_approvals: boolean;
  administer: boolean;
  /**
   * Whose sessions and runs the caller may read; absent: nobody's.
   */
  sessions?: "own" | "tenant";
}
/**
 * The body of POST /api/v1/chat/cancel.
 */
export interface CancelRequest {
  thread_id: string;
}
/**
 * What was read: `inputs` for messages about prices.
 */
export interface CatalogueReading {
  inputs: {};
  /**
   * The column that each field was read from.
   */
  columns: {
    [k: string]: string;
  };
  /**
   * Columns that nothing was read from.
   */
  unused: string[];
  rows: number;
  summary: string;
}
/**
 * The body of POST /api/v1/catalogue: the inputs of the task that reads a catalogue, whose schema stands on its agent's card.
 */
export interface CatalogueRequest {
  /**
   * A table with a header, one row for each price.
   */
  csv: string;
  /**
   * Columns by field, where their names do not tell.
   */
  columns?: {
    [k: string]: string;
  };
  /**
   * Of all rows, where no column has it.
   */
  elasticity?: number;
  [k: string]: unknown;
}
/**
 * The answer of POST /api/v1/chat without a stream. A run that failed is an error body with `message`, `thread_id`, `session_id`, `model`, `tools_used` and, where a step failed or tools were called, `node` and `tool_lineage` beside it.
 */
export interface ChatAnswer {
  message: string;
  thread_id: string;
  session_id: string;
  model?: string;
  tools_used?: string[];
  warnings?: string[];
  /**
   * What the run made comes of a sample, since nobody gave inputs. Absent where it does not.
   */
  sample?: true;
  refused?: ChatRefused;
  ui_hint?: ChatUiHint;
  /**
   * How often a model was asked that may call tools. Absent where none was.
   */
  rounds?: number;
  /**
   * The rounds ended before the model was done: the answer is what there was until then.
   */
  rounds_exceeded?: true;
  /**
   * The MCP servers whose tools were called.
   */
  mcps_used?: string[];
  /**
   * The calls of tools as they began, each behind those whose results it was given; absent where there was none.
   */
  tool_lineage?: ToolCallRecord[];
  /**
   * Where the manifest has no `answer` for the service or flow: what its agent gave, or by step what the agents of its goals gave. Up to 16 KiB in all.
   */
  outputs?: {};
  /**
   * What of the answer is a table: `outputs.tables` of the agent that answers. Absent where there is none.
   */
  tables?: AnswerTable[];
  /**
   * Steps whose outputs are too large to be repeated here. Their `step_finished` events, or `tool_call` events, have them: GET /api/v1/runs/{id}/events.
   */
  large_outputs?: {
    /**
     * The step.
     */
    node: string;
    /**
     * Of the outputs as JSON.
     */
    bytes: number;
  }[];
  done: true;
  /**
   * How the run came to rest. `rejected`: it ended without the step whose approval was not given.
   */
  status: "ok" | "rejected" | "paused" | "needs_review";
  approval?: ApprovalAsked;
  /**
   * The step that the run waits at.
   */
  node?: string;
}
/**
 * The step that was not done, since it is not what was asked for: see the event `run_finished`.
 */
export interface ChatRefused {
  node: string;
  code: "order_not_met" | "order_not_checked";
  differences: {
    slot: string;
    verdict: string;
    message: string;
  }[];
}
/**
 * How a user interface may let the user answer.
 */
export interface ChatUiHint {
  /**
   * Likely answers: send one as the next message.
   */
  buttons: string[];
}
/**
 * One call of a tool by a run, with what it took and what it came to.
 */
export interface ToolCallRecord {
  /**
   * `<node>.<round>.<call>`: unique in the run, and the call's key in its journal.
   */
  id: string;
  /**
   * Its number among the calls of the run.
   */
  step: number;
  /**
   * The step of the plan.
   */
  node: string;
  round: number;
  /**
   * The calls that it came from.
   */
  parents: ToolCallParent[];
  tool_name: string;
  /**
   * Absent for a task of an agent of the mesh.
   */
  mcp_server?: string;
  /**
   * Of a task of the mesh.
   */
  agent?: string;
  /**
   * Absent, as `result_summary` and `output` are, where the lineage is encrypted, or not kept.
   */
  input?: {};
  result_summary?: string;
  /**
   * What it came to; absent where that is larger than 16 KiB: `GET /api/v1/runs/{id}/lineage` has it.
   */
  output?: unknown;
  /**
   * What of the result, and of what it links to, is no text: `GET /api/v1/runs/{id}/artifacts?artifact=<id>` has it.
   */
  artifacts?: ToolArtifact[];
  /**
   * Where `output` is absent.
   */
  output_bytes?: number;
  /**
   * When it began.
   */
  timestamp: string;
  duration_ms: number;
  /**
   * `run`: this run had made the same call before. Otherwise as X-Cache has it.
   */
  cached: "hit" | "miss" | "shared" | "bypass" | "run";
  /**
   * `error`: the tool says that it failed. `failed`: there is no result. `refused`: it was not called.
   */
  outcome: "ok" | "error" | "invalid_arguments" | "failed" | "refused";
  /**
   * Why there is no result.
   */
  code?: string;
  /**
   * By which it was approved.
   */
  approval_id?: string;
}
export interface ToolCallParent {
  id: string;
  /**
   * `data`: an argument holds a value of that call's result. `round`: the model had its result.
   */
  by: "data" | "round";
}
export interface ToolArtifact {
  id: string;
  content_type: string;
  bytes: number;
}
export interface ApprovalAsked {
  id: string;
  roles: string[];
  proposal_hash: string;
  expires_in_s: number;
}
/**
 * The data of one event of the chat dialect. `message` and `done: true` come once, last; a stream that ends without them has failed. A run that rests (`paused`, `needs_review`) ends its stream too; read again after it went on, that event is an ordinary one, `done: false`.
 */
export interface ChatEvent {
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  done: boolean;
  /**
   * The run's id; stands in the first event and in the last.
   */
  thread_id?: string;
  /**
   * The step that the event is about.
   */
  node?: string;
  model?: string;
  /**
   * The next piece of generated text.
   */
  token?: string;
  tool_call?: ChatToolCall;
  /**
   * What an agent sent as its progress: any JSON value. Or the gateway's own: an object with `stage` (`started`, `plan`, `repair`, `warning`) and what belongs to it.
   */
  progress?: unknown;
  /**
   * The answer to the turn.
   */
  message?: string;
  /**
   * How often a model was asked that may call tools. Absent where none was.
   */
  rounds?: number;
  /**
   * The rounds ended before the model was done: the answer is what there was until then.
   */
  rounds_exceeded?: true;
  /**
   * The MCP servers whose tools were called.
   */
  mcps_used?: string[];
  /**
   * The calls of tools as they began, each behind those whose results it was given; absent where there was none.
   */
  tool_lineage?: ToolCallRecord[];
  tools_used?: string[];
  warnings?: string[];
  /**
   * What the run made comes of a sample, since nobody gave inputs. Absent where it does not.
   */
  sample?: true;
  refused?: ChatEventRefused;
  ui_hint?: ChatUiHint1;
  /**
   * Where the manifest has no `answer` for the service or flow: what its agent gave, or by step what the agents of its goals gave. Up to 16 KiB in all.
   */
  outputs?: {};
  /**
   * What of the answer is a table: `outputs.tables` of the agent that answers. Absent where there is none.
   */
  tables?: AnswerTable[];
  /**
   * Steps whose outputs are too large to be repeated here. Their `step_finished` events, or `tool_call` events, have them: GET /api/v1/runs/{id}/events.
   */
  large_outputs?: {
    /**
     * The step.
     */
    node: string;
    /**
     * Of the outputs as JSON.
     */
    bytes: number;
  }[];
  error?: string;
  code?: string;
  retryable?: boolean;
  /**
   * The agent's own code, where an agent failed honestly.
   */
  agent_code?: string;
  /**
   * When to come back, where a remote gateway says so.
   */
  retry_after_s?: number;
  /**
   * How the run came to rest; stands in the last event. `rejected`: it ended without the step whose approval was not given.
   */
  status?: "ok" | "rejected" | "paused" | "needs_review" | "error" | "cancelled";
  approval?: ApprovalAsk;
}
export interface ChatToolCall {
  name: string;
  status: "started" | "ok" | "error";
  agent: string;
  attempt?: number;
  duration_ms?: number;
  warnings?: string[];
  /**
   * What the flow shows of the step's outputs; all of them where the run answers with outputs.
   */
  outputs?: unknown;
  /**
   * The run goes on without this step.
   */
  optional?: boolean;
  code?: string;
  error?: string;
}
/**
 * The step that was not done, since it is not what was asked for: see the event `run_finished`.
 */
export interface ChatEventRefused {
  node: string;
  code: "order_not_met" | "order_not_checked";
  differences: {
    slot: string;
    verdict: string;
    message: string;
  }[];
}
/**
 * How a user interface may let the user answer.
 */
export interface ChatUiHint1 {
  /**
   * Likely answers: send one as the next message.
   */
  buttons: string[];
}
export interface ApprovalAsk {
  id: string;
  roles: string[];
  proposal_hash: string;
  expires_in_s: number;
}
/**
 * Whether this replica can answer a chat now.
 */
export interface ChatHealth {
  status: "ok" | "degraded";
  model: string;
  tools_count: number;
  time: string;
}
/**
 * The body of POST /api/v1/chat.
 */
export interface ChatRequest {
  /**
   * At most as many characters (code points) as MAX_MESSAGE_CHARS of the gateway says, 4,000 where it is not set. Control characters other than tab and line breaks are refused, and so is a message that tries to change what the assistant may do (AGT_004).
   */
  message: string;
  /**
   * The conversation this turn belongs to; made on first use.
   */
  session_id: string;
  /**
   * The caller's own name for the conversation, kept with the turn.
   */
  conversation_id?: string;
  /**
   * Inputs of the services asked for; without them a flow uses its default inputs.
   */
  inputs?: {
    [k: string]: unknown;
  };
}
/**
 * What the dialogues of a session changed in the world, each effect once, oldest first.
 */
export interface CompletedList {
  session_id: string;
  completed: CompletedEntry[];
}
export interface CompletedEntry {
  /**
   * The agent's own id of the effect.
   */
  id: string;
  /**
   * Such as transfer.
   */
  kind: string;
  service: string;
  run_id: string;
  at: string;
  [k: string]: unknown;
}
/**
 * A request for a model's answer, as OpenAI's chat completions have it. What the gateway would not pass on is refused, not ignored.
 */
export interface CompletionRequest {
  /**
   * A name of the manifest's; by default its default model. An override or an experiment of the manifest goes before it.
   */
  model?: string;
  /**
   * @minItems 1
   * @maxItems 1000
   */
  messages: CompletionMessage[];
  stream?: boolean;
  stream_options?: {
    include_usage?: boolean;
  };
  /**
   * At most; the manifest's limit stands where it is less.
   */
  max_tokens?: number;
  /**
   * The newer name of max_tokens.
   */
  max_completion_tokens?: number;
  temperature?: number;
  n?: 1;
  /**
   * @maxItems 128
   */
  tools?: {
    type: "function";
    function: {
      name: string;
      description?: string;
      /**
       * A JSON Schema.
       */
      parameters?: {};
    };
  }[];
  tool_choice?: "auto" | "none";
  response_format?: {
    type: "text" | "json_object" | "json_schema";
    json_schema?: {
      schema: {};
    };
  };
  /**
   * Not used: the caller is whoever the token says.
   */
  user?: string;
  /**
   * The model that is chosen answers, or nobody does.
   */
  disable_fallbacks?: boolean;
}
export interface CompletionMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  /**
   * A text, or parts of text.
   */
  content?:
    | string
    | null
    | {
        type: "text";
        text: string;
      }[];
  name?: string;
  refusal?: null;
  /**
   * Of the call that this message answers.
   */
  tool_call_id?: string;
  tool_calls?: {
    id: string;
    type: "function";
    function: {
      name: string;
      /**
       * JSON.
       */
      arguments: string;
    };
  }[];
}
/**
 * The body of POST /api/v1/approvals/{id}/decision.
 */
export interface DecisionRequest {
  decision: "approve" | "reject" | "edit";
  note?: string;
  /**
   * For an edit: a list of changes, each of which names the entry of the proposal that it changes, as the flow's edit rule says.
   */
  edits?: unknown;
  /**
   * Of the proposal that the decision is about.
   */
  proposal_hash: string;
}
/**
 * What was erased. Asked again, it erases what has come since.
 */
export interface ErasureAnswer {
  /**
   * Of the entry in the decision log.
   */
  erasure_id: string;
  /**
   * HMAC-SHA-256 of issuer:subject, by which the log names the person.
   */
  subject_digest: string;
  at: string;
  runs: number;
  sessions: number;
  ratings: number;
}
/**
 * The body of POST /api/v1/admin/erasures: whose data, in the tenant of the administrator.
 */
export interface ErasureRequest {
  subject: string;
  /**
   * The manifest's name of the issuer; local for who asks without a token.
   */
  issuer: string;
}
/**
 * What users of the tenant said, latest first, with averages over all that is kept.
 */
export interface FeedbackList {
  feedback: FeedbackView[];
  averages: FeedbackAverages;
  /**
   * The `before` of the next page.
   */
  next?: string;
}
/**
 * What a user said of a turn.
 */
export interface FeedbackView {
  turn_id: string;
  session_id: string;
  user_id: string;
  rating: number;
  comment?: string;
  intent: string;
  tools: string[];
  timestamp: string;
}
export interface FeedbackAverages {
  count: number;
  /**
   * Absent without feedback.
   */
  average?: number;
  /**
   * By the tools that the turn called, most feedback first.
   */
  by_tool: ToolAverage[];
  /**
   * By what the turn asked for.
   */
  by_intent: IntentAverage[];
}
export interface ToolAverage {
  name: string;
  count: number;
  average: number;
}
export interface IntentAverage {
  name: string;
  count: number;
  average: number;
}
/**
 * The body of POST /feedback: what its user says of a turn. A second one replaces the first.
 */
export interface FeedbackRequest {
  turn_id: string;
  session_id: string;
  rating: number;
  comment?: string;
  /**
   * The caller's own subject; another one is refused.
   */
  user_id?: string;
}
/**
 * The answer of GET /healthz and GET /readyz.
 */
export interface GatewayHealth {
  status: "ok" | "ready" | "not_ready";
  /**
   * Of GET /readyz: whether Redis answers this replica. While it is away the replica stays ready, and answers 503 `store_unavailable`.
   */
  store?: "ok" | "away";
  /**
   * Of GET /readyz: the longest time in the last minute for which the event loop was held. Told to programs of the gateway's machine only.
   */
  loop_stall_ms?: number;
  /**
   * Of GET /readyz: names the version of the manifest that counts for new requests. Told to programs of the gateway's machine only.
   */
  edition?: string;
}
/**
 * The public keys that verify what the gateway signs (RFC 7517). The first one signs now.
 */
export interface KeySet {
  /**
   * @minItems 1
   */
  keys: PublicKey[];
}
export interface PublicKey {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  kid: string;
  alg: "EdDSA";
  use: "sig";
}
/**
 * The MCP servers of which the caller may use something.
 */
export interface McpList {
  mcps: ListedMcp[];
  count: number;
}
export interface ListedMcp {
  id: string;
  name: string;
  description: string;
  /**
   * Its address. For administrators alone.
   */
  endpoint?: string;
  /**
   * The tools that the caller may call.
   */
  tools: string[];
  /**
   * Tools of which nobody has accepted the present definition. They cannot be called.
   */
  quarantined: string[];
  status: "unknown" | "ready" | "unavailable";
  /**
   * Whether it is ready.
   */
  enabled: boolean;
}
/**
 * The tools of MCP servers that the caller may call.
 */
export interface McpToolList {
  tools: ListedMcpTool[];
  count: number;
}
export interface ListedMcpTool {
  /**
   * <server>.<tool>
   */
  name: string;
  /**
   * In the server's words.
   */
  description: string;
  mcp_id: string;
  /**
   * The JSON Schema of the arguments, in the server's words.
   */
  parameters: {};
  /**
   * Whether it changes nothing.
   */
  reads: boolean;
  /**
   * Whether its server is ready.
   */
  available: boolean;
  /**
   * What the tool is suspected of. shadows: its name reads like that of another tool. addresses_model: its description speaks to a model rather than of the tool. hidden_text: it has characters that nobody sees.
   */
  flags: ("shadows" | "addresses_model" | "hidden_text")[];
}
/**
 * The manifest of a mesh: mesh.yaml after its variables were put in.
 */
export interface MeshManifest {
  /**
   * The agents, by name.
   */
  agents: {
    [k: string]: MeshAgent;
  };
  /**
   * What takes several steps, by name.
   */
  flows?: {
    [k: string]: MeshFlow;
  };
  /**
   * What people and programs can ask for, by name.
   */
  services?: {
    [k: string]: MeshService;
  };
  /**
   * The service of a message that matches none; absent: the general text answers it.
   */
  default_service?: string;
  /**
   * What callers reach directly under /api/v1/<name>: a task by POST, whose inputs are the body and whose outputs the answer; a book by GET, newest entry first.
   */
  endpoints?: {
    [k: string]: MeshEndpoint;
  };
  general?: MeshText4;
  models?: MeshModels;
  egress?: MeshEgress;
  limits?: MeshQuotas;
  access?: MeshAccess;
  identity?: MeshIdentity;
  tools?: MeshTools;
  peers?: MeshPeers;
  /**
   * How long the store keeps what is a tenant's, by tenant: sessions, runs and their logs.
   */
  retention?: {
    [k: string]: MeshRetention;
  };
  /**
   * Receivers that are told of approvals and of failed runs, by name.
   */
  webhooks?: {
    [k: string]: MeshWebhook;
  };
}
export interface MeshAgent {
  /**
   * Its address. Paths of the contract are added to it.
   */
  url: string;
  /**
   * What it is for, for lists and models.
   */
  description?: string;
  /**
   * a2a: an agent of somebody else, at the address of its JSON-RPC interface. Each task is called like a skill of its card.
   */
  protocol?: "agent/v1" | "a2a";
  label?: MeshText;
  /**
   * signed: each request carries a short-lived token, signed by the gateway, that says on whose behalf and for which run and step it is sent. See GET /.well-known/jwks.json.
   */
  identity?: "none" | "signed";
  /**
   * Task type → what it does. These are its tools, in lower case.
   */
  tasks: {
    /**
     * What the task does, in a sentence.
     */
    [k: string]: string;
  };
  /**
   * How `npm start` starts the agent on this machine: the program and its arguments. It gets HOST and PORT of `url`, which has to be a loopback address. For development alone: gateways never start anything.
   *
   * @minItems 1
   */
  command?: string[];
  /**
   * Where the command runs, beside the manifest. Default: where the manifest is.
   */
  cwd?: string;
  /**
   * More of the command's environment.
   */
  env?: {
    [k: string]: string;
  };
  /**
   * Task → JSON Schema (2020-12) of its outputs, here or in a JSON file beside the manifest. Outputs that break it are asked for once more, under another Idempotency-Key; if they break it again, the step fails as upstream_invalid. The task of a step with an effect is not asked for again.
   */
  outputs?: {
    [k: string]: string | {};
  };
  limits?: MeshLimits;
}
/**
 * How long requests to it may take, and how often they are sent.
 */
export interface MeshLimits {
  /**
   * Time for one task, repeated requests included. Absent: 30 s.
   */
  timeout_ms?: number;
  /**
   * Times that a request is sent again where that is safe. Absent: 1.
   */
  retries?: number;
  /**
   * The pause before the first repetition; later ones are longer. Absent: 200.
   */
  backoff_ms?: number;
  /**
   * The largest event or answer. Absent: 1 MiB.
   */
  max_event_bytes?: number;
  /**
   * Most requests that one gateway sends to the agent at once. The gateway begins with it and lowers its limit when the agent's latency shows that requests wait for each other. Without it the gateway begins with 4 and learns, up to 1000. More requests wait in a queue.
   */
  max_concurrency?: number;
}
export interface MeshFlow {
  /**
   * What it is for, for lists and models.
   */
  description?: string;
  /**
   * Time for a run, without the time in which it waits for approvals. Absent: 3 minutes.
   */
  timeout_ms?: number;
  /**
   * A JSON file with an object, or a CSV file (`.csv`) whose rows become inputs; relative to the manifest.
   */
  default_inputs?: string;
  table?: MeshTable;
  /**
   * Models of what people ask the flow for, one for each language: JSON files, relative to the manifest. Their categories are goals of the flow, `plan` for several goals, and `general` for none. Without them keywords decide.
   *
   * @minItems 1
   */
  intents?: string[];
  /**
   * Categories of the models for what the flow knows nothing of: the user is asked what is meant. A category that is neither a goal nor one of these is answered by the general text.
   */
  unclear?: string[];
  /**
   * The member of the inputs that holds their name, for answers.
   */
  inputs_name?: string;
  default_inputs_name?: MeshText1;
  /**
   * The steps that make what a conversation calls the proposal. Later turns of the session explain, test or publish their results as they are.
   *
   * @minItems 1
   */
  proposal?: string[];
  /**
   * The input fields that the flow takes; a request with another one is refused. Absent: any.
   *
   * @minItems 1
   */
  accepts?: string[];
  /**
   * Its steps, by name. A step has one of `agent`, `tool`, `publish` and `render`.
   */
  steps: {
    [k: string]: MeshStep;
  };
  /**
   * Service → the steps it asks for.
   */
  goals: {
    /**
     * @minItems 1
     */
    [k: string]: string[];
  };
  /**
   * The goals of a request that names none. Absent: all.
   */
  default_goals?: string[];
  /**
   * The step whose text answers the turn; it belongs to every plan. Without it the answer has the outputs of the goals' steps, and a text of them.
   */
  answer?: string;
  /**
   * What a message can say that constrains the flow. Echoed in this order.
   */
  slots?: {
    [k: string]: MeshSlot;
  };
  /**
   * What questions look up in the inputs and in the results of the proposal's steps. An operand is declared above what is made of it.
   */
  measures?: {
    [k: string]: MeshMeasure;
  };
  slot_words?: MeshSlotWords;
}
/**
 * How the rows of a CSV file in `default_inputs` become inputs. Absent: each is an element of `rows`, with a field for each column.
 */
export interface MeshTable {
  /**
   * The member of the inputs that holds the elements. Absent: `rows`.
   */
  rows?: string;
  /**
   * The field whose rows of one value make one element together. Absent: each row makes one.
   */
  key?: string;
  /**
   * Columns by field, where their names do not tell.
   */
  columns?: {
    [k: string]: string;
  };
  /**
   * Other members of the inputs.
   */
  with?: {};
  /**
   * What columns can be for. Absent: each is for a field of its name, in lower case with underscores.
   */
  fields?: {
    [k: string]: MeshTableField;
  };
}
export interface MeshTableField {
  /**
   * Names that its column may have beside the field's own, without case, spaces and punctuation.
   */
  columns?: string[];
  /**
   * What its cells are; another one is an error. Absent: what all of them are, or text.
   */
  kind?: "number" | "text" | "flag";
  /**
   * Whether an absent column, and an empty cell, is an error. Absent: the row then lacks the field.
   */
  needed?: boolean;
  /**
   * Its value where there is no column, or the cell is empty.
   */
  otherwise?: string | number | boolean;
  /**
   * Where in an element it goes, as `tiers.{tier}.price`: names, and fields whose values are the names. Absent: under its own name; an empty list: nowhere, but into other paths.
   */
  to?: string | string[];
  /**
   * Its values become the list `as` of the inputs, first the one whose rows have the highest mean of the field `by`, unless `with` has that list.
   */
  order?: {
    as: string;
    by: string;
  };
}
/**
 * Asks the agent again while a condition holds.
 */
export interface MeshRepair {
  /**
   * CEL over {outputs, inputs, rounds, request, steps}: whether the step is asked again.
   */
  when: string;
  /**
   * The inputs of the next round, over {inputs, outputs, rounds, request, steps}.
   */
  inputs: unknown;
  /**
   * Most times that it is asked again. Absent: 3.
   */
  max_rounds?: number;
}
/**
 * Who must decide before the step.
 */
export interface MeshApproval {
  /**
   * CEL over {request, steps, constraints}: whether the step has to be approved. What cannot be told counts as yes. Absent: always.
   */
  when?: string;
  /**
   * Exactly what is to be approved, over {request, steps, constraints}.
   */
  proposal: unknown;
  /**
   * What the approver sees beside the proposal, over {request, steps, constraints}.
   */
  show?: unknown;
  /**
   * Who may decide, of those whose role grants it. Absent: all of these.
   *
   * @minItems 1
   */
  roles?: string[];
  /**
   * Whoever asked for the run, or edited its proposal, may not approve it.
   */
  four_eyes?: boolean;
  /**
   * Seconds since the caller proved who they are; a decision after that is refused with 401. Absent: any.
   */
  max_age?: number;
  /**
   * Seconds until an undecided approval expires. Absent: a day.
   */
  expires_in_s?: number;
  /**
   * Seconds before that when it is warned. Absent: a tenth of them.
   */
  warn_before_s?: number;
  /**
   * What an expiry does. Absent: reject.
   */
  on_expiry?: "reject" | "escalate";
  /**
   * The roles that decide after an escalation.
   *
   * @minItems 1
   */
  escalate_to?: string[];
  edit?: MeshApprovalEdit;
}
/**
 * How the proposal may be changed while it is pending.
 */
export interface MeshApprovalEdit {
  /**
   * JSON Schema (2020-12) of the edits. Absent: any JSON value.
   */
  schema?: {
    [k: string]: unknown;
  };
  check: MeshCheck;
  /**
   * By which members of an edit its place in the proposal is found: `item_id` is the element of a list that has the same, `tiers.tier` the member of the map `tiers` that is called like the edit's `tier`. An edit without such a place is refused.
   *
   * @minItems 1
   * @maxItems 4
   */
  keys: string[];
  /**
   * The member that an edit sets there.
   */
  set: string;
}
/**
 * A task that judges what is to take effect.
 */
export interface MeshCheck {
  /**
   * The agent that judges.
   */
  agent: string;
  /**
   * The task that judges.
   */
  task_type: string;
  /**
   * The inputs of the task, over {request, steps, constraints, proposal}.
   */
  inputs: unknown;
  /**
   * CEL over {outputs}: whether the proposal may take effect. What cannot be told counts as no.
   */
  accept: string;
}
/**
 * The task that judges what an effect would do (`proposal`) against what was said (`constraints`), before an approval is asked for and before the effect. Its outputs have `verdicts`: [{slot, verdict, message}], one or more for each constraint. `kept` passes, and so does `not_checkable` for a slot with `checkable: false`.
 */
export interface MeshVerify {
  /**
   * The agent that judges, another than the one that made the proposal.
   */
  agent: string;
  /**
   * The task that judges.
   */
  task_type: string;
  /**
   * The inputs of the task, over {request, steps, constraints, proposal}.
   */
  inputs: unknown;
  /**
   * A condition in CEL over {outputs}: whether the effect may happen.
   */
  accept: string;
  part?: MeshVerifyPart;
}
/**
 * What a button offers where the proposal is a part of what was asked for: the message `say`, with the names of the part for `{names}`.
 */
export interface MeshVerifyPart {
  /**
   * The names of that part, over {outputs}; nothing where there is none.
   */
  names: unknown;
  say: MeshText2;
}
export interface MeshSlot {
  /**
   * What its values are.
   */
  kind: "entity" | "enum" | "choice" | "percent" | "money" | "number" | "count" | "flag" | "date";
  label: MeshText2;
  echo?: MeshText2;
  /**
   * Paths of the inputs, through arrays, with the entities or values.
   *
   * @minItems 1
   */
  from?: string[];
  /**
   * The values are the names of the members at the paths.
   */
  keys?: boolean;
  /**
   * The member of an entity with its id.
   */
  id?: string;
  /**
   * Members of an entity with other names of it.
   */
  names?: string[];
  /**
   * Words for what the slot is about.
   */
  nouns?: string[];
  /**
   * Words that lead to a value of a choice, a count or a flag.
   */
  cues?: string[];
  /**
   * Values and their synonyms. A flag may have `false`: the words for what it leaves out.
   */
  values?: {
    [k: string]: string[];
  };
  behind?: MeshSlotBehind;
  /**
   * Values and synonyms that are ordinary words too, and count only beside a word that makes them a value.
   */
  ordinary?: string[];
  /**
   * Phrases that stand for an amount.
   */
  phrases?: {
    [k: string]: number;
  };
  /**
   * What an amount is: the most or the least that is allowed, or a change up or down.
   */
  reads?: "most" | "least" | "change";
  /**
   * Takes the amounts whose noun is not said.
   */
  implicit?: boolean;
  /**
   * Answers that a question offers.
   *
   * @minItems 1
   * @maxItems 3
   */
  suggest?: number[];
  /**
   * The member of the inputs that takes the value as it is. `bind` sees the slots without one.
   */
  input?: string;
  /**
   * The services that can apply it; absent: all.
   *
   * @minItems 1
   */
  applies_to?: string[];
  /**
   * Slots of earlier messages that do not hold where this one is said: a limit to price changes says nothing of "what if prices fall by 6 %". The answer names them as not applied.
   *
   * @minItems 1
   */
  sets_aside?: string[];
  /**
   * It selects from the results of a run, so no inputs show it.
   */
  from_results?: boolean;
  /**
   * false: what takes effect cannot show it, so that a `verify` task may answer `not_checkable`.
   */
  checkable?: boolean;
}
/**
 * Values of another slot that are this one's where they stand behind some words: "compared with last month" is no period.
 */
export interface MeshSlotBehind {
  slot: string;
  /**
   * Those of the other slot, with their synonyms.
   *
   * @minItems 1
   */
  values: string[];
  /**
   * What such a value is called here.
   */
  named: string;
  /**
   * How it is said; those in Korean with names in Korean.
   *
   * @minItems 1
   */
  said: string[];
}
/**
 * Phrases that name it with a condition: `lose money` of a profit below 0.
 */
export interface MeshMeasurePhrases {
  negative?: MeshPhrases1;
  positive?: MeshPhrases1;
  zero?: MeshPhrases1;
  nonzero?: MeshPhrases1;
}
/**
 * Words that matter for the slots but are none of their values.
 */
export interface MeshSlotWords {
  /**
   * Subjects that people constrain and no slot has.
   */
  unsupported?: string[];
  /**
   * What the flow keeps anyway, and what a message can be about instead of a constraint.
   */
  neutral?: string[];
  /**
   * Phrases that contain a value and do not mean it.
   */
  decoys?: string[];
}
/**
 * The task holds a dialogue: its inputs and outputs are DialogueTurn and DialogueAnswer of the agent contract, and the session keeps its state from turn to turn.
 */
export interface MeshDialogue {
  /**
   * A larger state fails the turn, and the one before stays.
   */
  max_state_bytes?: number;
  /**
   * Entries of the conversation that the agent gets.
   */
  history_turns?: number;
}
/**
 * Another gateway, which speaks this gateway's API, performs the service.
 */
export interface MeshRemote {
  url: string;
  /**
   * forward: the caller's own token goes along. exchange: a token of this gateway, signed for the remote one, says on whose behalf it asks; the remote gateway lists this one among its issuers. none: the remote gateway sees no caller.
   */
  identity?: "none" | "forward" | "exchange";
  timeout_ms?: number;
}
/**
 * The verbs with which a message orders what changes something outside, by language: `publish`, `put … live`. A message that does not order it clearly, with one of them, is asked back; without any, each message is.
 */
export interface MeshOrders {
  en?: MeshOrderWords;
  ko?: MeshOrderWords;
}
/**
 * The language models, and who may use which.
 */
export interface MeshModels {
  /**
   * The model of a request that names none.
   */
  default: string;
  /**
   * The models that requests may name.
   *
   * @minItems 1
   */
  allow: string[];
  /**
   * Service or task → its default model, or its model and how it is asked.
   */
  tasks?: {
    [k: string]: string | MeshModelTask;
  };
  /**
   * Where models are, by the name that models use.
   */
  providers?: {
    [k: string]: MeshModelProvider;
  };
  /**
   * The models that the gateway itself asks, by the name that `allow` and requests use. A name of `allow` that is not here is one that agents know. `rules` is built in: no model is asked.
   */
  models?: {
    [k: string]: MeshModel;
  };
  /**
   * The administrator's choice; goes before all else.
   */
  override?: string;
  /**
   * Shares of conversations that get another model.
   */
  experiments?: MeshExperiment[];
}
/**
 * What is absent is as the model has it.
 */
export interface MeshModelTask {
  /**
   * The model for it.
   */
  model?: string;
  /**
   * How much its answers vary.
   */
  temperature?: number;
  /**
   * The longest answer.
   */
  max_tokens?: number;
  /**
   * Time for an answer.
   */
  timeout_ms?: number;
  /**
   * Time for the first token; then the next fallback is asked.
   */
  first_token_ms?: number;
  /**
   * Times that a request is sent again.
   */
  retries?: number;
  /**
   * Models that are asked in turn where it fails.
   */
  fallbacks?: string[];
  /**
   * Of the task `wording`: the most sentences ahead of a report (default 5).
   */
  max_sentences?: number;
}
export interface MeshModelProvider {
  /**
   * Whose API it has.
   */
  kind: "openai" | "openai_compatible" | "azure" | "anthropic" | "google" | "vertex";
  /**
   * What the paths of the provider's API are appended to. Absent: the provider's public address; openai_compatible and azure have none, and vertex needs project and location instead.
   */
  base_url?: string;
  /**
   * The variable that holds the API key; `<name>_FILE` may name a file instead. For vertex an API key, or the JSON of a service account. Absent: requests carry no key.
   */
  key_env?: string;
  /**
   * For vertex.
   */
  project?: string;
  /**
   * For vertex.
   */
  location?: string;
  /**
   * For openai_compatible: whether the server takes a JSON Schema for its answer (default true). Without, it is asked for JSON, and the gateway alone checks the schema.
   */
  structured_outputs?: boolean;
}
export interface MeshModel {
  /**
   * The name of a provider above.
   */
  provider: string;
  /**
   * The provider's own name of it; for azure the deployment's.
   */
  model: string;
  prices?: MeshModelPrices;
  /**
   * How much its answers vary.
   */
  temperature?: number;
  /**
   * Most tokens of one answer, reasoning included (default 2048). It bounds what a call reserves of the budget.
   */
  max_tokens?: number;
  /**
   * The whole of one attempt (default 30000).
   */
  timeout_ms?: number;
  /**
   * Until the first token of a streamed attempt (default 10000).
   */
  first_token_ms?: number;
  /**
   * Attempts after the first, before the first fallback (default 1).
   */
  retries?: number;
  /**
   * Models that answer instead, in order.
   */
  fallbacks?: string[];
  budget?: MeshModelBudget;
}
/**
 * US dollars for a million tokens.
 */
export interface MeshModelPrices {
  /**
   * US dollars for a million input tokens.
   */
  input: number;
  /**
   * Of input that the provider had in its cache; absent: as input.
   */
  cached_input?: number;
  /**
   * US dollars for a million output tokens.
   */
  output: number;
  /**
   * Of output that the model thought and did not say; absent: as output.
   */
  reasoning?: number;
}
/**
 * What may be spent on the model in a day (UTC), by all replicas together. Parallel calls overspend it by at most one call.
 */
export interface MeshModelBudget {
  /**
   * US dollars a tenant may spend in a day (UTC).
   */
  usd_per_day?: number;
  /**
   * Tokens a tenant may use in a day (UTC).
   */
  tokens_per_day?: number;
  /**
   * mesh (default): of all tenants together. tenant: each has as much.
   */
  scope?: "mesh" | "tenant";
}
export interface MeshExperiment {
  name: string;
  model: string;
  share: number;
}
/**
 * Where the gateway may connect to, beside the public internet.
 */
export interface MeshEgress {
  /**
   * Ranges of addresses (10.0.0.0/8, ::1) and names of hosts (agents.internal, *.agents.internal) that may be private, several to an entry where commas separate them. Link-local addresses and metadata services are refused always. Without the section a gateway that is bound to the loopback interface may connect to that interface.
   *
   * @maxItems 256
   */
  allow?: string[];
}
/**
 * How much callers may ask for: requests of one subject, of one tenant and of all tenants (global). What is absent is not limited.
 */
export interface MeshQuotas {
  subject?: MeshRate;
  tenant?: MeshRate1;
  global?: MeshRate2;
  /**
   * By agent: what may be sent to it on behalf of one tenant.
   */
  agents?: {
    [k: string]: MeshRate3;
  };
  /**
   * By tool, a task type in lower case: how often it may be used on behalf of one tenant.
   */
  tools?: {
    [k: string]: MeshRate3;
  };
  /**
   * Tokens of models that one tenant may use up in a day (UTC), as agents report them.
   */
  tokens_per_day?: number;
}
/**
 * Requests of one subject.
 */
export interface MeshRate {
  /**
   * Requests in a window.
   */
  points: number;
  /**
   * Seconds of a window. It begins with its first request.
   */
  per_s: number;
}
/**
 * Requests of one tenant.
 */
export interface MeshRate1 {
  /**
   * Requests in a window.
   */
  points: number;
  /**
   * Seconds of a window. It begins with its first request.
   */
  per_s: number;
}
/**
 * Requests of all tenants.
 */
export interface MeshRate2 {
  /**
   * Requests in a window.
   */
  points: number;
  /**
   * Seconds of a window. It begins with its first request.
   */
  per_s: number;
}
export interface MeshRate3 {
  /**
   * Requests in a window.
   */
  points: number;
  /**
   * Seconds of a window. It begins with its first request.
   */
  per_s: number;
}
/**
 * Who may do what. What no role of a caller grants is refused. The roles viewer, analyst, pricing_approver, operator and admin are there without being declared.
 */
export interface MeshAccess {
  /**
   * A role of this name replaces a built-in one.
   */
  roles: {
    [k: string]: MeshRole;
  };
}
/**
 * In names, `*` at the end of a segment stands for any rest of it; `*` alone for every name.
 */
export interface MeshRole {
  /**
   * Roles all of whose permissions this one has too.
   */
  inherits?: string[];
  agents?: MeshNames;
  tasks?: MeshPairs;
  flows?: MeshNames1;
  goals?: MeshPairs1;
  services?: MeshNames2;
  tools?: MeshNames3;
  models?: MeshNames4;
  books?: MeshNames5;
  approvals?: MeshRoleApprovals;
  /**
   * Whose sessions and runs may be read, and whose runs cancelled.
   */
  sessions?: "own" | "tenant";
  /**
   * Everything in the tenant. An approval that names roles still wants one of them.
   */
  admin?: boolean;
  /**
   * Field → the values of the rows that agents may use. A field that any role of a caller restricts is restricted; the values of all his roles are allowed, and `*` is every value.
   */
  rows?: {
    /**
     * @minItems 1
     */
    [k: string]: string[];
  };
}
/**
 * Approvals that it may read and decide.
 */
export interface MeshRoleApprovals {
  view?: MeshPairs2;
  decide?: MeshPairs3;
}
/**
 * Who vouches for callers.
 */
export interface MeshIdentity {
  issuers?: {
    [k: string]: MeshIssuer;
  };
}
export interface MeshIssuer {
  /**
   * What tokens have as `iss`, to the letter.
   */
  issuer: string;
  /**
   * What tokens may have as `aud`.
   *
   * @minItems 1
   */
  audience: string[];
  keys?: MeshIssuerKeys;
  /**
   * Default: RS256, PS256, ES256, EdDSA. With a shared secret it is HS256 and nothing else.
   *
   * @minItems 1
   */
  algorithms?: ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA")[];
  /**
   * What tokens may have as `typ`. Default: JWT, at+jwt.
   *
   * @minItems 1
   */
  types?: string[];
  sign_in?: MeshSignIn;
  /**
   * Seconds after which keys are fetched again. Default: 300.
   */
  cache_s?: number;
  /**
   * Seconds for which older keys still count when the issuer is away. Default: 3600.
   */
  stale_s?: number;
  claims?: MeshClaims;
}
/**
 * Where the keys are. Absent: where the issuer's discovery document says.
 */
export interface MeshIssuerKeys {
  /**
   * A JWKS.
   */
  url?: string;
  /**
   * A JWKS, beside the manifest.
   */
  file?: string;
  /**
   * The variable that holds a shared secret of at least 32 bytes, for HS256.
   */
  secret_env?: string;
}
/**
 * How people sign in to the console: as which client of this issuer the gateway asks for their tokens.
 */
export interface MeshSignIn {
  client_id: string;
  /**
   * The variable that holds the client's secret. Absent: a public client, with PKCE alone.
   */
  secret_env?: string;
  /**
   * Default: openid offline_access.
   */
  scope?: string;
  /**
   * Which of the issuer's tokens says who it is. Default: access_token, which then has to be a JWT for this mesh.
   */
  token?: "access_token" | "id_token";
  /**
   * What the issuer wants to know besides, such as `audience` or `resource`.
   */
  parameters?: {
    [k: string]: string;
  };
}
/**
 * Where a token says who its subject is. A claim is named as it is, or by a JSON Pointer.
 */
export interface MeshClaims {
  /**
   * Default: sub.
   */
  subject?: string;
  /**
   * The first that yields something counts. Default: the claim `tenant`.
   *
   * @minItems 1
   */
  tenant?: MeshClaimSource[];
  /**
   * All of them count. Default: the claim `roles`.
   *
   * @minItems 1
   */
  roles?: MeshClaimSource[];
}
/**
 * The MCP servers of the mesh. Their tools are called <server>.<tool>.
 */
export interface MeshTools {
  /**
   * A tool is offered only as it was accepted: see `npm run -s tools`.
   */
  pin?: boolean;
  /**
   * The JSON file of the accepted definitions, beside the manifest. Default: tools.accepted.json.
   */
  accepted?: string;
  /**
   * Megabytes of results that one gateway keeps (default 32).
   */
  cache_mb?: number;
  /**
   * MCP servers, by name.
   */
  servers?: {
    [k: string]: MeshMcpServer;
  };
}
export interface MeshMcpServer {
  /**
   * In the place of `url`, under development alone (DEV_MODE): the gateway starts the server and speaks with it by stdio.
   *
   * @minItems 1
   * @maxItems 64
   */
  command?: string[];
  /**
   * Its Streamable HTTP endpoint.
   */
  url?: string;
  /**
   * What it is for.
   */
  description?: string;
  /**
   * signed: each call carries a short-lived token in `_meta`, signed by the gateway, that says on whose behalf it is. Its audience is `mcp:<server>`.
   */
  identity?: "none" | "signed";
  auth?: MeshMcpAuth;
  limits?: MeshMcpLimits;
  /**
   * What the gateway is to know of a tool, whatever the server says of it.
   */
  tools?: {
    [k: string]: MeshMcpTool;
  };
}
/**
 * How the gateway proves itself to the server. A caller's own token is never passed on. Absent: not at all.
 */
export interface MeshMcpAuth {
  /**
   * The variable that holds a bearer token; `<name>_FILE` may name a file instead, which is read anew for each request.
   */
  bearer_env?: string;
  client_credentials?: MeshMcpClient;
}
/**
 * OAuth 2 client credentials.
 */
export interface MeshMcpClient {
  /**
   * The authorization server that knows the client. The secret goes to no other.
   */
  issuer: string;
  client_id: string;
  /**
   * The variable that holds the secret; `<name>_FILE` may name a file instead.
   */
  secret_env: string;
  scope?: string;
}
/**
 * How long calls may take, and how often they are sent.
 */
export interface MeshMcpLimits {
  /**
   * One call (default 30000).
   */
  timeout_ms?: number;
  /**
   * One answer, unpacked (default 1048576).
   */
  max_result_bytes?: number;
  /**
   * Calls that one gateway sends at once (default 8).
   */
  max_concurrency?: number;
  /**
   * What a result may hold beside text. Default: text, JSON, audio, and images without scripts.
   */
  content_types?: string[];
}
export interface MeshMcpTool {
  /**
   * It changes nothing. Default: what the server says (readOnlyHint).
   */
  reads?: boolean;
  /**
   * Asked again, it answers the same for a while. Default: what the server says (idempotentHint).
   */
  idempotent?: boolean;
  /**
   * It changes something. `repeatable`: the server heeds `interlock/idempotency-key` in `_meta`, so that a call may be made again. `once`: after a fault a person looks. A model is offered no tool that acts without this.
   */
  effect?: "repeatable" | "once";
  approval?: MeshToolApproval;
  orders?: MeshToolOrders;
  /**
   * Seconds for which a result counts where the tool reads and is idempotent (default 300); 0: it is not kept.
   */
  cache_s?: number;
}
/**
 * Who approves a call that a model chose, with its arguments, and when that is needed. Absent: each such call, by those whose role grants it.
 */
export interface MeshToolApproval {
  /**
   * CEL over {arguments, request}: whether the call has to be approved. What cannot be told counts as yes. Absent: always.
   */
  when?: string;
  /**
   * @minItems 1
   */
  roles?: string[];
  four_eyes?: boolean;
  max_age?: number;
  expires_in_s?: number;
}
/**
 * The verbs with which a user orders the call: a message that does so clearly, and says each of the arguments, needs no approval.
 */
export interface MeshToolOrders {
  en?: MeshOrderWords;
  ko?: MeshOrderWords;
}
/**
 * The protocols of others by which callers reach services. A protocol that is off has no endpoints.
 */
export interface MeshPeers {
  /**
   * OpenAI's chat completions, and Open Responses. On unless it is false.
   */
  openai?: boolean | MeshOpenAi;
  /**
   * Services and tasks as tools of an MCP server, at /mcp. On unless it is false.
   */
  mcp?: boolean | MeshMcp;
  /**
   * Services as agents of A2A, at /a2a. On unless it is false.
   */
  a2a?: boolean | MeshA2A;
  /**
   * Services as agents of AG-UI, for user interfaces, at /ag-ui. On unless it is false.
   */
  ag_ui?: boolean;
}
export interface MeshOpenAi {
  /**
   * Where streams of chat completions tell what agents do.
   */
  progress?: "reasoning_content" | "none";
}
export interface MeshMcp {
  /**
   * Whether tasks of agents are tools, beside the services. Their schemas may be large. On unless it is false.
   */
  tasks?: boolean;
}
export interface MeshA2A {
  /**
   * Hosts to which callers may have push notifications sent: names, `*.` and a domain, addresses or ranges. The rules of egress apply, too. Absent: there are none. Needs GATEWAY_KEY_FILE.
   *
   * @minItems 1
   */
  push_to?: string[];
}
/**
 * How long the store keeps what is a tenant's, in seconds. What is absent is as the gateway's settings say.
 */
export interface MeshRetention {
  /**
   * A session, after its last turn.
   */
  session_ttl_s?: number;
  /**
   * The record and the journal of a run, after its end.
   */
  run_ttl_s?: number;
  /**
   * The log of a run, after its end.
   */
  log_ttl_s?: number;
}
/**
 * A receiver. Requests are signed as Standard Webhooks says; the rules of egress apply.
 */
export interface MeshWebhook {
  /**
   * Where notices are posted. Redirects are not followed.
   */
  url: string;
  /**
   * What it is told of.
   *
   * @minItems 1
   */
  events: ("approval.requested" | "approval.expiring" | "approval.decided" | "run.failed" | "run.needs_review")[];
  /**
   * Variables that hold a secret (`whsec_` and base64), or, with `_FILE` behind, name its file. Every one of them signs.
   *
   * @minItems 1
   * @maxItems 4
   */
  secrets: string[];
  /**
   * It is told of these tenants only; absent: of all.
   *
   * @minItems 1
   */
  tenants?: string[];
  /**
   * Whether notices of an approval have its `proposal`, with the numbers, up to 256 KiB. Whoever runs the receiver then reads it, whatever their roles.
   */
  proposal?: boolean;
}
/**
 * What a turn of POST /chat came to.
 */
export interface MessagesAnswer {
  session_id: string;
  response: string;
  success: true;
  /**
   * How often a model was asked that may call tools.
   */
  rounds: number;
  /**
   * The MCP servers whose tools were called.
   */
  mcps_used: string[];
  /**
   * The calls of tools as they began, each behind those whose results it was given.
   */
  tool_lineage: ToolCallRecord[];
  /**
   * `paused`: the run waits for the approval.
   */
  status?: "ok" | "rejected" | "paused";
  /**
   * What it waits for.
   */
  approval_id?: string;
  metadata: TurnMetadata;
}
export interface TurnMetadata {
  /**
   * The run, as `/api/v1/runs/{id}` has it.
   */
  turn_id: string;
  execution_time_ms: number;
  timestamp: string;
}
/**
 * Why POST /chat has no answer. It stands for every error of that path.
 */
export interface MessagesError {
  /**
   * Where the conversation is known.
   */
  session_id?: string;
  /**
   * The error in a sentence.
   */
  response: string;
  success: false;
  error: MessagesErrorDetail;
  /**
   * The calls of tools as they began, each behind those whose results it was given.
   */
  tool_lineage: ToolCallRecord[];
  metadata: ErrorMetadata;
}
export interface MessagesErrorDetail {
  /**
   * The code, as everywhere.
   */
  type: string;
  message: string;
  details: MessagesErrorDetails;
}
export interface MessagesErrorDetails {
  request_id: string;
  retryable: boolean;
  /**
   * The MCP server of the call that had no result.
   */
  mcp_id?: string;
  tool_name?: string;
  /**
   * Why that call had none: its code, or its outcome.
   */
  error?: string;
  [k: string]: unknown;
}
export interface ErrorMetadata {
  /**
   * The run, as `/api/v1/runs/{id}` has it.
   */
  turn_id?: string;
  execution_time_ms: number;
  timestamp: string;
}
/**
 * The body of POST /chat.
 */
export interface MessagesRequest {
  /**
   * The last one is the user's and is answered. Those before are not read: the session has them.
   *
   * @minItems 1
   * @maxItems 100
   */
  messages: Message[];
  /**
   * The caller's own subject; another one is refused.
   */
  user_id?: string;
  /**
   * The conversation; without it a new one begins, and the answer names it.
   */
  session_id?: string;
  /**
   * What the client says of itself. It is not kept.
   */
  metadata?: {
    [k: string]: string | number | boolean | null;
  };
}
export interface Message {
  role: "user" | "assistant" | "system";
  content: string;
}
/**
 * The models that a request may ask for.
 */
export interface ModelList {
  default: string;
  /**
   * @minItems 1
   */
  models: ListedModel[];
}
export interface ListedModel {
  id: string;
  default: boolean;
  /**
   * Whether a call would be sent now. Absent for `rules`, and for a model that the gateway does not ask itself.
   */
  healthy?: boolean;
  /**
   * Why it is not healthy. unknown: the store that has its budget cannot be read.
   */
  reason?: "no_key" | "breaker_open" | "budget_spent" | "unknown";
}
/**
 * The body of POST /api/v1/policy/check: the inputs of the policy agent's task, whose schema stands on its card.
 */
export interface PolicyCheckRequest {
  [k: string]: unknown;
}
/**
 * The outputs of the policy agent's task, and its warnings.
 */
export interface PolicyCheckResult {
  warnings: string[];
  [k: string]: unknown;
}
/**
 * The answer of POST /api/v1/admin/reload.
 */
export interface ReloadAnswer {
  /**
   * Names the version of the manifest that counts for new requests now.
   */
  edition: string;
  /**
   * What differs from the version before, by the section of the manifest. `files` are those that the manifest names; `settings` are its other members. Sections without a difference are left out.
   */
  changed: {
    agents?: NameChanges;
    flows?: NameChanges;
    services?: NameChanges;
    endpoints?: NameChanges;
    roles?: NameChanges;
    issuers?: NameChanges;
    files?: NameChanges;
    settings?: NameChanges;
  };
}
export interface NameChanges {
  added: string[];
  removed: string[];
  changed: string[];
}
/**
 * The answer to a run that was started in the background.
 */
export interface RunAccepted {
  run_id: string;
  thread_id: string;
  session_id: string;
  links: {
    self: string;
    events: string;
    cancel: string;
  };
}
/**
 * The run is cancelled, by this request or by one before.
 */
export interface CancelAnswer {
  run_id: string;
  thread_id: string;
  state: "cancelled";
}
export interface RunStarted {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "run_started";
  at: string;
  data: {
    session_id: string;
    intent: string;
    flow?: string;
    model: string;
  };
}
export interface RunPlan {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "plan";
  at: string;
  data: {
    flow: string;
    goals: Names;
    steps: PlannedStep[];
  };
}
export interface PlannedStep {
  id: string;
  agent?: string;
  task_type?: string;
  /**
   * The steps that it waits for.
   */
  needs: string[];
}
export interface StepStarted {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "step_started";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    agent: string;
    task_type: string;
    attempt: number;
  };
}
/**
 * An agent's progress event. `data` is what the agent sent: any JSON value, most often an object.
 */
export interface RunProgress {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "progress";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: unknown;
}
export interface RunToken {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "token";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    text: string;
  };
}
export interface StepFinished {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "step_finished";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    agent: string;
    task_type: string;
    status: "ok";
    duration_ms: number;
    warnings: Strings;
    /**
     * What the flow shows of the step's outputs; all of them where the run answers with outputs.
     */
    outputs?: unknown;
    /**
     * The earlier run of the conversation whose result this is; nobody was asked again.
     */
    taken_from?: string;
  };
}
export interface StepFailed {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "step_failed";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    agent: string;
    task_type: string;
    status: "error";
    code: string;
    error: string;
    /**
     * The run goes on without this step.
     */
    optional: boolean;
    /**
     * The agent's own code, where it failed honestly.
     */
    agent_code?: string;
    /**
     * Which defect, where the agent broke its contract.
     */
    reason?: string;
  };
}
/**
 * The step is asked again with what it was told to mend.
 */
export interface StepRepair {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "step_repair";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    round: number;
    max_rounds: number;
  };
}
/**
 * Something that whoever waits for the run should know; the run goes on. `slow`: it takes longer than `SLOW_WARNING_MS`; once a run.
 */
export interface RunWarning {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "warning";
  at: string;
  data: {
    code: string;
    message: string;
  };
}
/**
 * The run waits for a decision; a stream that has read so far ends here.
 */
export interface RunPaused {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "run_paused";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    status: "paused";
    message: string;
    approval: PausedApproval;
    /**
     * What waits was made from a sample, since nobody gave inputs. Absent where it was not.
     */
    sample?: true;
    ui_hint?: UiHint;
    warnings?: string[];
    model: string;
  };
}
export interface PausedApproval {
  id: string;
  roles: Names;
  proposal_hash: string;
  expires_in_s: number;
}
/**
 * How a user interface may let the user answer.
 */
export interface UiHint {
  /**
   * Likely answers: send one as the next message.
   */
  buttons: string[];
}
export interface ApprovalDecided {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "approval_decided";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    approval_id: string;
    decision: "approved" | "rejected" | "withdrawn" | "expired";
    by: string;
  };
}
export interface ApprovalEdited {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "approval_edited";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    approval_id: string;
    by: string;
    proposal_hash: string;
  };
}
export interface ApprovalExpiring {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "approval_expiring";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    approval_id: string;
  };
}
export interface ApprovalEscalated {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "approval_escalated";
  /**
   * The step that the event is about.
   */
  node: string;
  at: string;
  data: {
    approval_id: string;
    roles: Names;
  };
}
/**
 * Nobody carries the run on by itself: a person has to look.
 */
export interface RunParked {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "run_parked";
  at: string;
  data: {
    status: "needs_review";
    message: string;
    code: string;
  };
}
export interface RunFinished {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "run_finished";
  at: string;
  data: {
    /**
     * `rejected`: a step was not done, since its approval was not given, or since it is not what was asked for: see `refused`.
     */
    status: "ok" | "rejected";
    /**
     * What answers the turn.
     */
    message: string;
    tools_used: Names;
    model: string;
    /**
     * What the run made comes of a sample, since nobody gave inputs. Absent where it does not.
     */
    sample?: true;
    warnings: Strings;
    ui_hint?: UiHint;
    refused?: RunRefused;
    /**
     * How often a model was asked that may call tools. Absent where none was.
     */
    rounds?: number;
    /**
     * The rounds ended before the model was done: the answer is what there was until then.
     */
    rounds_exceeded?: true;
    /**
     * The MCP servers whose tools were called.
     */
    mcps_used?: string[];
    /**
     * The calls of tools as they began, each behind those whose results it was given; absent where there was none.
     */
    tool_lineage?: ToolCallRecord[];
    /**
     * Where the manifest has no `answer` for the service or flow: what its agent gave, or by step what the agents of its goals gave. Up to 16 KiB in all.
     */
    outputs?: {};
    /**
     * What of the answer is a table: `outputs.tables` of the agent that answers. Absent where there is none.
     */
    tables?: AnswerTable[];
    /**
     * Steps whose outputs are too large to be repeated here. Their `step_finished` events, or `tool_call` events, have them: GET /api/v1/runs/{id}/events.
     */
    large_outputs?: {
      /**
       * The step.
       */
      node: string;
      /**
       * Of the outputs as JSON.
       */
      bytes: number;
    }[];
    usage?: RunUsage;
    dialogue?: DialogueRest;
  };
}
/**
 * The step that was not done, since what would have taken effect was not what was asked for, or could not be checked against it. Absent where its approval was not given.
 */
export interface RunRefused {
  /**
   * The step.
   */
  node: string;
  /**
   * `order_not_checked`: the task that judges it failed, or did not judge all that was asked for.
   */
  code: "order_not_met" | "order_not_checked";
  /**
   * @maxItems 20
   */
  differences: OrderDifference[];
}
export interface OrderDifference {
  /**
   * What was asked for that differs, by its name in the manifest.
   */
  slot: string;
  verdict: string;
  message: string;
}
/**
 * What models used for this run, as its agents report it and as the gateway's own calls came to; absent where no model was asked. Failed attempts count.
 */
export interface RunUsage {
  input_tokens: number;
  /**
   * Of the input tokens, those that the provider had in its cache.
   */
  cached_input_tokens?: number;
  output_tokens: number;
  /**
   * Of the output tokens, those that the model thought and did not say.
   */
  reasoning_tokens?: number;
  /**
   * Attempts of the gateway, and answers of agents that report usage.
   */
  calls: number;
  /**
   * By the prices of the manifest, of the gateway's own calls; absent where no model that was asked has a price.
   */
  cost_usd?: number;
  /**
   * Whether a part was estimated, since a provider did not report it.
   */
  estimated: boolean;
}
/**
 * Where a dialogue stands after this turn; absent where the turn was not one of a dialogue.
 */
export interface DialogueRest {
  service: string;
  next_action: "ASK" | "CONFIRM" | "ASK_CONTINUE" | "DONE";
  /**
   * Grows by one with each state that the session keeps.
   */
  version: number;
  state: {};
}
export interface RunFailed {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "run_failed";
  at: string;
  data: {
    status: "error";
    code: string;
    error: string;
    retryable: boolean;
    /**
     * The step that failed.
     */
    node?: string;
    agent_code?: string;
    reason?: string;
    /**
     * When to come back, where a remote gateway says so.
     */
    retry_after_s?: number;
    /**
     * What answers the turn.
     */
    message: string;
    tools_used: Names;
    model: string;
    /**
     * The calls of tools before it failed; absent where there was none.
     */
    tool_lineage?: ToolCallRecord[];
    usage?: RunUsage;
  };
}
export interface RunCancelled {
  run_id: string;
  /**
   * Dense from 1; the event's `id` line holds the same number.
   */
  seq: number;
  type: "run_cancelled";
  at: string;
  data: {
    status: "cancelled";
    /**
     * What answers the turn.
     */
    message: string;
    tools_used: Names;
    model: string;
    usage?: RunUsage;
  };
}
/**
 * The calls of tools of a run as a graph: each with its whole result, and the edges from those that it came from.
 */
export interface RunLineage {
  run_id: string;
  calls: ToolCallRecord[];
  edges: LineageEdge[];
}
export interface LineageEdge {
  from: string;
  to: string;
  by: "data" | "round";
}
/**
 * Runs, latest first. A page may hold fewer than its limit, or none, and still have a next one.
 */
export interface RunList {
  runs: RunView[];
  /**
   * The `before` of the next page; absent on the last.
   */
  next?: string;
}
/**
 * A run as its readers see it; also the data of a `reset` event.
 */
export interface RunView {
  run_id: string;
  session_id: string;
  kind: "ask" | "plan" | "general";
  state: "queued" | "running" | "paused" | "resuming" | "finished" | "failed" | "cancelled" | "needs_review";
  intent: string;
  flow?: string;
  goals?: string[];
  /**
   * The service that answers, where it was asked for one.
   */
  service?: string;
  /**
   * How the message begins that it answers.
   */
  asked?: string;
  /**
   * Whose run it is: `issuer:subject`, as the manifest names the issuer.
   */
  subject?: string;
  model: string;
  /**
   * Of the last event that the log holds.
   */
  seq: number;
  /**
   * Of the trace of the request that started the run, where it has one: log lines and spans have it too.
   */
  trace_id?: string;
  created_at: string;
  finished_at?: string;
  /**
   * The data of the event that ended the run.
   */
  result?: {
    [k: string]: unknown;
  };
  links: {
    self: string;
    events: string;
    cancel: string;
  };
  /**
   * How often the run was begun.
   */
  attempts: number;
  /**
   * Of the run's latest approval.
   */
  approval_id?: string;
}
/**
 * One turn with a service, in the form of OpenAI's chat completions. The last message is what the service is asked; the session's own transcript counts, not the one that is sent. Settings of models, which a service has none of, are ignored.
 */
export interface ServiceCompletionRequest {
  /**
   * `interlock/` and the name of a service, or `interlock/auto` for whichever the message is for.
   */
  model: string;
  /**
   * @minItems 1
   * @maxItems 1000
   */
  messages: ServiceCompletionMessage[];
  stream?: boolean | null;
  stream_options?: {
    include_usage?: boolean;
  } | null;
  /**
   * `session_id`: the session of the conversation.
   */
  metadata?: {
    [k: string]: string;
  } | null;
  n?: number | null;
  /**
   * Refused unless empty: a service has tools of its own.
   *
   * @maxItems 128
   */
  tools?: {}[] | null;
  /**
   * `none` allows tools to be sent.
   */
  tool_choice?: unknown;
  response_format?: {
    type: string;
  } | null;
}
export interface ServiceCompletionMessage {
  role: string;
  /**
   * A text, or parts of text. Anything else is refused.
   */
  content?: unknown;
}
/**
 * The services of the mesh that the caller may use.
 */
export interface ServiceList {
  /**
   * The service of a message that matches none; absent: the gateway says what it can do.
   */
  default?: string;
  services: ListedService[];
}
export interface ListedService {
  name: string;
  /**
   * `flow`: a plan over several agents. `agent`: one task of one agent. `dialogue`: a conversation of its own, over several messages. `remote`: another gateway.
   */
  kind: "flow" | "agent" | "dialogue" | "remote" | "rounds";
  label: ListedServiceLabel;
  description: string;
  /**
   * Some messages that ask for it, as the manifest has them.
   *
   * @maxItems 3
   */
  examples?: string[];
  /**
   * What the plan of a flow is asked for.
   */
  goals?: string[];
  /**
   * Who performs it, where that is one agent.
   */
  agent?: string;
  /**
   * Whether every agent that it needs is ready, as far as this replica knows; absent for another gateway.
   */
  healthy?: boolean;
}
/**
 * What a button says that asks for it.
 */
export interface ListedServiceLabel {
  en: string;
  ko: string;
}
/**
 * One turn with a service, by the Open Responses specification. What of the specification is for models is ignored.
 */
export interface ServiceResponseRequest {
  /**
   * `interlock/` and the name of a service, or `interlock/auto` for whichever the message is for.
   */
  model: string;
  /**
   * A message, or items of which the last one is the user's.
   */
  input: string | ServiceResponseItem[];
  stream?: boolean | null;
  /**
   * The response is a run that goes on by itself: GET /v1/responses/{id}.
   */
  background?: boolean | null;
  /**
   * A response of the conversation, which goes on at its end.
   */
  previous_response_id?: string | null;
  /**
   * `session_id`: the session of the conversation.
   */
  metadata?: {
    [k: string]: string;
  } | null;
  /**
   * Refused unless empty: a service has tools of its own.
   *
   * @maxItems 128
   */
  tools?: {}[] | null;
  /**
   * `none` allows tools to be sent.
   */
  tool_choice?: unknown;
  text?: {
    format?: {
      type: string;
    } | null;
  } | null;
}
export interface ServiceResponseItem {
  role?: string;
  /**
   * A text, or parts of text. Anything else is refused.
   */
  content?: unknown;
  type?: string;
}
/**
 * All that the store holds of a session, for whoever develops a service. Its members are no contract.
 */
export interface SessionDebug {
  session_id: string;
  /**
   * By the names of the store.
   */
  fields: {};
}
/**
 * Sessions, latest first.
 */
export interface SessionList {
  sessions: SessionHead[];
  /**
   * The `before` of the next page; absent on the last.
   */
  next?: string;
}
export interface SessionHead {
  session_id: string;
  title: string;
  created_at: string;
  updated_at: string;
  /**
   * The run under way.
   */
  active_run?: string;
}
/**
 * A session, turn by turn, with what executed each.
 */
export interface SessionTranscript {
  session_id: string;
  /**
   * Whose it is; absent where no turn's run is kept any more.
   */
  user_id?: string;
  created_at: string;
  updated_at: string;
  metadata: SessionMetadata;
  /**
   * Oldest first; those that came after the summarised ones.
   */
  turns: TranscriptTurn[];
}
export interface SessionMetadata {
  title: string;
}
export interface TranscriptTurn {
  turn_id: string;
  turn_number: number;
  user_message: string;
  /**
   * Absent while there is none.
   */
  assistant_response?: string;
  timestamp: string;
  execution_metadata?: ExecutionMetadata;
}
/**
 * Absent where the run is not kept any more.
 */
export interface ExecutionMetadata {
  state: string;
  intent?: string;
  /**
   * How often a model was asked that may call tools.
   */
  rounds: number;
  /**
   * The MCP servers whose tools were called.
   */
  mcps_used: string[];
  /**
   * Absent until the run has ended.
   */
  execution_time_ms?: number;
  /**
   * The calls of tools as they began, each behind those whose results it was given.
   */
  tool_calls: ToolCallRecord[];
}
/**
 * A session with its latest turns, and a summary of those before.
 */
export interface SessionView {
  session_id: string;
  title: string;
  created_at: string;
  updated_at: string;
  /**
   * The run under way.
   */
  active_run?: string;
  summary?: SessionSummary;
  /**
   * Oldest first; those that came after the summarised ones.
   */
  turns: (UserTurn | AssistantTurn)[];
  /**
   * Where each dialogue of the session stands; absent where there is none.
   */
  dialogues?: DialogueView[];
  working_set?: WorkingSetView;
}
/**
 * Stands for turns that are not kept as they were. It survives a reset.
 */
export interface SessionSummary {
  /**
   * How many turns it stands for; a turn is a user's message with its answer.
   */
  turns: number;
  text: string;
}
export interface UserTurn {
  role: "user";
  run_id: string;
  text: string;
  at: string;
  /**
   * The caller's own name for the conversation.
   */
  conversation_id?: string;
}
export interface AssistantTurn {
  role: "assistant";
  run_id: string;
  text: string;
  at: string;
  status: "ok" | "rejected" | "paused" | "error" | "cancelled";
  code?: string;
}
export interface DialogueView {
  service: string;
  /**
   * The member of that name of the agent's state.
   */
  stage?: string;
  /**
   * What it waits for; DONE: nothing, it is over.
   */
  next_action: "ASK" | "CONFIRM" | "ASK_CONTINUE" | "DONE";
  /**
   * Grows by one with each state that the session keeps.
   */
  version: number;
}
/**
 * What the conversation works with; absent where nothing was understood yet, or the mesh routes by keywords alone.
 */
export interface WorkingSetView {
  flow: string;
  inputs: WorkingInputs;
  /**
   * The constraints in force, by slot.
   */
  slots: {};
  /**
   * What was done last.
   */
  goals: string[];
  /**
   * Goal → the latest run that pursued it.
   */
  results: {
    [k: string]: string;
  };
  proposal?: WorkingProposal;
  /**
   * What the user was asked and has not answered.
   */
  question?: string;
  /**
   * What those slots are called, by slot, for people.
   */
  labels?: {
    [k: string]: SlotLabel;
  };
}
export interface WorkingInputs {
  /**
   * `given`: a request of this session brought them. `default`: the flow's own.
   */
  source: "given" | "default";
  /**
   * The run whose request brought them.
   */
  run_id?: string;
}
/**
 * The latest proposal.
 */
export interface WorkingProposal {
  run_id: string;
  /**
   * SHA-256 of the result as it is kept; absent where it is not kept any more.
   */
  hash?: string;
}
export interface SlotLabel {
  en: string;
  ko: string;
}
/**
 * The run is under way. `warning`: something that whoever waits should know.
 */
export interface StatusWorking {
  type: "thinking" | "executing" | "warning";
  content: string;
  /**
   * The run's id; stands in the first event and in the last.
   */
  thread_id?: string;
  conversation_id?: string;
}
/**
 * The run has answered the turn. `rejected`: it did not do what was asked, since its approval was not given. `paused`: it waits for an approval.
 */
export interface StatusComplete {
  type: "complete";
  content: string;
  outcome: "ok" | "rejected" | "paused";
  thread_id: string;
  /**
   * What the run made comes of a sample, since nobody gave inputs. Absent where it does not.
   */
  sample?: true;
  warnings?: string[];
  refused?: StatusRefused;
  ui_hint?: StatusUiHint;
  /**
   * Where the manifest has no `answer` for the service or flow: what its agent gave, or by step what the agents of its goals gave. Up to 16 KiB in all.
   */
  outputs?: {};
  /**
   * What of the answer is a table: `outputs.tables` of the agent that answers. Absent where there is none.
   */
  tables?: AnswerTable[];
  /**
   * Steps whose outputs are too large to be repeated here. Their `step_finished` events, or `tool_call` events, have them: GET /api/v1/runs/{id}/events.
   */
  large_outputs?: {
    /**
     * The step.
     */
    node: string;
    /**
     * Of the outputs as JSON.
     */
    bytes: number;
  }[];
  approval?: StatusApproval;
  conversation_id?: string;
}
/**
 * The step that was not done, since it is not what was asked for: see the event `run_finished`.
 */
export interface StatusRefused {
  node: string;
  code: "order_not_met" | "order_not_checked";
  differences: {
    slot: string;
    verdict: string;
    message: string;
  }[];
}
/**
 * How a user interface may let the user answer.
 */
export interface StatusUiHint {
  /**
   * Likely answers: send one as the next message.
   */
  buttons: string[];
}
export interface StatusApproval {
  id: string;
  roles: string[];
  proposal_hash: string;
  expires_in_s: number;
}
/**
 * The run failed, was cancelled, or is left for a person.
 */
export interface StatusError {
  type: "error";
  content: string;
  code: string;
  retryable: boolean;
  outcome: "error" | "cancelled" | "needs_review";
  thread_id: string;
  /**
   * The agent's own code, where an agent failed honestly.
   */
  agent_code?: string;
  conversation_id?: string;
}
/**
 * The answer to the turn, whole; it comes once. Text of an answer comes in no other event.
 */
export interface StatusText {
  type: "text";
  content: string;
  conversation_id?: string;
}
/**
 * The next piece of text that a step generates, for readers who show it as it comes. It is not the answer.
 */
export interface StatusToken {
  type: "token";
  content: string;
  conversation_id?: string;
}
/**
 * A tool was called. `result` is what the flow shows of it, null where it failed.
 */
export interface StatusTool {
  type: "tool";
  name: string;
  result: unknown;
  error?: StatusToolError;
  conversation_id?: string;
}
export interface StatusToolError {
  code: string;
  message: string;
}
/**
 * The body of POST /api/v1/tables: a CSV table that is to become the inputs of a flow.
 */
export interface TableRequest {
  /**
   * A header, and one row or more; separated by commas, semicolons or tabs; at most 20,000 lines.
   */
  csv: string;
  /**
   * What the note calls it. Absent: table.csv.
   */
  name?: string;
  /**
   * The flow that it is for. Absent: the one that reads it with the fewest problems.
   */
  flow?: string;
  /**
   * Columns by field, where their names do not tell; null: the field has none.
   */
  columns?: {
    [k: string]: string | null;
  };
}
export interface ListedTool {
  name: string;
  description: string;
}
/**
 * What a turn came to: the data of DONE in the turn dialect.
 */
export interface TurnAnswer {
  /**
   * What the user reads.
   */
  message: string;
  /**
   * What the conversation waits for: a free answer, a yes or no, whether to go on with what is left, or nothing. CONFIRM with the stage WAITING_APPROVAL: a decision on the approval that the snapshot names. ASK after an error: the user may try again.
   */
  next_action: "ASK" | "CONFIRM" | "ASK_CONTINUE" | "DONE";
  ui_hint: TurnUiHint;
  /**
   * Where the dialogue stands, as its agent keeps it, for a user interface to show: `stage`, `slots`, `queue`. Empty where the turn was not one of a dialogue; with `stage` WAITING_APPROVAL and the `approval` where a run waits for a decision.
   */
  state_snapshot: {};
  /**
   * What the turn made comes of a sample, since nobody gave inputs. Absent where it does not.
   */
  sample?: true;
  /**
   * Where the manifest has no `answer` for the service or flow: what its agent gave, or by step what the agents of its goals gave. Up to 16 KiB in all.
   */
  outputs?: {};
  /**
   * What of the answer is a table: `outputs.tables` of the agent that answers. Absent where there is none.
   */
  tables?: AnswerTable[];
  /**
   * Steps whose outputs are too large to be repeated here. Their `step_finished` events, or `tool_call` events, have them: GET /api/v1/runs/{id}/events.
   */
  large_outputs?: {
    /**
     * The step.
     */
    node: string;
    /**
     * Of the outputs as JSON.
     */
    bytes: number;
  }[];
  error?: TurnError;
}
/**
 * How a user interface may let the user answer.
 */
export interface TurnUiHint {
  /**
   * Likely answers: send one as the next message.
   */
  buttons: string[];
}
/**
 * Why the turn failed; absent where it did not.
 */
export interface TurnError {
  code: string;
  retryable: boolean;
}
/**
 * An agent begins to work. For an agent that is working already: it begins anew, so that its text so far does not count.
 */
export interface TurnAgentStart {
  event: "AGENT_START";
  data: {
    agent: string;
    /**
     * What a user reads while it works; the agent's name where the manifest has none.
     */
    label: string;
  };
}
/**
 * An agent has done its work, or has failed or was stopped.
 */
export interface TurnAgentDone {
  event: "AGENT_DONE";
  data: {
    agent: string;
    label: string;
    success: boolean;
    /**
     * Where the agent's dialogue stands now.
     */
    stage?: string;
    /**
     * What the manifest shows of the agent's outputs.
     */
    result?: unknown;
  };
}
export interface TurnToken {
  event: "LLM_TOKEN";
  /**
   * The next piece of generated text.
   */
  data: string;
}
/**
 * An agent's text is whole; comes before its AGENT_DONE.
 */
export interface TurnLlmDone {
  event: "LLM_DONE";
  data: {
    action: "ASK" | "CONFIRM" | "ASK_CONTINUE" | "DONE";
    message: string;
    /**
     * The text was longer than is repeated here.
     */
    truncated?: true;
  };
}
/**
 * Which of several tasks of one message is under way.
 */
export interface TurnTaskProgress {
  event: "TASK_PROGRESS";
  data: {
    index: number;
    total: number;
    slots: {};
  };
}
export interface TurnDone {
  event: "DONE";
  data: TurnAnswer;
}
/**
 * One turn in the turn dialect: the body of a POST, or the query of a GET.
 */
export interface TurnRequest {
  /**
   * As in a chat request. In a query all of the URL has to fit into 16 KiB with the headers.
   */
  message: string;
  /**
   * The conversation this turn belongs to; made on first use.
   */
  session_id: string;
  /**
   * The client's own name for the turn, unique in the session: a request that repeats it gets the same turn, for 24 hours. With another message it is refused (422).
   */
  turn_id?: string;
  /**
   * The language of the labels; by default the one that the message is written in.
   */
  locale?: "en" | "ko";
}
/**
 * What models used in some days, in groups, the most expensive first.
 */
export interface UsageReport {
  group_by: "model" | "subject" | "tenant" | "session" | "run";
  /**
   * Whose usage it is: the caller's own, or that of everybody in the tenant.
   */
  scope: "own" | "tenant";
  from: string;
  /**
   * The last day; days are those of UTC.
   */
  to: string;
  groups: UsageGroup[];
  /**
   * Whether there are more groups than were read or shown.
   */
  truncated: boolean;
}
export interface UsageGroup {
  /**
   * The model, principal, tenant, session or run. What an agent reports is under `agent/` and its name.
   */
  key: string;
  /**
   * Attempts, failed ones included.
   */
  calls: number;
  failed: number;
  /**
   * Attempts whose tokens are estimated, since the provider did not report them.
   */
  estimated: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
  cost_usd: number;
}
/**
 * What receivers of the tenant's webhooks have not taken yet, latest first.
 */
export interface WebhookDeliveryList {
  deliveries: WebhookDelivery[];
  /**
   * The `before` of the next page.
   */
  next?: string;
}
/**
 * A notice for one receiver. It has no address, secret or body.
 */
export interface WebhookDelivery {
  /**
   * The `webhook-id` of every try.
   */
  id: string;
  /**
   * The receiver's name in the manifest; `a2a` for one that a caller has named for a task.
   */
  webhook: string;
  type:
    | "approval.requested"
    | "approval.expiring"
    | "approval.decided"
    | "run.failed"
    | "run.needs_review"
    | "task.updated";
  run_id: string;
  /**
   * The seq of the run's event that says it.
   */
  sequence: number;
  approval_id?: string;
  /**
   * Of `task.updated`: A2A's task, which is the run that it began with.
   */
  task_id?: string;
  /**
   * Of `task.updated`: the receiver's id at that task.
   */
  config_id?: string;
  /**
   * When it happened.
   */
  at: string;
  /**
   * `pending`: it is sent soon, or now; `failed`: it is tried again by itself; `dead`: it is not.
   */
  state: "pending" | "failed" | "dead";
  /**
   * How often it was tried since it was last ordered.
   */
  attempts: number;
  /**
   * When it was tried last; absent: never.
   */
  attempted_at?: string;
  /**
   * Why the last try failed: `status_503`, `gone` (410), `timeout`, `unreachable`, `egress_refused`, `no_secret`, `not_declared`; of tasks: `not_allowed` (by `push_to`, or the caller may not read the task any more), `no_key`.
   */
  code?: string;
}
