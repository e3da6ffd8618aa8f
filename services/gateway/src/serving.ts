import type { RequestListener } from "node:http";
import type { ListedAgent } from "@interlock/contracts";
import type { AgentLoad } from "./agents/index.ts";
import type { Stores } from "./app/stores.ts";
import { Approvals } from "./approvals/index.ts";
import type { OnForeign } from "./caller.ts";
import type { Config } from "./config.ts";
import {
  answerWriter,
  askModel,
  Feedback,
  keywordRouter,
  learntIntents,
  loadServiceModel,
  modelSummaries,
  roundsModel,
  Sessions,
  type Summarise,
  stateReader,
  type Talk,
  talkOf,
  warmUp,
} from "./conversation/index.ts";
import type { Edition } from "./edition.ts";
import {
  allEndpoints,
  createApi,
  type Endpoint,
  type EndpointDeps,
  type Quotas,
  type ServeDeps,
} from "./http/index.ts";
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
  type SigningKeys,
} from "./identity/index.ts";
import { AgentRates, type RateCounters, RequestLimits } from "./limits/index.ts";
import { inTurns, type LoadedEdition, type Mesh, MeshError } from "./mesh/index.ts";
import type { Metrics } from "./metrics.ts";
import { ModelGateway, type ModelGatewayDeps } from "./models/index.ts";
import { type PeerEndpointsDeps, Pushes, peerEndpoints } from "./peers/index.ts";
import {
  Books,
  Decisions,
  EffectStates,
  type Holder,
  type LineageKeeping,
  RemoteApprovals,
  type RoundsModel,
  type RunEditions,
  Runs,
  Tasks,
  type WordAnswer,
} from "./runs/index.ts";
import { Tools, type ToolsDeps } from "./tools/index.ts";

/** Who is let in by an edition, and what for. */
export type Gate = {
  access: Access;
  issuers: readonly Issuer[];
  /** As the manifest has them, by name. */
  declared: Mesh["issuers"];
  identify: Identify;
  reach: Reach;
};

export type GateDeps = { config: Config; issuerSources: IssuerSources; metrics: Metrics };

/** What serves callers by one edition. */
export type Serving = Gate & {
  agentRates: AgentRates;
  /** Where a model words answers, or summarises conversations. */
  wordAnswer: WordAnswer | undefined;
  summarise: Summarise | undefined;
  tools: Tools;
  roundsModel: RoundsModel;
  decisions: Decisions;
  /** Where callers may have push notifications sent. */
  pushes: Pushes | undefined;
  endpoints: readonly Endpoint[];
  api: RequestListener;
  /** For the metrics, where they have a port of their own. */
  scraped: RequestListener;
};

/** What of the endpoints' needs is made from the manifest. */
type Made =
  | (
      | "access"
      | "mesh"
      | "edition"
      | "route"
      | "talks"
      | "services"
      | "listAgents"
      | "listModels"
      | "registry"
    )
  | ("askModel" | "askModels")
  | ("state" | "effectStates" | "pushes")
  | ("tools" | "tasks" | "runs" | "approvals" | "books" | "decisions" | "sessions" | "feedback");

/** What the editions of a process share. */
export type ServingDeps = {
  stores: Stores;
  counters: RateCounters;
  quotas: Omit<Quotas, "requests">;
  holder: Holder;
  keys: SigningKeys;
  lineage: LineageKeeping;
  editions: RunEditions;
  onQueued: (tenant: string) => void;
  models: Omit<ModelGatewayDeps, "models">;
  tools: Pick<ToolsDeps, "sign" | "judge" | "observer">;
  onForeign: OnForeign;
  onLimited: ConstructorParameters<typeof RequestLimits>[0]["onRefused"];
  endpoints: Omit<EndpointDeps & PeerEndpointsDeps, Made>;
  scraped: readonly Endpoint[];
  api: Omit<ServeDeps, "identify" | "quotas" | "edition">;
};

/**
 * Checks what of a manifest only identity/ can.
 * @param before the gate of the edition before: keys that were fetched from an issuer go on to count
 * @throws MeshError, IssuerError
 */
export function gateOf(
  { mesh, places }: LoadedEdition,
  { config, issuerSources, metrics }: GateDeps,
  before?: Gate,
): Gate {
  const { access, problems } = compileAccess(mesh);
  if (mesh.peers.a2a?.pushTo && config.keyFile === undefined)
    problems.push(
      "peers.a2a.push_to: what receivers want to be told with is kept encrypted; set GATEWAY_KEY_FILE",
    );
  if (problems.length > 0) throw new MeshError(config.meshFile, problems, places);
  const declared = { ...mesh.issuers, ...developmentIssuer(config) };
  const issuers = issuersOf(declared, issuerSources, before?.issuers);
  const onRefused = (refusal: { issuer: string; code: string }) => metrics.tokensRefused.inc(refusal);
  const identify = authenticator(issuers, { ...config, onRefused });
  return { access, issuers, declared, identify, reach: reachOf(issuers, config) };
}

