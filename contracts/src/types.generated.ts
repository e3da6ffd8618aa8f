/** Generated from the schemas by scripts/generate.ts; do not edit. */

/**
 * The data of the one terminal event of a stream (`final`; `complete` and `done` are accepted from others). `status` and `ok` never contradict each other.
 */
export type FinalEvent = FinalSuccess | FinalFailure;
/**
 * The answer of POST /agents/run/sync, always with HTTP 200: a success or a business failure. `status` and `ok` never contradict each other.
 */
export type RunResult = RunSuccess | RunFailure;
export type MeshStep = {
  [k: string]: unknown;
} & {
  agent?: string;
  task_type?: string;
  needs?: string[];
  after?: string[];
  optional?: boolean;
  /**
   * JSONata
   */
  inputs?: string;
  /**
   * JSONata
   */
  show?: string;
  /**
   * JSONata
   */
  render?: string;
  repair?: MeshRepair;
};
export type MeshService = {
  [k: string]: unknown;
} & {
  flow?: string;
  agent?: string;
  task_type?: string;
  keywords?: string[];
  /**
   * JSONata
   */
  answer?: string;
};

export interface Contracts {
  agent: AgentContract;
  gateway: GatewayContract;
}
export interface AgentContract {
  card: AgentCard;
  error: AgentError;
  final: FinalEvent;
  grounding: Grounding;
  health: HealthStatus;
  progress: ProgressEvent;
  refusal: Refusal;
  runRequest: RunRequest;
  runResult: RunResult;
  started: StartedEvent;
  token: TokenEvent;
  usage: Usage;
}
/**
 * The answer of GET /agents/card: who the agent is and what it can be asked.
 */
export interface AgentCard {
  name: string;
  version: string;
  description?: string;
  /**
   * Which contract the agent keeps.
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
   * Inputs that the task runs on.
   */
  examples?: {
    [k: string]: unknown;
  }[];
}
/**
 * Where the agent departs from the defaults of 1 MiB each.
 */
export interface CardLimits {
  max_event_bytes?: number;
  max_body_bytes?: number;
}
/**
 * Why a run failed or was refused. Never holds a value from the request's inputs.
 */
export interface AgentError {
  /**
   * Stable, for programs: INVALID_INPUTS.
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
   * `ok` or `success`; another word of success only beside `ok: true`.
   */
  status: string;
  ok?: true;
  /**
   * The task's own outputs.
   */
  outputs?: {
    [k: string]: unknown;
  };
  /**
   * The outputs, under the name that other agents give them.
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
 * What the outputs rest on.
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
 * The answer of GET /health and GET /health/ready; a worker that takes no work answers 503.
 */
export interface HealthStatus {
  status: string;
}
/**
 * The data of a progress event: any object. `message`, `completed` and `total` are the names that readers look for.
 */
export interface ProgressEvent {
  [k: string]: unknown;
}
/**
 * The body of every 4xx and 5xx answer to a run request: the run was not started.
 */
export interface Refusal {
  /**
   * The one sent if it was a string, else empty.
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
   * DEMO runs absent or empty inputs on the agent's shipped sample and warns of it; LIVE refuses them.
   */
  mode?: "DEMO" | "LIVE";
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
   * A deadline, in milliseconds from the receipt of the request.
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
export interface GatewayContract {
  chatRequest: ChatRequest;
  error: ErrorBody;
  mesh: MeshManifest;
}
/**
 * The body of POST /api/v1/chat.
 */
export interface ChatRequest {
  message: string;
  /**
   * The conversation this turn belongs to; made on first use.
   */
  session_id: string;
  /**
   * The caller's own name for the conversation, kept beside the session.
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
 * Every error of the gateway. Never repeats a value of the request.
 */
export interface ErrorBody {
  error: string;
  code: string;
  retryable: boolean;
  request_id: string;
  [k: string]: unknown;
}
/**
 * The manifest of a mesh: mesh.yaml after its variables were put in.
 */
export interface MeshManifest {
  agents: {
    [k: string]: MeshAgent;
  };
  flows?: {
    [k: string]: MeshFlow;
  };
  services?: {
    [k: string]: MeshService;
  };
  /**
   * Said when a message asks for nothing that a service does.
   */
  general?: string;
  models?: MeshModels;
}
export interface MeshAgent {
  url: string;
  description?: string;
  tasks: {
    /**
     * What the task does, in a sentence.
     */
    [k: string]: string;
  };
  limits?: MeshLimits;
}
export interface MeshLimits {
  timeout_ms?: number;
  retries?: number;
  backoff_ms?: number;
  max_event_bytes?: number;
}
export interface MeshFlow {
  description?: string;
  timeout_ms?: number;
  /**
   * A JSON file, relative to the manifest.
   */
  default_inputs?: string;
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
  default_goals?: string[];
  /**
   * The step whose text answers the turn.
   */
  answer?: string;
}
export interface MeshRepair {
  /**
   * JSONata
   */
  when: string;
  /**
   * JSONata
   */
  inputs: string;
  max_rounds?: number;
}
export interface MeshModels {
  default: string;
  /**
   * @minItems 1
   */
  allow: string[];
  /**
   * Service → its default model.
   */
  tasks?: {
    [k: string]: string;
  };
  /**
   * The administrator's choice; goes before all else.
   */
  override?: string;
  experiments?: MeshExperiment[];
}
export interface MeshExperiment {
  name: string;
  model: string;
  share: number;
}
