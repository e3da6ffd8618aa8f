import type { TraceContext } from "@interlock/contracts";
import type { Caller } from "../caller.ts";
import type { Access } from "../identity/index.ts";
import type { DetectInjection, Detector, LearntReader, RiskModel, Slots } from "../language/index.ts";
import type { Mesh } from "../mesh/index.ts";
import type { Decisions, EffectStates, Runs, StartOptions } from "../runs/index.ts";
import type {
  EarlierResult,
  IdempotencyKey,
  Inputs,
  RunTarget,
  Understood,
  UsageAmounts,
} from "../store/index.ts";
import type { AskModel } from "./ask-model.ts";
import type { StateReader } from "./asked/state-reader.ts";
import type { Heard } from "./preface.ts";
import type { Router } from "./router.ts";
import type { ServiceModel } from "./service-model.ts";
import type { PlainInputs, SessionInputs } from "./session-inputs.ts";
import type { Sessions } from "./sessions.ts";
import type { Talk } from "./talk.ts";
import type { Told } from "./told.ts";
import type { WorkingSet } from "./working-set.ts";

/** One message of a caller, whatever protocol it came by. */
export type TurnRequest = {
  caller: Caller;
  /** Rejects where limits refuse the turn; the run starts after it. */
  admitted?: Promise<void> | undefined;
  /** Absent: the caller names a flow or a task instead. */
  message?: string | undefined;
  sessionId: string;
  /** The caller's own name for the conversation. */
  conversationId?: string | undefined;
  inputs?: Inputs | undefined;
  /** The service that the caller speaks to; absent: whichever the message is for. */
  service?: string | undefined;
  /** The flow that the caller wants executed, instead of one that is understood from the message. */
  flow?: string | undefined;
  /** The task that the caller wants done with the inputs, instead of anything that is understood from a message. */
  task?: NamedTask | undefined;
  /** The goals that the caller wants, instead of those that are understood. */
  goals?: readonly string[] | undefined;
  /** A plan is wanted, even where one service would do. */
  plan?: boolean | undefined;
  /** The model that the caller would like. */
  modelHint?: string | undefined;
  /** The model that is chosen answers, or none. */
  disableFallbacks?: boolean | undefined;
  /** The caller waits for the answer alone and reads no events. */
  quiet?: boolean | undefined;
  /** Whoever has room executes the run; the caller does not wait for it. */
  background?: boolean | undefined;
  whenBusy?: StartOptions["whenBusy"] | undefined;
  idempotency?: IdempotencyKey | undefined;
  notify?: StartOptions["notify"];
  /** The `Authorization` header of the request; it goes to remote gateways that get the caller's own token, and is kept nowhere. */
  authorization?: string | undefined;
  /** See RunOrder. */
  maxAgeMs?: number | undefined;
  /** The gateways that the request came through. */
  hops?: readonly string[] | undefined;
  requestId?: string | undefined;
  trace: TraceContext;
};

/** A task, and the agent that is to do it. */
export type NamedTask = { agent: string; task: string };

/** What a turn knows so far; each step of the pipeline adds to it. */
export type Turn = {
  readonly request: TurnRequest;
  /** Where what is done for the turn belongs. */
  readonly trace: TraceContext;
  /** Of the run that answers the turn. */
  readonly runId: string;
  /** What is to be understood, where the user has only answered a question about it. */
  message?: string;
  /** What the mesh can be asked in words, where its manifest says so. */
  talk?: Talk;
  /** What the session works with before this turn. */
  working?: WorkingSet;
  /** What it works with after this turn. */
  next?: WorkingSet;
  intent: string;
  understood?: Understood;
  /** What a model says that the message says; null: it was asked, and said nothing in time. */
  heardByModel?: Told | null;
  /** What a model used for that. */
  used?: UsageAmounts;
  target: RunTarget;
  inputs?: Inputs;
  /** The same, parsed, for what looks into them. */
  plainInputs?: PlainInputs;
  /** The inputs of the session are not kept any more. */
  inputsGone?: boolean;
  /** The earlier run whose request brought the inputs. */
  inputsOf?: string;
  slots?: Slots;
  takesOver?: Readonly<Record<string, EarlierResult>>;
  /** How what has effects stands, where the message asks for that besides something else. */
  state?: string;
  /** What buttons say where the run comes to wait for an approval. */
  pauseButtons?: readonly string[];
  /** What the answer says first, beside the constraints of the order. */
  heard?: Heard;
  /** Sentences that follow it. */
  also?: readonly string[];
  /** What stands between that and the answer. */
  told?: string;
  /** What the user can answer next, where a run answers this turn. */
  buttons?: readonly string[];
  /** The user pressed the button of exactly what the turn does. */
  isOrdered?: true;
};

export type TurnDeps = {
  mesh: Mesh;
  access: Access;
  route: Router;
  /** What each flow can be asked in words. */
  talks: readonly Talk[];
  /** What tells the services that no flow answers for; absent: there is none. */
  services?: ServiceModel | undefined;
  /** Tells what asks how something with effects stands; absent: nothing of the mesh has effects. */
  state?: StateReader | undefined;
  effectStates: EffectStates;
  runs: Runs;
  decisions: Pick<Decisions, "requests" | "withdraw">;
  sessions: Sessions;
  inputs: SessionInputs;
  /** Reads JSON, however large, without holding the event loop. */
  readJson: (text: string) => Promise<unknown>;
  /** Below this confidence in what a message asks for, the user is asked. */
  intentThreshold: number;
  /** The models of the learnt reader of what constrains an answer; undefined: there are none. */
  reader: LearntReader | undefined;
  /** Tells how likely a reading is to be wrong, and from when on the user is asked; undefined: nothing does. */
  risk: RiskModel | undefined;
  /** Asked first what a message says; absent: nobody is. */
  askModel?: AskModel | undefined;
  detectInjection: DetectInjection;
  /** Told of each message that is refused, with what found it and never with its text. */
  onInjection: (refusal: { detector: Detector; requestId: string | undefined }) => void;
  /** Code points of one message. */
  maxMessageChars: number;
};

type Outcome = "next" | "answered";

/**
 * One step of a turn; it may wait for something. It may set the turn's intent and target, add what later steps need, or end the turn:
 * `answered` keeps the later steps from running, and the turn's target says what answers it. It throws a GatewayError to refuse the turn.
 */
export type TurnStep = (turn: Turn, deps: TurnDeps) => Outcome | Promise<Outcome>;