/** Makes all that serves callers by an edition, without holding the event loop. */
export async function servingOf(edition: Edition, gate: Gate, deps: ServingDeps): Promise<Serving> {
  const { mesh, agents, registry } = edition;
  const { access, identify } = gate;
  const { stores, holder, editions, onQueued, onForeign } = deps;
  const { runs: store, log, reader } = stores;
  const { limits } = mesh;
  const counting = { redis: stores.redis, counters: deps.counters, limits };
  const runs = new Runs({
    ...{ access, edition, store, log, reader, holder, onQueued, onForeign },
    lineage: deps.lineage,
  });
  const approvals = new Approvals(stores.approvals, access);
  const remoteApprovals = new RemoteApprovals({ remotes: edition.remotes, approvals, store, onQueued });
  const books = new Books(stores.books, access);
  const effectStates = new EffectStates({ mesh, access, approvals, books, bookStore: stores.books });
  const models = new ModelGateway({ ...deps.models, models: mesh.models });
  await models.load();
  const asking = { mesh, models, prompts: deps.models.prompts };
  const heard = await hearingOf(mesh, deps.endpoints);
  const agentRates = new AgentRates(counting);
  const tools = new Tools({
    ...deps.tools,
    servers: edition.toolServers,
    may: (caller, name) => access.may(caller, "use", { kind: "tool", name }),
    rightsOf: (caller) => ({ roles: access.knownRoles(caller), rows: access.rowsOf(caller) }),
    take: ({ tenant }, name) => agentRates.takeTool(tenant, name),
    cacheBytes: mesh.tools.cacheBytes,
  });
  const decisions = new Decisions({
    ...{ access, editions, approvals, store, due: stores.due, holder, remoteApprovals, onQueued },
    ...{ tools, judge: deps.tools.judge },
  });
  const pushes = mesh.peers.a2a?.pushTo
    ? new Pushes({ mesh, access, runs, store: stores.pushes, keys: deps.keys })
    : undefined;
  const served = {
    ...deps.endpoints,
    pushes,
    ...{ access, mesh, tools, runs, approvals, decisions, edition: edition.hash },
    route: keywordRouter(mesh),
    ...heard,
    registry,
    listAgents: () => {
      const loads = agents.loads();
      return registry.list().map((one) => ({ ...one, ...loadOf(loads.get(one.name)) }));
    },
    askModel: askModel(asking),
    askModels: models,
    listModels: (...asked: Parameters<ModelGateway["list"]>) => models.list(...asked),
    tasks: new Tasks(agents, registry, access),
    ...{ books, effectStates, state: stateReader(mesh) },
    feedback: new Feedback({ access, runs, store: stores.feedback }),
    sessions: new Sessions(stores.sessions, {
      results: store,
      access,
      onForeign,
      slots: (flow) => mesh.flows.get(flow)?.slots?.slots ?? [],
    }),
  };
  const endpoints = [...allEndpoints(served), ...(await peerEndpoints(served))];
  const quotas = {
    ...deps.quotas,
    requests: new RequestLimits({ ...counting, onRefused: deps.onLimited }),
  };
  const serve = { ...deps.api, identify, quotas, edition };
  return {
    ...gate,
    agentRates,
    wordAnswer: answerWriter(asking),
    summarise: modelSummaries(asking),
    tools,
    roundsModel: roundsModel(asking),
    decisions,
    pushes,
    endpoints,
    api: createApi({ ...serve, endpoints }),
    scraped: createApi({ ...serve, endpoints: deps.scraped }),
  };
}

/** What tells what messages ask for. */
async function hearingOf(
  mesh: Mesh,
  { detectInjection, reader }: Pick<EndpointDeps, "detectInjection" | "reader">,
) {
  const talks: Talk[] = [];
  for (const flow of mesh.flows.values()) {
    const talk = talkOf(flow, mesh, flow.intents ?? (await learntIntents(flow, mesh)), reader);
    if (talk) talks.push(talk);
  }
  for (const talk of talks) if (talk.flow.defaultInputs) await talk.prepare(talk.flow.defaultInputs);
  const services = await loadServiceModel(mesh, talks);
  await inTurns(warmUp({ talks, services }, mesh, detectInjection));
  return { talks, services };
}

/** What this replica has at an agent, as callers are told. */
function loadOf(load: AgentLoad | undefined): Pick<ListedAgent, "load"> {
  if (!load) return {};
  const { inFlight: running, limit, queued: waiting, oldestMs, latencyMs } = load;
  return {
    load: {
      ...{ running, limit: Math.floor(limit), waiting, oldest_ms: Math.round(oldestMs) },
      ...(latencyMs === undefined ? {} : { latency_ms: Math.round(latencyMs) }),
    },
  };
}

/** The issuer that a mesh under development brings. */
function developmentIssuer({ developmentIssuer: issuer }: Config): Mesh["issuers"] {
  return issuer === undefined
    ? {}
    : { development: { issuer, audience: ["interlock"], sign_in: { client_id: "console" } } };
}
