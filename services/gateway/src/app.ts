import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { secretOf } from "@interlock/contracts/settings";
import type { Logger } from "pino";
import { Agent, type Dispatcher } from "undici";
import injectionScorer from "../guards/injection/scorer.json" with { type: "json" };
import { AgentClient, AgentRegistry, RemoteClient } from "./agents/index.ts";
import { Approvals, ProposalEditor } from "./approvals/index.ts";
import { Audit } from "./audit/index.ts";
import type { OnForeign } from "./caller.ts";
import type { Config } from "./config.ts";
import {
  answerWriter,
  keywordRouter,
  loadServiceModel,
  Memory,
  modelSummaries,
  SessionInputs,
  Sessions,
  secondOpinion,
  TokenCounter,
  talkOf,
  warmUp,
} from "./conversation/index.ts";
import { Egress } from "./egress/index.ts";
import { getJson } from "./get-json.ts";
import {
  allEndpoints,
  clientAddress,
  createApiServer,
  describeError,
  type Endpoint,
  metricsEndpoint,
  parseInPieces,
  SseStreams,
} from "./http/index.ts";
import {
  authenticator,
  compileAccess,
  dispatchSigner,
  isFromHere,
  isLoopback,
  issuersOf,
  remoteSigner,
  SigningKeys,
} from "./identity/index.ts";
import { injectionDetector, readScorer } from "./language/index.ts";
import {
  AgentRates,
  FailedAuthentications,
  RateCounters,
  RequestLimits,
  TokenBudget,
} from "./limits/index.ts";
import { LoopWatch } from "./loop-watch.ts";
import { ExpressionPool, loadMesh, type Mesh, MeshError } from "./mesh/index.ts";
import { Metrics } from "./metrics.ts";
import { ModelGateway, modelLine, Prompts, UsageMeter, UsageReports } from "./models/index.ts";
import {
  Decisions,
  Holder,
  Planner,
  Queues,
  RemoteApprovals,
  Remotes,
  Runs,
  Sweeper,
  Tasks,
} from "./runs/index.ts";
import {
  ApprovalStore,
  AuditLog,
  connect,
  DueIndex,
  EventLog,
  GetTurns,
  LeaseStore,
  LogReader,
  ModelBudgets,
  Outbox,
  RunStore,
  redisEndpoints,
  SessionStore,
  StoreClock,
  TokenUsage,
  UsageStore,
} from "./store/index.ts";

export type Gateway = {
  url: string;
  /** Where the metrics are served, if they have a port of their own. */
  metricsUrl?: string;
  /** What it serves. */
  endpoints: readonly Endpoint[];
  /** Takes no more work, ends or hands over what runs within the grace time, closes everything. */
  stop(): Promise<void>;
};

/** For what was checked when it came. */
const NO_LIMITS = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY };

/** When readers come back after this replica has ended their streams. */
const RECONNECT_MS = 500;

/**
 * Puts the gateway together and listens.
 * @throws MeshError for a manifest that cannot be used; an Error with a `code` such as EADDRINUSE where it cannot listen
 */
