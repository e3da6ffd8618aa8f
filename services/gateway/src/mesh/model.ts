import type { MeshIssuer, MeshRole, MeshTable, Validator } from "@interlock/contracts";
import type { EgressRules } from "../egress/index.ts";
import type { IntentModel, Localised, SlotReader } from "../language/index.ts";
import type { Measure } from "./compile-measures.ts";
import type { Condition, Patch, Template } from "./data/index.ts";

/** A mesh as its manifest declares it: checked, with defaults filled in and templates and conditions compiled. */
export type Mesh = {
  agents: ReadonlyMap<string, MeshAgent>;
  flows: ReadonlyMap<string, Flow>;
  services: ReadonlyMap<string, Service>;
  /** Direct endpoints, by the path after `/api/v1/`. */
  endpoints: ReadonlyMap<string, DirectEndpoint>;
  /** The service of a message that matches none; absent: the general text answers it. */
  defaultService?: string;
  /** The answer to a message that asks for no service. */
  general: Localised;
  models: MeshModels;
  tools: MeshTools;
  limits: CallerLimits;
  peers: MeshPeers;
  /** Who is told of what waits or failed, by name. */
  webhooks: ReadonlyMap<string, Webhook>;
  /** How long the store keeps what is a tenant's, where that differs from the settings. */
  retention: ReadonlyMap<string, { sessionTtlS?: number; runTtlS?: number; logTtlS?: number }>;
  /** The roles that the manifest declares, as it has them. identity/ adds the built-in ones and resolves their names. */
  roles: Readonly<Record<string, MeshRole>>;
  /** The trusted issuers, by name. Paths of files are absolute. */
  issuers: Readonly<Record<string, MeshIssuer>>;
  /** Where the gateway may connect to. */
  egress: EgressRules;
  /** Any JSON value as a bounded text for people; what is a JsonText, whole or in part, is read outside of the event loop. */
  readable: (value: object, signal?: AbortSignal) => Promise<string>;
};

/** A receiver of notices. */
export type Webhook = {
  url: string;
  /** The notices that it wants, e.g. `approval.requested`. */
  events: ReadonlySet<string>;
  /** Variables of the secrets that sign, or of their files (`_FILE`). Each signs, so that a receiver may change from one to the next. */
  secrets: readonly string[];
  /** Whether notices of an approval have its proposal. */
  proposal: boolean;
  /** Only of these; absent: of all. */
  tenants?: ReadonlySet<string>;
};

/** The protocols by which callers reach services, beside the gateway's own; absent: off. */
export type MeshPeers = {
  openai?: {
    /** Whether streams of chat completions tell what agents do. */
    progress: boolean;
  };
  mcp?: {
    /** Whether tasks are tools, beside the services. */
    tasks: boolean;
  };
  a2a?: {
    /** Hosts to which callers may have push notifications sent; absent: there are none. It allows nothing that egress refuses. */
    pushTo?: EgressRules;
  };
  agUi: boolean;
};

/** A task whose inputs are posted, or a book that is read. */
export type DirectEndpoint = { kind: "task"; taskType: string } | { kind: "book"; book: string };

/** So many requests in each window; a window begins with its first request. */
export type Rate = { points: number; perS: number };

/** How much callers may ask for; what is absent is not limited. */
export type CallerLimits = {
  subject?: Rate;
  tenant?: Rate;
  global?: Rate;
  /** By agent and by tool: on behalf of one tenant. */
  agents: ReadonlyMap<string, Rate>;
  tools: ReadonlyMap<string, Rate>;
  /** Tokens of models that one tenant may use up in a day. */
  tokensPerDay?: number;
};

export type AgentLimits = {
  /** The whole of a dispatch, retries included. */
  timeoutMs: number;
  /** Attempts after the first. */
  retries: number;
  /** Upper bound of the first pause; it doubles from there, and each pause is drawn between 0 and its bound. */
  backoffMs: number;
  /** Bytes of one event's data. */
  maxEventBytes: number;
  /** Bytes of a sync answer; when absent what the contract allows: 16 MiB, or `maxEventBytes` where that is more. */
  maxResponseBytes?: number;
  /** Requests under way at once, from one gateway; when absent the gateway learns how many. */
  maxConcurrency?: number;
};

/**
 * Checks the outputs of a task.
 * @returns the place of what is not as the manifest wants it, made of names in its schema; undefined where all is well
 */
