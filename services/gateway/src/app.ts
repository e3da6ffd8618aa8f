import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { agentContract, compileNow, gatewayContract } from "@interlock/contracts";
import { secretOf } from "@interlock/contracts/settings";
import type { Logger } from "pino";
import { Agent, type Dispatcher } from "undici";
import injectionScorer from "../guards/injection/scorer.json" with { type: "json" };
import { Upstreams } from "./agents/index.ts";
import { Audit } from "./audit/index.ts";
import type { Caller } from "./caller.ts";
import type { Config } from "./config.ts";
import { Memory, SessionInputs, TokenCounter } from "./conversation/index.ts";
import { Editions } from "./editions.ts";
import { Egress } from "./egress/index.ts";
import { getJson } from "./get-json.ts";
import {
  Bodies,
  clientAddress,
  createApiServer,
  describeError,
  type Endpoint,
  metricsEndpoint,
  pageEndpoints,
  parseInPieces,
  SseStreams,
} from "./http/index.ts";
import {
  dispatchSigner,
  isFromHere,
  isLoopback,
  remoteSigner,
  SigningKeys,
  whyUndecidable,
} from "./identity/index.ts";
import { injectionDetector, readScorer } from "./language/index.ts";
import { FailedAuthentications, RateCounters } from "./limits/index.ts";
import { LoopWatch } from "./loop-watch.ts";
import { ExpressionPool, loadEdition } from "./mesh/index.ts";
import { Metrics } from "./metrics.ts";
import { modelLine, Prompts, UsageMeter, UsageReports } from "./models/index.ts";
import { Holder, Queues, type QueuesDeps, Sweeper } from "./runs/index.ts";
import { type GateDeps, gateOf, type ServingDeps, servingOf } from "./serving.ts";
import {
  ApprovalStore,
  AuditLog,
  BookStore,
  connect,
  DueIndex,
  EditionStore,
  EventLog,
  GetTurns,
  keysOf,
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
  readonly endpoints: readonly Endpoint[];
  /** Reads the manifest again; one that cannot be used changes nothing. */
  reload(): Promise<void>;
  /** Takes no more work, ends or hands over what runs within the grace time, closes everything. */
  stop(): Promise<void>;
};

const { runEvent, approvalView, decisionAnswer, ...others } = gatewayContract;

