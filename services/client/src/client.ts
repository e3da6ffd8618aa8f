import { type ChatOptions, type ChatStream, chat } from "./chat.ts";
import { idempotent } from "./idempotency.ts";
import type {
  Agent,
  ApprovalDetail,
  ApprovalPage,
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
} from "./resources.ts";
import {
  type ChatEventStream,
  chatEvents,
  type RunEventStream,
  type RunEventsOptions,
  runEvents,
  type StatusEventStream,
  statusEvents,
} from "./run-stream.ts";
import { type ClientOptions, checkId, checkPath, settingsOf } from "./settings.ts";
import { type Call, Transport } from "./transport.ts";

export type RequestOptions = { signal?: AbortSignal };
/** Requests with the same key take effect once. By default each call generates a key of its own. */
export type EffectOptions = RequestOptions & { idempotencyKey?: string };
export type PageOptions = RequestOptions & { limit?: number; before?: string };

/** A background run is started by a message, which the gateway routes, or by the name of a flow. */
export type RunOrder = {
  sessionId: string;
  inputs?: Readonly<Record<string, unknown>>;
  /** Goals of the flow; by default the flow's `default_goals`. */
  goals?: readonly string[];
  /** What the gateway does while another run of the session is active. */
  multitask?: "refuse" | "enqueue";
} & ({ message: string; flow?: never } | { flow: string; message?: string });

/** What is absent, any run may be. */
export type RunFilters = {
  state?: RunState;
  sessionId?: string;
  flow?: string;
  service?: string;
  /** One that the run's plan asks. */
  agent?: string;
  /** What the run failed with. */
  code?: string;
  /** Whose it is, as `issuer:subject`. */
  subject?: string;
  /** Of the creation: days of UTC, or moments such as `2026-11-22T10:30:00Z`. */
  from?: string;
  to?: string;
};

export type Runs = {
  /** Starts a run in the background. */
  start(order: RunOrder, options?: EffectOptions): Promise<StartedRun>;
  get(id: string, options?: RequestOptions): Promise<Run>;
  /** Those that match, latest first. */
  list(options?: PageOptions & RunFilters): Promise<RunPage>;
  /** @throws ApiError conflict if the run has already ended */
  cancel(id: string, options?: RequestOptions): Promise<CancelledRun>;
  events(id: string, options: RunEventsOptions<"chat"> & { dialect: "chat" }): ChatEventStream;
  events(id: string, options: RunEventsOptions<"status"> & { dialect: "status" }): StatusEventStream;
  events(id: string, options?: RunEventsOptions<"run">): RunEventStream;
};

export type Approvals = {
  /** Approvals that the caller may decide; with `state: "all"` also the decided ones. */
  list(options?: PageOptions & { state?: "pending" | "all" }): Promise<ApprovalPage>;
  get(id: string, options?: RequestOptions): Promise<ApprovalDetail>;
  /**
   * @throws ApiError conflict if the approval is already decided or its proposal has changed; `details` says
   *   which
   */
  decide(id: string, decision: Decision, options?: EffectOptions): Promise<Decided>;
  /** Decides up to 100, each on its own; the outcomes are in the order of the decisions. */
  decideMany(
    decisions: readonly (Omit<Decision, "edits" | "decision"> & {
      id: string;
      decision: "approve" | "reject";
    })[],
    options?: EffectOptions,
  ): Promise<readonly DecisionOutcome[]>;
  /**
   * Takes back the request for an approval, for who asked; sent again it is answered the same.
   * @throws ApiError conflict, with the `state`, where it was decided before
   */
  withdraw(id: string, options?: RequestOptions): Promise<Decided>;
};

export type InterlockClient = {
  /** Sends one turn and streams its events. */
  chat(message: string, options: ChatOptions): ChatStream;
  readonly runs: Runs;
  readonly approvals: Approvals;
  readonly books: {
    /** What was published to a book that the gateway serves as `/api/v1/<name>`, newest first. */
    list(name: string, options?: PageOptions): Promise<BookPage>;
  };
  readonly sessions: {
    list(options?: PageOptions): Promise<SessionPage>;
    get(id: string, options?: RequestOptions & { limit?: number }): Promise<Session>;
    /**
     * Clears the session's turns and what it works with; its summary stays.
     * @throws ApiError session_busy while one of its runs is active
     */
    reset(id: string, options?: RequestOptions): Promise<Session>;
  };
  readonly agents: { list(options?: RequestOptions): Promise<{ readonly agents: readonly Agent[] }> };
  readonly tools: { list(options?: RequestOptions): Promise<readonly Tool[]> };
  readonly models: { list(options?: RequestOptions): Promise<Models> };
};