export type OutputsCheck = (
  outputs: object,
  signal?: AbortSignal,
) => string | undefined | Promise<string | undefined>;

/** What the gateway has to know of an agent to dispatch to it. */
export type AgentSpec = {
  name: string;
  url: string;
  tasks: readonly string[];
  limits: AgentLimits;
  /** What the outputs of its tasks have to be, by task. */
  outputs?: ReadonlyMap<string, OutputsCheck>;
  /** Each request carries a token that says on whose behalf it is sent. */
  signed?: boolean;
  /** It speaks another protocol than the mesh's agents, at its address; absent: the contract's. */
  protocol?: "a2a";
  description?: string;
  /** The label that users see while it works. */
  label?: Localised;
};

export type MeshAgent = AgentSpec & { taskDescriptions: Readonly<Record<string, string>> };

export type Flow = {
  name: string;
  description: string;
  timeoutMs: number;
  /** Used where a request brings no inputs. */
  defaultInputs?: Readonly<Record<string, unknown>>;
  /** Its default inputs are somebody's own, of a table: how that was read. */
  tableNote?: Localised;
  /** How the rows of a table become its inputs; absent: it takes none. */
  table?: MeshTable;
  /** The input fields that the flow takes; absent: any. */
  accepts?: ReadonlySet<string>;
  /** In the order of the manifest. */
  steps: ReadonlyMap<string, FlowStep>;
  /** Goal → the steps that it asks for. */
  goals: ReadonlyMap<string, readonly string[]>;
  defaultGoals: readonly string[];
  /** The steps that make what a conversation calls the proposal: later turns use their results as they are. Empty: there is none. */
  proposal: readonly string[];
  /** The trained intent models of the flow; absent: keywords decide. */
  intents?: IntentModel;
  /** Categories of what the flow knows nothing of: the user is asked what is meant. */
  unclear: ReadonlySet<string>;
  /** The member of the inputs that holds their name. */
  inputsName?: string;
  /** The name of the flow's own inputs in answers. */
  sampleName: Localised;
  /** The step whose text answers the turn. */
  answer?: string;
  /** What messages can say that constrains the flow; one and the same for flows that declare the same. */
  slots?: SlotReader;
  /** Of these, the ones that no effect can show. */
  uncheckable: ReadonlySet<string>;
  /** What questions look up in inputs and results; an operand stands before what is made of it. */
  measures: readonly Measure[];
};

/** Adding a kind: a type here, a row in compile-step.ts if flows may declare it, and a row in the table of runs/steps. */
export type Step = FlowStep | DialogueStep | RoundsStep;
export type FlowStep = AgentStep | ToolStep | PublishStep | RenderStep;

type StepBase = {
  id: string;
  /** Steps whose results this step takes; the plan includes them. */
  needs: readonly string[];
  /** Steps that this step waits for where the plan includes them. */
  after: readonly string[];
  /** The run goes on without an optional step that failed. */
  optional: boolean;
  approval?: ApprovalRule;
  /** Of an effect: checks it against the order's constraints. */
  verify?: Verify;
};

/** Asks an agent. */
export type AgentStep = StepBase & {
  kind: "agent";
  agent: string;
  taskType: string;
  inputs: Template;
  /** The inputs have the message itself, of which the agent then says what it applied. */
  readsMessage?: true;
  /** What of the outputs the run's log carries; all of them are in the journal. */
  show?: Template;
  /** What later steps see as `kept`, from the inputs and outputs of the last round. */
  keep?: Template;
  repair?: { when: Condition; inputs: Template; maxRounds: number };
  /** Its text, where it answers the turn; over {outputs}. */
  text: Template;
  /**
   * The step changes the world. `repeatable`: the agent honours the Idempotency-Key, so that the gateway may ask again. `once`: the
   * gateway sends the request once (over a failover of the store: with EFFECT_REPLICAS), and a person has to find out an unknown outcome.
   */
  effect?: "repeatable" | "once";
};

/** Calls a tool of an MCP server with the arguments that its inputs are. `effect`, as of an agent's step, is wanted of one that acts. */
export type ToolStep = Pick<AgentStep, "inputs" | "show" | "keep" | "text" | "effect"> &
  StepBase & {
    kind: "tool";
    /** `<server>.<tool>`. */
    tool: string;
  };