/** What agents, callers and other gateways send: checked in the event loop, where nothing is compiled while others wait. */
const RECEIVED = [
  ...Object.values(agentContract),
  ...Object.entries(others).flatMap(([name, validate]) => (name.endsWith("Request") ? [validate] : [])),
  ...[runEvent, approvalView, decisionAnswer],
];

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
  const onTrouble = (where: string, error: unknown) =>
    logger.warn({ where, cause: describeError(error) }, "trouble");
  const expressions = new ExpressionPool(config);
  const loopback = isLoopback(config.host);
  const parse = (json: Buffer) => parseInPieces(json, NO_LIMITS);
  const manifest = {
    file: config.meshFile,
    env,
    pool: expressions,
    surroundings: { loopback, reserved: redisEndpoints(config.redisUrl) },
    parse,
  };
  const metrics: Metrics = new Metrics({
    streams: () => streams.size,
    runs: () => holder.size,
    loopStallMs: () => loop.longestMs,
    agents: () => editions.current.agents.loads(),
    edition: () => editions.current.hash,
    editions: () => editions.size,
  });
  const outbound = new Agent({ connect: (options, callback) => editions.current.connect(options, callback) });
  const checks: GateDeps = {
    config,
    issuerSources: {
      secret: (variable) => secretOf(env, variable),
      getJson: (url) => issuerJson(url, outbound),
      cacheS: config.issuerCacheS,
    },
    metrics,
  };
  // Before anything is opened.
  const first = loadEdition(manifest);
  const gate = gateOf(first, checks);
  compileNow(RECEIVED);
  const keys = config.keyFile === undefined ? SigningKeys.inMemory() : SigningKeys.ofFile(config.keyFile);
  const redis = connect(config.redisUrl, onTrouble, config.redisTls);
  const clock = new StoreClock();
  const due = new DueIndex(redis.commands, clock, config);
  const parts = { redis: redis.commands, due, clock };
  const store = new RunStore(parts, config);
  const leases = new LeaseStore(redis.commands, config);
  const log = new EventLog(redis.log, config);
  const reader = new LogReader(redis.commands, redis.tails);
  const sessions = new SessionStore(redis.commands);
  const audit = new Audit({
    log: new AuditLog(redis.commands),
    observe: (outcome, entries) => metrics.audited.inc({ outcome }, entries),
    onTrouble: (error) => onTrouble("audit", error),
  });
  const usage = new UsageStore(redis.commands);
  const meter = new UsageMeter({
    store: usage,
    chargeRun: (runId, used) => holder.charge(runId, used),
    onTrouble,
  });
  const usageReports = new UsageReports(usage);
  const tokens = new TokenCounter();
  const memory = new Memory({
    store: sessions,
    countTokens: (texts) => tokens.count(texts),
    summarise: async (...turn) => await editions.serving.summarise?.(...turn),
    limits: config,
    onTrouble,
  });

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
  // Roles and limits are the mesh's as it is now, also for runs of an earlier edition.
  const upstreams = new Upstreams({ observer: metrics.agents });
  const editions: Editions = new Editions({
    ...checks,
    manifest,
    egressOf: ({ egress: rules }) =>
      new Egress({
        rules,
        proxy: config.egressProxy,
        onRefused: (refused) => logger.error(refused, "a connection is not allowed by the manifest"),
      }),
    agents: {
      upstreams,
      sign: dispatchSigner({
        keys,
        issuer: config.issuer,
        rowsOf: (caller) => editions.serving.access.rowsOf(caller),
      }),
      observer: metrics.agents,
      allowance: {
        take: ({ caller, agent, task }) =>
          caller && editions.serving.agentRates.take(caller.tenant, agent, task),
        used: (request, usage) => {
          meter.ofAgent(request, usage);
          void editions.serving.budget.charge(request.caller.tenant, usage);
        },
      },
      large: expressions,
    },
    remotes: {
      gatewayId: keys.id,
      sign: remoteSigner({ keys, issuer: config.issuer }),
      observer: metrics.agents,
      large: expressions,
    },
    store: new EditionStore(redis.commands),
    serve: (edition, gate) => servingOf(edition, gate, serving),
    audit,
    logger,
    onTrouble,
  });

  const onQueued = (tenant: string): void => queues.relay(tenant);
  const holder: Holder = new Holder({
    editions,
    sessions,
    readResult: (keys, from) => store.result(keys, from),
    store,
    leases,
    log,
    maxRuns: config.maxRuns,
    leaseMs: config.leaseMs,
    slowWarningMs: config.slowWarningMs,
    wordAnswer: async (answer) => await editions.serving.wordAnswer?.(answer),
    whyUndecidable: (about) => whyUndecidable(about, editions.serving.access, editions.serving.reach),
    onQueued,
    onRest: (run, { requestId, intent, understood, model, issuer, subject }, { outcome, failure }) => {
      metrics.runs.inc({ intent, outcome });
      loop.note(`run ${run.id}`);
      // A pause has put its approval into the outbox.
      if (outcome === "paused") onQueued(run.keys.tenant);
      const { id: runId, keys, sessionId, rawTurns } = run;
      memory.afterTurn({
        ...{ keys, sessionId, runId, rawTurns },
        caller: { tenant: keys.tenant, issuer, subject },
      });
      const line = { request_id: requestId, run_id: run.id, intent, understood, model, outcome };
      if (failure) logger.warn({ ...line, cause: describeError(failure.cause) }, "run rests");
      else logger.info(line, "run rests");
    },
  });
  const isLocal = (headers: IncomingHttpHeaders): boolean =>
    loopback && isFromHere(headers, config.corsOrigins);
  let stopping = false;
  const ready = async (): Promise<boolean> =>
    !stopping && redis.commands.status === "ready" && (await succeeds(() => redis.commands.ping()));
  const inputsOf = (caller: Caller, run: string) => store.inputs(keysOf(caller.tenant), run);
  const serving: ServingDeps = {
    redis: redis.commands,
    counters: new RateCounters(redis.commands),
    usage: new TokenUsage(redis.commands),
    failures: new FailedAuthentications(config.failedAuthPerMinute),
    approvals: new ApprovalStore(parts, config.leaseMs),
    books: new BookStore(redis.commands),
    ...{ store, sessions, log, reader, holder, editions, onQueued, onTrouble },
    models: {
      dispatcher: outbound,
      secret: (variable) => secretOf(env, variable),
      budgets: new ModelBudgets(redis.commands),
      prompts: new Prompts(),
      countTokens: (texts) => tokens.count(texts),
      observer: {
        onAttempt: (call, attempt) => {
          const { inputTokens, outputTokens } = attempt.used;
          metrics.models.onAttempt(call, attempt);
          meter.ofAttempt(call, attempt);
          void editions.serving.budget.charge(call.caller.tenant, {
            total_tokens: inputTokens + outputTokens,
          });
        },
        onCall: (report) => {
          metrics.models.onCall(report);
          logger.info(modelLine(report), "model asked");
        },
        onBreaker: metrics.models.onBreaker,
      },
      onTrouble,
    },
    onForeign: (caller, resource) => audit.note({ act: "foreign_access", caller, resource }),
    onLimited: (limit) => metrics.rateLimited.inc({ limit }),
    endpoints: {
      inputs: new SessionInputs({ inputsOf }, (text) => parse(Buffer.from(text))),
      intentThreshold: config.intentThreshold,
      detectInjection: injectionDetector(readScorer(injectionScorer)),
      onInjection: ({ detector, requestId }) => {
        metrics.injections.inc({ detector });
        logger.warn({ request_id: requestId, code: "AGT_004", detector }, "message refused");
      },
      maxMessageChars: config.maxMessageChars,
      reportUsage: (caller, query) => usageReports.report(caller, query),
      getTurns: new GetTurns(redis.commands),
      devMode: config.devMode,
      streams,
      jwks: keys.jwks,
      gatewayId: keys.id,
      metrics: config.metricsPort === undefined ? metrics.registry : undefined,
      isLocal,
      ready,
      loopStallMs: () => loop.longestMs,
      reload: (caller) => editions.reload(caller),
      pages: pageEndpoints(),
    },
    scraped: [metricsEndpoint(metrics.registry)],
    api: {
      addressOf: clientAddress(config.trustedProxies),
      observe: metrics.observeRequest,
      audit,
      logger,
      bodies: new Bodies(config),
      corsOrigins: config.corsOrigins,
      loop,
    },
  };
  // Jobs come as soon as there are queues.
  await editions.start(first, gate);
  const decisions: QueuesDeps["decisions"] = {
    due: (...about) => editions.serving.decisions.due(...about),
    expiry: (...about) => editions.serving.decisions.expiry(...about),
  };
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

  const listening = {
    observe: metrics.observeRequest,
    logger,
    maxConnections: config.maxConnections,
    onRefused: () => metrics.connectionsRefused.inc(),
  };
  const server = createApiServer({ ...listening, api: (req, res) => editions.serving.api(req, res) });
  const scraped = createApiServer({ ...listening, api: (req, res) => editions.serving.scraped(req, res) });
  const close = async () => {
    await Promise.all([queues.close(), editions.close()]);
    await Promise.all([memory.idle(), meter.idle()]);
    await Promise.all([tokens.close(), audit.close()]);
    upstreams.close();
    await Promise.all([redis.close(), outbound.close(), expressions.close()]);
  };
  try {
    await listen(server, config.host, config.port);
    if (config.metricsPort !== undefined) await listen(scraped, config.host, config.metricsPort);
  } catch (error) {
    server.close();
    await close();
    throw error;
  }
  loop.start();
  holder.start();
  sweeper.start();

  return {
    url: urlOf(server, config.host),
    ...(scraped.listening ? { metricsUrl: urlOf(scraped, config.host) } : {}),
    get endpoints() {
      return editions.serving.endpoints;
    },
    async reload() {
      // What came of it is in the log.
      await editions.reload().catch(() => undefined);
    },
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
      await Promise.all([unread, close()]);
    },
  };
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
