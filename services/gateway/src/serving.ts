import type { RequestListener } from "node:http";
import { Approvals } from "./approvals/index.ts";
import type { OnForeign } from "./caller.ts";
import type { Config } from "./config.ts";
import {
  answerWriter,
  keywordRouter,
  loadServiceModel,
  modelSummaries,
  Sessions,
  type Summarise,
  secondOpinion,
  serviceOpinion,
  talkOf,
  warmUp,
} from "./conversation/index.ts";
import type { Edition } from "./edition.ts";
import { allEndpoints, createApi, type Endpoint, type EndpointDeps, type ServeDeps } from "./http/index.ts";
import {
  type Access,
  authenticator,
  compileAccess,
  type Identify,
  type Issuer,
  type IssuerSources,
  issuersOf,
  type Reach,
  reachOf,
} from "./identity/index.ts";
import {
  AgentRates,
  type FailedAuthentications,
  type RateCounters,
  RequestLimits,
  TokenBudget,
} from "./limits/index.ts";
import { inTurns, type LoadedEdition, type Mesh, MeshError } from "./mesh/index.ts";
import type { Metrics } from "./metrics.ts";
import { ModelGateway, type ModelGatewayDeps } from "./models/index.ts";
import {
  Books,
  Decisions,
  type Holder,
  RemoteApprovals,
  type RunEditions,
  Runs,
  Tasks,
  type WordAnswer,
} from "./runs/index.ts";
import type {
  ApprovalStore,
  BookStore,
  EventLog,
  LogReader,
  RedisClient,
  RunStore,
  SessionStore,
  TokenUsage,
} from "./store/index.ts";

/** Who is let in by an edition, and what for. */
export type Gate = { access: Access; issuers: readonly Issuer[]; identify: Identify; reach: Reach };

export type GateDeps = { config: Config; issuerSources: IssuerSources; metrics: Metrics };

/** What serves callers by one edition. */
export type Serving = Gate & {
  agentRates: AgentRates;
  budget: TokenBudget;
  /** Where a model words answers, or summarises conversations. */
  wordAnswer: WordAnswer | undefined;
  summarise: Summarise | undefined;
  decisions: Decisions;
  endpoints: readonly Endpoint[];
  api: RequestListener;
  /** For the metrics, where they have a port of their own. */
  scraped: RequestListener;
};

/** What of the endpoints' needs is made from the manifest. */
type Made =
  | ("access" | "mesh" | "edition" | "route" | "talks" | "services" | "listAgents" | "listModels")
  | ("secondOpinion" | "serviceOpinion" | "askModels")
  | ("tasks" | "runs" | "approvals" | "books" | "decisions" | "sessions");

/** What the editions of a process share. */
export type ServingDeps = {
  redis: RedisClient;
  counters: RateCounters;
  usage: TokenUsage;
  failures: FailedAuthentications;
  store: RunStore;
  sessions: SessionStore;
  approvals: ApprovalStore;
  books: BookStore;
  log: EventLog;
  reader: LogReader;
  holder: Holder;
  editions: RunEditions;
  onQueued: (tenant: string) => void;
  models: Omit<ModelGatewayDeps, "models">;
  onForeign: OnForeign;
  onTrouble: (where: string, error: unknown) => void;
  onLimited: ConstructorParameters<typeof RequestLimits>[0]["onRefused"];
  endpoints: Omit<EndpointDeps, Made>;
  scraped: readonly Endpoint[];
  api: Omit<ServeDeps, "identify" | "quotas" | "edition">;
};

/**
 * Checks what of a manifest only identity/ can.
 * @param before the gate of the edition before: keys that were fetched from an issuer go on to count
 * @throws MeshError, IssuerError
 */
export function gateOf(
  { mesh }: LoadedEdition,
  { config, issuerSources, metrics }: GateDeps,
  before?: Gate,
): Gate {
  const { access, problems } = compileAccess(mesh);
  if (problems.length > 0) throw new MeshError(config.meshFile, problems);
  const declared = { ...mesh.issuers, ...developmentIssuer(config) };
  const issuers = issuersOf(declared, issuerSources, before?.issuers);
  const onRefused = (refusal: { issuer: string; code: string }) => metrics.tokensRefused.inc(refusal);
  const identify = authenticator(issuers, { ...config, onRefused });
  return { access, issuers, identify, reach: reachOf(issuers, config) };
}

/** Makes all that serves callers by an edition, without holding the event loop. */
export async function servingOf(edition: Edition, gate: Gate, deps: ServingDeps): Promise<Serving> {
  const { mesh, agents, registry } = edition;
  const { access, identify } = gate;
  const { store, holder, editions, onQueued, onForeign, onTrouble } = deps;
  const { limits } = mesh;
  const counting = { redis: deps.redis, counters: deps.counters, limits };
  const budget = new TokenBudget({ usage: deps.usage, perDay: limits.tokensPerDay, onTrouble });
  const runs = new Runs({ ...deps, access, edition });
  const approvals = new Approvals(deps.approvals, access);
  const remoteApprovals = new RemoteApprovals({ remotes: edition.remotes, approvals, store, onQueued });
  const decisions = new Decisions({ access, editions, approvals, store, holder, remoteApprovals, onQueued });
  const models = new ModelGateway({ ...deps.models, models: mesh.models });
  await models.load();
  const asking = { mesh, models, prompts: deps.models.prompts };
  const heard = await hearingOf(mesh, deps.endpoints);
  const endpoints = allEndpoints({
    ...deps.endpoints,
    ...{ access, mesh, runs, approvals, decisions, edition: edition.hash },
    route: keywordRouter(mesh),
    ...heard,
    listAgents: () => registry.list(),
    secondOpinion: secondOpinion(asking),
    serviceOpinion: serviceOpinion(asking),
    askModels: models,
    listModels: (names, caller) => models.list(names, caller),
    tasks: new Tasks(agents, registry, access),
    books: new Books(deps.books, access),
    sessions: new Sessions(deps.sessions, store, access, onForeign),
  });
  const quotas = {
    requests: new RequestLimits({ ...counting, onRefused: deps.onLimited }),
    tokens: budget,
    failures: deps.failures,
  };
  const serve = { ...deps.api, identify, quotas, edition };
  return {
    ...gate,
    agentRates: new AgentRates(counting),
    budget,
    wordAnswer: answerWriter(asking),
    summarise: modelSummaries(asking),
    decisions,
    endpoints,
    api: createApi({ ...serve, endpoints }),
    scraped: createApi({ ...serve, endpoints: deps.scraped }),
  };
}

/** What tells what messages ask for. */
async function hearingOf(mesh: Mesh, { detectInjection }: Pick<EndpointDeps, "detectInjection">) {
  const talks = [...mesh.flows.values()].flatMap((flow) => talkOf(flow, mesh) ?? []);
  for (const talk of talks) if (talk.flow.defaultInputs) await talk.prepare(talk.flow.defaultInputs);
  const services = await loadServiceModel(mesh, talks);
  await inTurns(warmUp({ talks, services }, mesh, detectInjection));
  return { talks, services };
}

/** The issuer that a mesh under development brings. */
function developmentIssuer({ developmentIssuer: issuer }: Config): Mesh["issuers"] {
  return issuer === undefined ? {} : { development: { issuer, audience: ["interlock"] } };
}