/** Has a model answer with the help of tools, in rounds. Services alone have it. */
export type RoundsStep = StepBase & Omit<RoundsTarget, "kind"> & { kind: "rounds"; service: string };

/** Writes a payload to a book of the store, in the same write as its journal entry and therefore exactly once. */
export type PublishStep = StepBase & {
  kind: "publish";
  /** The name of the book. */
  to: string;
  /** Whether it also publishes what was made from a sample. */
  allowSample: boolean;
  payload: Template;
  show?: Template;
};

/** Takes one turn of a dialogue. Services alone have it: a flow is executed as a whole, and a dialogue goes on from message to message. */
export type DialogueStep = StepBase &
  Omit<DialogueTarget, "kind"> & {
    kind: "dialogue";
    /** The service, under whose name the session keeps the dialogue. */
    service: string;
  };

/** Joins texts that others have made. */
export type RenderStep = StepBase & { kind: "render"; render: Template };

/** When a step waits for a person, and for whom. */
export type ApprovalRule = {
  /** Whether the step has to be approved; absent: always. */
  when?: Condition;
  /** Exactly what is to be approved. */
  proposal: Template;
  /** What the approver sees beside the proposal. */
  show?: Template;
  /** A decider needs one of these roles beside the permission to decide; empty: none. */
  roles: readonly string[];
  fourEyes: boolean;
  /** Seconds since the caller proved who they are, within which they may decide; absent: any. */
  maxAgeS?: number;
  expiresInS: number;
  warnBeforeS: number;
  onExpiry: "reject" | "escalate";
  escalateTo: readonly string[];
  edit?: EditRule;
};

/** How an approver's edits change the proposal, and which task has to accept the result. */
export type EditRule = {
  /** What an edit has: the members that name its place, and the one that it sets there; as the manifest says it. */
  keys: readonly string[];
  set: string;
  schema?: Readonly<Record<string, unknown>>;
  /** Checks the edits' shape; absent: any JSON value. */
  validate?: Validator<unknown>;
  apply: Patch;
  check: Check;
};

/** A task that judges what is to take effect, and what of its outputs accepts it. */
export type Check = { agent: string; taskType: string; inputs: Template; accept: Condition };

/** The check of an effect against the order's constraints. */
export type Verify = Check & {
  /** Over {outputs}: names of the part of the order that the proposal is, and the message that asks for that part. */
  part?: { names: Template; say: Localised };
};

export type Service = {
  name: string;
  keywords: readonly string[];
  /** What a button says that asks for it. */
  label?: Localised;
  /** The verbs with which a message orders what it changes outside; absent: no message orders it clearly. */
  orders?: Orders;
  /** Messages that ask for it. */
  examples: readonly string[];
  description?: string;
  target: FlowTarget | AgentTarget | DialogueTarget | RemoteTarget | RoundsTarget;
};

/** By language; "…" stands for what something is done to: "put … live". */
export type Orders = { en?: readonly string[]; ko?: readonly string[] };

export type FlowTarget = { kind: "flow"; flow: string; goals: readonly string[] };
export type AgentTarget = { kind: "agent"; agent: string; taskType: string; answer?: Template };
/** A task that holds a dialogue: the session keeps its state from turn to turn. */
export type DialogueTarget = {
  kind: "dialogue";
  agent: string;
  taskType: string;
  maxStateBytes: number;
  /** Entries of the conversation that the agent gets. */
  historyTurns: number;
};
/** A tool-calling agent. */
export type RoundsTarget = {
  kind: "rounds";
  /** `<server>.<tool>`, `<server>.*`, or a task in lower case. */
  tools: readonly string[];
  model?: string;
  /** Instructions for the model; empty where the manifest has none. */
  instructions: string;
  maxRounds: number;
};
/** Another gateway. */
export type RemoteTarget = {
  kind: "remote";
  url: string;
  identity: "none" | "forward" | "exchange";
  timeoutMs: number;
};

export type AgentService = Service & { target: AgentTarget };
export type DialogueService = Service & { target: DialogueTarget };
export type RoundsService = Service & { target: RoundsTarget };
export type RemoteService = Service & { target: RemoteTarget };

export function isAgentService(service: Service): service is AgentService {
  return service.target.kind === "agent";
}

export function isDialogueService(service: Service): service is DialogueService {
  return service.target.kind === "dialogue";
}