export async function startGateway(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): Promise<Gateway> {
  const expressions = new ExpressionPool(config);
  const mesh = loadMesh(config.meshFile, env, expressions, {
    loopback: isLoopback(config.host),
    reserved: redisEndpoints(config.redisUrl),
  });
  const { access, problems } = compileAccess(mesh);
  if (problems.length > 0) throw new MeshError(config.meshFile, problems);
  const egress = new Egress({
    rules: mesh.egress,
    proxy: config.egressProxy,
    onRefused: (refused) => logger.error(refused, "a connection is not allowed by the manifest"),
  });
  const outbound = new Agent({ connect: egress.connector(ISSUER_LIMITS.timeoutMs) });
  const onTrouble = (where: string, error: unknown) =>
    logger.warn({ where, cause: describeError(error) }, "trouble");

  const issuers = issuersOf(
    { ...mesh.issuers, ...developmentIssuer(config) },
    {
      secret: (variable) => secretOf(env, variable),
      getJson: (url) => issuerJson(url, outbound),
      cacheS: config.issuerCacheS,
    },
  );
  const redis = connect(config.redisUrl, onTrouble, config.redisTls);
  const clock = new StoreClock();
  const due = new DueIndex(redis.commands, clock, config);
  const parts = { redis: redis.commands, due, clock };
  const store = new RunStore(parts, config);
  const leases = new LeaseStore(redis.commands, config);
  const log = new EventLog(redis.log, config);
  const reader = new LogReader(redis.commands, redis.tails);
  const sessionStore = new SessionStore(redis.commands);
  const audit = new Audit({
    log: new AuditLog(redis.commands),
    observe: (outcome, entries) => metrics.audited.inc({ outcome }, entries),
    onTrouble: (error) => onTrouble("audit", error),
  });
  const onForeign: OnForeign = (caller, resource) => audit.note({ act: "foreign_access", caller, resource });
  const sessions = new Sessions(sessionStore, store, access, onForeign);
  const tokens = new TokenCounter();

  const streams = new SseStreams({
    maxStreams: config.maxStreams,
    onFailure: (error) => onTrouble("stream", error),
  });
  const loop = new LoopWatch({
    shedMs: config.loopShedMs,
    reportMs: config.loopReportMs,
    onStall: ({ ms, ownMs, suspects }) =>
      logger.warn({ stall_ms: ms, own_ms: ownMs, suspects }, "the event loop was held"),
  });
  const metrics: Metrics = new Metrics({
    streams: () => streams.size,
    runs: () => holder.size,
    loopStallMs: () => loop.longestMs,
    agents: () => agents.loads(),
  });
  const keys = config.keyFile === undefined ? SigningKeys.inMemory() : SigningKeys.ofFile(config.keyFile);
  const counting = {
    redis: redis.commands,
    counters: new RateCounters(redis.commands),
    limits: mesh.limits,
  };
  const budget = new TokenBudget({
    usage: new TokenUsage(redis.commands),
    perDay: mesh.limits.tokensPerDay,
    onTrouble,
  });
  const usageStore = new UsageStore(redis.commands);
  const meter = new UsageMeter({
    store: usageStore,
    chargeRun: (runId, used) => holder.charge(runId, used),
    onTrouble,
  });
  const usageReports = new UsageReports(usageStore);
  const prompts = new Prompts();
  const models = new ModelGateway({
    models: mesh.models,
    dispatcher: outbound,
    secret: (variable) => secretOf(env, variable),
    budgets: new ModelBudgets(redis.commands),
    prompts,
    countTokens: (texts) => tokens.count(texts),
    observer: {
      onAttempt: (call, attempt) => {
        const { inputTokens, outputTokens } = attempt.used;
        metrics.models.onAttempt(call, attempt);
        meter.ofAttempt(call, attempt);
        void budget.charge(call.caller.tenant, { total_tokens: inputTokens + outputTokens });
      },
      onCall: (report) => {
        metrics.models.onCall(report);
        logger.info(modelLine(report), "model asked");
      },
      onBreaker: metrics.models.onBreaker,
    },
    onTrouble,
  });
  const memory = new Memory({
    store: sessionStore,
    countTokens: (texts) => tokens.count(texts),
    summarise: modelSummaries({ mesh, models, prompts }),
    limits: config,
    onTrouble,
  });
  await models.load();
  const agentRates = new AgentRates(counting);
  const specs = [...mesh.agents.values()];
  const agents: AgentClient = new AgentClient({
    agents: specs,
    egress,
    sign: dispatchSigner({ keys, issuer: config.issuer, rowsOf: (caller) => access.rowsOf(caller) }),
    observer: metrics.agents,
    allowance: {
      take: ({ caller, agent, task }) => caller && agentRates.take(caller.tenant, agent, task),
      used: (request, usage) => {
        meter.ofAgent(request, usage);
        void budget.charge(request.caller.tenant, usage);
      },
    },
    large: expressions,
  });
  const registry = new AgentRegistry({
    agents: specs,
    egress,
    observer: metrics.agents,
    breakerState: (agent) => agents.breakerState(agent),
    onReady: (agent) => agents.noteReady(agent),
  });

  const gateways = new RemoteClient({
    egress,
    gatewayId: keys.id,
    observer: metrics.agents,
    large: expressions,
  });
  const remotes = new Remotes({
    client: gateways,
    sign: remoteSigner({ keys, issuer: config.issuer }),
    mesh,
  });

  const planner = new Planner(mesh);
  const onQueued = (tenant: string): void => queues.relay(tenant);
  const holder: Holder = new Holder({
    mesh,
    planner,
    agents,
    sessions: sessionStore,
    remotes,
    readResult: (keys, from) => store.result(keys, from),
    store,
    leases,
    log,
    maxRuns: config.maxRuns,
    leaseMs: config.leaseMs,
    slowWarningMs: config.slowWarningMs,
    wordAnswer: answerWriter({ mesh, models, prompts }),
    onQueued,
    onRest: (run, { requestId, intent, understood, model, issuer, subject }, { outcome, failure }) => {
      metrics.runs.inc({ intent, outcome });
      loop.note(`run ${run.id}`);
      // A pause has put its approval into the outbox.
      if (outcome === "paused") onQueued(run.keys.tenant);
      const { id: runId, keys, sessionId, rawTurns } = run;
      memory.afterTurn({
        keys,
        sessionId,
        runId,
        rawTurns,
        caller: { tenant: keys.tenant, issuer, subject },
      });
      const line = { request_id: requestId, run_id: run.id, intent, understood, model, outcome };
      if (failure) logger.warn({ ...line, cause: describeError(failure.cause) }, "run rests");
      else logger.info(line, "run rests");
    },
  });
  const runs = new Runs({ access, planner, store, log, reader, holder, remotes, onQueued, onForeign });
  const approvals = new Approvals(
    new ApprovalStore(parts, config.leaseMs),
    new ProposalEditor(mesh, agents),
    access,
  );
  const remoteApprovals = new RemoteApprovals({ remotes, approvals, store, onQueued });
  const decisions = new Decisions({ access, mesh, approvals, store, holder, remoteApprovals, onQueued });
  const queues: Queues = new Queues({
    redisUrl: config.redisUrl,
    redisTls: config.redisTls,
    holder,
    outbox: new Outbox(redis.commands),
    decisions,
    concurrency: config.maxRuns,
    onTrouble,
  });
  const sweeper = new Sweeper({
    due,
    leases,
    store,
    decisions,
    relay: (tenant) => queues.relay(tenant),
    onTrouble,
  });

  const loopback = isLoopback(config.host);
  const isLocal = (headers: IncomingHttpHeaders): boolean =>
    loopback && isFromHere(headers, config.corsOrigins);
  let stopping = false;
  const ready = async (): Promise<boolean> =>
    !stopping && redis.commands.status === "ready" && (await succeeds(() => redis.commands.ping()));
  const talks = [...mesh.flows.values()].flatMap((flow) => talkOf(flow, mesh) ?? []);
  const detectInjection = injectionDetector(readScorer(injectionScorer));
  const services = await loadServiceModel(mesh, talks);
  warmUp({ talks, services }, mesh, detectInjection);
  const endpoints = allEndpoints({
    access,
    mesh,
    route: keywordRouter(mesh),
    talks,
    services,
    inputs: new SessionInputs(runs, (text) => parseInPieces(Buffer.from(text), NO_LIMITS)),
    intentThreshold: config.intentThreshold,
    secondOpinion: secondOpinion({ mesh, models, prompts }),
    listAgents: () => registry.list(),
    listModels: (names, caller) => models.list(names, caller),
    reportUsage: (caller, query) => usageReports.report(caller, query),
    tasks: new Tasks(agents, registry, access),
    runs,
    approvals,
    decisions,
    sessions,
    detectInjection,
    onInjection: ({ detector, requestId }) => {
      metrics.injections.inc({ detector });
      logger.warn({ request_id: requestId, code: "AGT_004", detector }, "message refused");
    },
    maxMessageChars: config.maxMessageChars,
    getTurns: new GetTurns(redis.commands),
    devMode: config.devMode,
    streams,
    jwks: keys.jwks,
    gatewayId: keys.id,
    metrics: config.metricsPort === undefined ? metrics.registry : undefined,
    isLocal,
    ready,
    loopStallMs: () => loop.longestMs,
  });
  const serving = {
    identify: authenticator(issuers, {
      ...config,
      onRefused: (refusal) => metrics.tokensRefused.inc(refusal),
    }),
    addressOf: clientAddress(config.trustedProxies),
    quotas: {
      requests: new RequestLimits({
        ...counting,
        onRefused: (limit) => metrics.rateLimited.inc({ limit }),
      }),
      tokens: budget,
      failures: new FailedAuthentications(config.failedAuthPerMinute),
    },
    observe: metrics.observeRequest,
    audit,
    logger,
    limits: config,
    corsOrigins: config.corsOrigins,
    loop,
    maxConnections: config.maxConnections,
    onRefused: () => metrics.connectionsRefused.inc(),
  };
  const server = createApiServer({ ...serving, endpoints });
  const scraped = createApiServer({ ...serving, endpoints: [metricsEndpoint(metrics.registry)] });
  try {
    await listen(server, config.host, config.port);
    if (config.metricsPort !== undefined) await listen(scraped, config.host, config.metricsPort);
  } catch (error) {
    server.close();
    await Promise.all([
      queues.close(),
      audit.close(),
      redis.close(),
      agents.close(),
      gateways.close(),
      outbound.close(),
    ]);
    throw error;
  }
  loop.start();
  void registry.start();
  holder.start();
  sweeper.start();

  return {
    url: urlOf(server, config.host),
    ...(scraped.listening ? { metricsUrl: urlOf(scraped, config.host) } : {}),
    endpoints,
    async stop() {
      // Not ready any more, and new work is refused. The server keeps accepting connections until running work has finished: a balancer
      // that has not noticed yet gets an answer that it can retry elsewhere.
      stopping = true;
      const drained = holder.drain(config.shutdownGraceMs);
      await Promise.all([sweeper.stop(), queues.pause()]);
      await drained;
      const closed = new Promise((resolve) => server.close(resolve));
      streams.endAll(RECONNECT_MS);
      // Answers the requests that wait for a run on another replica.
      const unread = reader.close();
      scraped.close();
      scraped.closeAllConnections();
      server.closeIdleConnections();
      const forced = setTimeout(() => server.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(forced);
      loop.stop();
      await queues.close();
      await registry.stop();
      await memory.idle();
      await meter.idle();
      await tokens.close();
      await audit.close();
      const clients = [agents.close(), gateways.close(), outbound.close()];
      await Promise.all([unread, redis.close(), ...clients, expressions.close()]);
    },
  };
}

/** The issuer that a mesh under development brings. */
function developmentIssuer({ developmentIssuer: issuer }: Config): Mesh["issuers"] {
  return issuer === undefined ? {} : { development: { issuer, audience: ["interlock"] } };
}

const ISSUER_LIMITS = { timeoutMs: 5_000, maxBytes: 512 * 1024 };

async function issuerJson(url: string, dispatcher: Dispatcher): Promise<unknown> {
  const signal = new AbortController().signal;
  const answer = await getJson(url, { dispatcher, signal, ...ISSUER_LIMITS });
  return answer?.status === 200 ? answer.body : undefined;
}

function urlOf(server: Server, host: string): string {
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