/** @throws InterlockError invalid_argument */
export function createClient(options: ClientOptions): InterlockClient {
  const transport = new Transport(settingsOf(options));
  const get = <T>(path: string, { signal }: RequestOptions = {}, query: Call["query"] = {}): Promise<T> =>
    transport.json({ method: "GET", path, query }, signal);
  const post = async <T>(
    call: Pick<Call, "path" | "query"> & { body: object },
    { signal, idempotencyKey }: EffectOptions = {},
  ): Promise<T> => await transport.json(idempotent({ method: "POST", ...call }, idempotencyKey), signal);

  return {
    chat: (message, chatOptions) => chat(transport, message, chatOptions),
    runs: {
      start: async ({ sessionId, multitask, ...order }, effect) => {
        const body = { ...order, session_id: checkId(sessionId, "sessionId") };
        return await post({ path: "/runs", query: { multitask }, body }, effect);
      },
      get: async (id, request) => await get(`/runs/${checkId(id, "run id")}`, request),
      list: async ({ sessionId, signal, ...filters } = {}) =>
        await get("/runs", signal === undefined ? {} : { signal }, { ...filters, session_id: sessionId }),
      cancel: async (id, effect) =>
        await post({ path: `/runs/${checkId(id, "run id")}/cancel`, body: {} }, effect),
      events: eventsOf(transport),
    },
    approvals: {
      list: async ({ state, limit, before, ...request } = {}) =>
        await get("/approvals", request, { state, limit, cursor: before }),
      get: async (id, request) => await get(`/approvals/${checkId(id, "approval id")}`, request),
      decide: async (id, { proposalHash, ...decision }, effect) => {
        const path = `/approvals/${checkId(id, "approval id")}/decision`;
        return await post({ path, body: { ...decision, proposal_hash: proposalHash } }, effect);
      },
      decideMany: async (decisions, effect) => {
        const body = {
          decisions: decisions.map(({ id, proposalHash, ...decision }) => ({
            ...decision,
            approval_id: checkId(id, "approval id"),
            proposal_hash: proposalHash,
          })),
        };
        const call = { path: "/approvals/decisions", body };
        return (await post<{ outcomes: readonly DecisionOutcome[] }>(call, effect)).outcomes;
      },
      withdraw: async (id, request) =>
        await post({ path: `/approvals/${checkId(id, "approval id")}/withdraw`, body: {} }, request),
    },
    books: {
      list: async (name, { limit, before, ...request } = {}) =>
        await get(`/${checkPath(name)}`, request, { limit, before }),
    },
    sessions: {
      list: async ({ limit, before, ...request } = {}) => await get("/sessions", request, { limit, before }),
      get: async (id, { limit, ...request } = {}) =>
        await get(`/sessions/${checkId(id, "session id")}`, request, { limit }),
      reset: async (id, request) =>
        await post({ path: `/sessions/${checkId(id, "session id")}/reset`, body: {} }, request),
    },
    agents: { list: (request) => get("/agents", request) },
    tools: { list: (request) => get("/chat/tools", request) },
    models: { list: (request) => get("/chat/models", request) },
  };
}

function eventsOf(transport: Transport): Runs["events"] {
  function events(id: string, options: RunEventsOptions<"chat"> & { dialect: "chat" }): ChatEventStream;
  function events(id: string, options: RunEventsOptions<"status"> & { dialect: "status" }): StatusEventStream;
  function events(id: string, options?: RunEventsOptions<"run">): RunEventStream;
  function events(
    id: string,
    { dialect, ...options }: RunEventsOptions = {},
  ): ChatEventStream | RunEventStream | StatusEventStream {
    if (dialect === "chat") return chatEvents(transport, id, options);
    return dialect === "status" ? statusEvents(transport, id, options) : runEvents(transport, id, options);
  }
  return events;
}