export function isRoundsService(service: Service): service is RoundsService {
  return service.target.kind === "rounds";
}

export function isRemoteService(service: Service): service is RemoteService {
  return service.target.kind === "remote";
}

/** The MCP servers of the mesh. */
export type MeshTools = {
  /** By name; a tool is called `<server>.<tool>`. */
  servers: ReadonlyMap<string, McpServerSpec>;
  /** Whether a tool is offered only as it was accepted. */
  pin: boolean;
  /** The definitions that were accepted, by the name of the tool, and the file that holds them. */
  accepted: Readonly<Record<string, object>>;
  acceptedFile: string;
  /** Of results that one gateway keeps. */
  cacheBytes: number;
};

export type McpServerSpec = {
  name: string;
  /** `stdio:<name>` where the gateway starts it. */
  url: string;
  /** The program that is the server, with its arguments; under development alone. */
  command?: readonly string[];
  description?: string;
  /** Each call carries a token that says on whose behalf it is made. */
  signed: boolean;
  auth?: McpAuth;
  /** Of one call. */
  timeoutMs: number;
  /** Of one answer. */
  maxResultBytes: number;
  /** Calls under way at once, from one gateway. */
  maxConcurrency: number;
  /** What a result may hold beside text, e.g. `image/png` or `text/*`. */
  contentTypes: readonly string[];
  /** What the gateway is to know of tools, whatever the server says of them. */
  tools: ReadonlyMap<string, McpToolRule>;
};

/** What the manifest says of a tool. */
export type McpToolRule = {
  reads?: boolean;
  idempotent?: boolean;
  cacheS?: number;
  /** How it acts; see AgentStep. A model is offered no tool that acts without it. */
  effect?: "repeatable" | "once";
  /** Who approves calls that a model chose, and when. `proposal` is not used: it is the call itself. */
  approval?: Omit<ApprovalRule, "proposal" | "show" | "edit">;
  /** The verbs with which a user orders the call. */
  orders?: Orders;
};

/** How the gateway proves itself to a server. `variable` holds the secret. */
export type McpAuth =
  | { kind: "bearer"; variable: string }
  | { kind: "client_credentials"; variable: string; issuer: string; clientId: string; scope?: string };

/** Which model a turn gets. */
export type ModelPolicy = {
  default: string;
  allow: readonly string[];
  tasks: Readonly<Record<string, string>>;
  override?: string;
  experiments: readonly { name: string; model: string; share: number }[];
};

/** The models of the mesh, and how the gateway asks those that it asks itself. */
export type MeshModels = ModelPolicy & {
  /** By name. `rules` is none of them, and neither is a model that agents alone know. */
  models: ReadonlyMap<string, ModelSpec>;
  /** By task: what differs from how its model is asked otherwise. */
  settings: ReadonlyMap<string, Partial<ModelSettings>>;
};

export type ModelProviderKind = "openai" | "openai_compatible" | "azure" | "anthropic" | "google" | "vertex";

export type ModelProvider = {
  name: string;
  kind: ModelProviderKind;
  baseUrl: string;
  /** The variable that holds the key; absent: requests carry none. */
  keyEnv?: string;
  /** Whether the server takes a JSON Schema for its answer. */
  structuredOutputs: boolean;
};

/** How a model is asked. */
export type ModelSettings = {
  temperature?: number;
  /** Tokens of one answer, reasoning included. */
  maxTokens: number;
  /** The whole of one attempt. */
  timeoutMs: number;
  /** Until the first token of a streamed attempt. */
  firstTokenMs: number;
  /** Attempts after the first. */
  retries: number;
  /** Models that answer instead, in order. */
  fallbacks: readonly string[];
  /** Most sentences of a model that are shown ahead of a report. */
  maxSentences?: number;
};

export type ModelSpec = {
  name: string;
  provider: ModelProvider;
  /** The provider's name of it. */
  modelId: string;
  settings: ModelSettings;
  /** Absent: it costs nothing. */
  prices?: ModelPrices;
  budget?: ModelBudget;
};

/** US dollars for a million tokens. */
export type ModelPrices = { input: number; cachedInput: number; output: number; reasoning: number };

/** What may be spent in a day (UTC), by all replicas together. */
export type ModelBudget = { usdPerDay?: number; tokensPerDay?: number; scope: "mesh" | "tenant" };
