import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { agentContract, compileNow, gatewayContract } from "@interlock/contracts";
import { secretOf } from "@interlock/contracts/settings";
import type { Logger } from "pino";
import { Agent, type Dispatcher } from "undici";
import { editionsPart } from "./app/editions.ts";
import { listenersPart } from "./app/listeners.ts";
import { modelsPart } from "./app/models.ts";
import { holderPart, queuesPart } from "./app/runs.ts";
import { openStores } from "./app/stores.ts";
import type { Config } from "./config.ts";
import { Browsers, pageEndpoints, signInEndpoints } from "./console/index.ts";
import { SessionInputs } from "./conversation/index.ts";
import type { Editions } from "./editions.ts";
import { getJson } from "./get-json.ts";
import {
  Bodies,
  clientAddress,
  describeError,
  type Endpoint,
  metricsEndpoint,
  parseInPieces,
  SseStreams,
} from "./http/index.ts";
import { dispatchSigner, isFromHere, isLoopback, isOwnHost, SigningKeys } from "./identity/index.ts";
import { injectionDetector, loadReader, loadRisk, type RiskModel, readScorer } from "./language/index.ts";
import { FailedAuthentications, RateCounters } from "./limits/index.ts";
import { LoopWatch } from "./loop-watch.ts";
import { LargeValues, loadEdition } from "./mesh/index.ts";
import { Metrics } from "./metrics.ts";
import { usageReport } from "./models/index.ts";
import { type Holder, LineageKeeping } from "./runs/index.ts";
import { type GateDeps, gateOf, type ServingDeps, servingOf } from "./serving.ts";
import { keysOf, redisEndpoints, type Wants } from "./store/index.ts";
import { declaredReceivers, isWanted, taskReceivers, Webhooks } from "./webhooks/index.ts";

const SCORER = new URL("../guards/injection/scorer.json", import.meta.url);

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

/** What judging a value by a schema of an MCP server may take. */
const FOREIGN_SCHEMAS = { largeTimeoutMs: 2_000, largeMemoryMb: 128 };

/** For what was checked when it came. */
const NO_LIMITS = { maxDepth: Number.POSITIVE_INFINITY, maxValues: Number.POSITIVE_INFINITY };

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
  // Parts are stopped in the opposite order, also where a later one cannot be made.
  await using parts = new AsyncDisposableStack();
  const large = parts.adopt(new LargeValues(config), (values) => values.close());
  const toolValues = parts.adopt(new LargeValues(FOREIGN_SCHEMAS), (values) => values.close());
  const loopback = isLoopback(config.host);
  const parse = (json: Buffer) => parseInPieces(json, NO_LIMITS);
  const readJson = (text: string) => parse(Buffer.from(text));
  const manifest = {
    file: config.meshFile,
    only: config.meshOnly,
    env,
    large,
    surroundings: { loopback, reserved: redisEndpoints(config.redisUrl) },
    parse,
  };
  const metrics: Metrics = new Metrics({
    streams: () => streams.size,
    runs: () => holder.size,
    loopStallMs: () => loop.longestMs,
    storeAnswers: () => stores.answers(),
    agents: () => editions.current.agents.loads(),
    toolServers: () => editions.current.toolServers.readiness(),
    edition: () => editions.current.hash,
    editions: () => editions.size,
  });
  const outbound = parts.adopt(
    new Agent({ connect: (options, callback) => editions.current.connect(options, callback) }),
    (agent) => agent.close(),
  );
  const checks: GateDeps = {
    config,
    issuerSources: {
      secret: (variable) => secretOf(env, variable),
      getJson: (url) => issuerJson(url, outbound),
      cacheS: config.issuerCacheS,
    },
    metrics,
  };
  const wants: Wants = (tenant, type) =>
    [...editions.current.mesh.webhooks.values()].some((webhook) => isWanted(webhook, tenant, type));
  const onQueued = (tenant: string): void => queues.relay(tenant);
  const retention = (tenant: string) => editions.current.mesh.retention.get(tenant);
  // Before anything is connected.
  const first = loadEdition(manifest);
  const gate = gateOf(first, checks);
  compileNow(RECEIVED);
  const keys = config.keyFile === undefined ? SigningKeys.inMemory() : SigningKeys.ofFile(config.keyFile);
  const stores = parts.adopt(
    openStores({ config, metrics, onTrouble, wants, retention, onQueued }),
    (opened) => opened.stop(),
  );
  const models = modelsPart({
    ...{ config, stores, outbound, metrics, logger, onTrouble },
    secret: (variable) => secretOf(env, variable),
    serving: () => editions.serving,
    tokensPerDay: () => editions.current.mesh.limits.tokensPerDay,
    chargeRun: (runId, used) => holder.charge(runId, used),
  });
  parts.defer(() => models.stop());
  const streams = new SseStreams({
    maxStreams: config.maxStreams,
    stalledMs: config.streamStalledMs,
    onFailure: (error) => onTrouble("stream", error),
  });
  const loop = new LoopWatch({
    shedMs: config.loopShedMs,
    reportMs: config.loopReportMs,
    onStall: ({ ms, ownMs, suspects }) =>
      logger.warn({ stall_ms: ms, own_ms: ownMs, suspects }, "the event loop was held"),
  });
  const detectInjection = injectionDetector(readScorer(JSON.parse(readFileSync(SCORER, "utf8"))));
  const mesh = editionsPart({
    ...{ config, checks, manifest, stores, keys, metrics, logger, onTrouble },
    ledger: models.ledger,
    large,
    tools: {
      secret: (variable) => secretOf(env, variable),
      isInjection: (text) => detectInjection(text.slice(0, config.maxMessageChars)).flagged,
    },
    serve: (edition, gate) => servingOf(edition, gate, serving),
  });
  parts.defer(() => mesh.stop());
  const editions: Editions = mesh.editions;
  const lineage = new LineageKeeping(config.lineage);
  const holder: Holder = holderPart({
    ...{ config, stores, editions, metrics, loop, logger, onQueued },
    ...{ memory: models.memory, lineage },
    judge: (...value) => toolValues.judge(...value),
  });
  const isLocal = (headers: IncomingHttpHeaders): boolean =>
    loopback && isFromHere(headers, config.corsOrigins);
  const publicHost = config.publicUrl === undefined ? undefined : new URL(config.publicUrl).host;
  const isOwn = (host: string | undefined) => isOwnHost(host, loopback, publicHost);
  const browsers = new Browsers({
    ...{ store: stores.browsers, dispatcher: outbound, publicUrl: config.publicUrl, isOwnHost: isOwn },
    issuers: () => editions.serving.declared,
    identify: (headers) => editions.serving.identify(headers),
    secret: (variable) => secretOf(env, variable),
    idleS: config.consoleIdleS,
    lifeS: config.consoleSessionS,
  });
  let stopping = false;
  const serving: ServingDeps = {
    ...{ stores, holder, keys, lineage, editions, onQueued },
    counters: new RateCounters(stores.redis),
    quotas: {
      tokens: models.ledger,
      failures: new FailedAuthentications(config.failedAuthPerMinute),
    },
    models: models.gateway,
    tools: {
      sign: dispatchSigner({
        ...{ keys, issuer: config.issuer },
        rowsOf: (caller) => editions.serving.access.rowsOf(caller),
      }),
      judge: (...value) => toolValues.judge(...value),
      observer: metrics.tools,
    },
    onForeign: (caller, resource) => stores.audit.note({ act: "foreign_access", caller, resource }),
    onLimited: (limit) => metrics.rateLimited.inc({ limit }),
    endpoints: {
      inputs: new SessionInputs({ inputsOf: stores.inputsOf }, readJson),
      readJson,
      intentThreshold: config.intentThreshold,
      reader: loadReader(),
      risk: riskFrom(config),
      detectInjection,
      onInjection: ({ detector, requestId }) => {
        metrics.injections.inc({ detector });
        logger.warn({ request_id: requestId, code: "AGT_004", detector }, "message refused");
      },
      maxMessageChars: config.maxMessageChars,
      reportUsage: (caller, query) => usageReport(stores.usage, caller, query),
      getTurns: stores.getTurns,
      onRefused: (caller, resource, { code }) =>
        stores.audit.note({ act: "permission_refused", caller, resource, code }),
      devMode: config.devMode,
      streams,
      jwks: keys.jwks,
      cardSigner: cardSignerOf(config, keys),
      gatewayId: keys.id,
      publicUrl: config.publicUrl,
      isOwnHost: isOwn,
      metrics: config.metricsPort === undefined ? metrics.registry : undefined,
      isLocal,
      storeAnswers: stores.answers,
      // With a wrong address the store never answers, and another version of the gateway should not be replaced by this one.
      takesWork: () => !stopping && stores.hasAnswered() && editions.hasLooked,
      ready: async () => !stopping && (await stores.answers()),
      loopStallMs: () => loop.longestMs,
      logged: stores.logged,
      reload: (caller) => editions.reload(caller),
      listDeliveries: (...asked) => webhooks.list(...asked),
      redeliver: async (caller, id) => {
        const delivery = await webhooks.redeliver(caller, id);
        if (delivery) stores.audit.note({ act: "webhook_redelivered", caller, resource: `webhook ${id}` });
        return delivery;
      },
      erase: (caller, whose) => stores.erasures.erase(caller, whose),
      pages: [...signInEndpoints(browsers), ...pageEndpoints()],
    },
    scraped: [metricsEndpoint(metrics.registry)],
    api: {
      addressOf: clientAddress(config.trustedProxies),
      observe: metrics.observeRequest,
      audit: stores.audit,
      tokenOfBrowser: (req, changes) => browsers.tokenOf(req, changes),
      logger,
      bodies: new Bodies(config),
      corsOrigins: config.corsOrigins,
      loop,
    },
  };
  // Jobs come as soon as there are queues.
  await editions.start(first, gate);
  await editions.current.toolServers.load();
  const webhooks: Webhooks = parts.adopt(
    new Webhooks({
      ...{ redisUrl: config.redisUrl, redisTls: config.redisTls },
      ...{ retryMs: config.webhookRetryMs, attempts: config.webhookAttempts },
      ...{ dispatcher: outbound, onTrouble, index: stores.deliveries },
      observe: (webhook, outcome) => metrics.webhooks.inc({ webhook, outcome }),
      traceOf: async (tenant, run) => (await stores.runs.find(keysOf(tenant), run))?.order ?? {},
      isUsed: first.mesh.webhooks.size > 0 || first.mesh.peers.a2a?.pushTo !== undefined,
      webhooks: declaredReceivers({
        declared: () => editions.current.mesh.webhooks,
        secret: (variable) => secretOf(env, variable),
        publicUrl: config.publicUrl,
        proposalOf: (tenant, id, most) => stores.approvals.proposalText(keysOf(tenant), id, most),
      }),
      tasks: taskReceivers({
        of: async (tenant, run) => (await editions.serving.pushes?.of(tenant, run)) ?? [],
        posted: async (...about) =>
          editions.serving.pushes ? await editions.serving.pushes.posted(...about) : "not_allowed",
      }),
    }),
    (started) => started.close(),
  );
  const tell = webhooks.queue.bind(webhooks);
  const queues = queuesPart({ config, stores, holder, editions, tell, onTrouble });
  parts.defer(() => queues.stop());
  const listeners = listenersPart({
    ...{ config, editions, metrics, logger, streams },
    endWaits: () => stores.reader.close(),
  });
  const addresses = await listeners.start();
  loop.start();
  parts.defer(() => loop.stop());
  // The server keeps accepting connections until running work has finished: who still comes gets an answer that can be retried elsewhere.
  parts.defer(() => listeners.stop());
  queues.start();
  parts.defer(() => queues.drain());
  const running = parts.move();

  return {
    ...addresses,
    get endpoints() {
      return editions.serving.endpoints;
    },
    async reload() {
      // What came of it is in the log.
      await editions.reload().catch(() => undefined);
    },
    async stop() {
      // Not ready any more. Once balancers have noticed, new work is refused.
      stopping = true;
      if (config.drainDelayMs > 0) await sleep(config.drainDelayMs);
      await running.disposeAsync();
    },
  };
}

/** The mesh vouches for its cards where it has a key that lasts, and an address that no request chooses. */
function cardSignerOf({ keyFile, publicUrl }: Config, keys: SigningKeys) {
  if (keyFile === undefined || publicUrl === undefined) return undefined;
  return { keys, jku: `${publicUrl}/.well-known/jwks.json` };
}

/** What tells how likely a reading is to be wrong. */
function riskFrom({ readingRisk }: Config): RiskModel | undefined {
  if (readingRisk === 1) return undefined;
  const { wrong, foreign } = loadRisk();
  return { foreign, wrong: { ...wrong, cut: readingRisk ?? wrong.cut } };
}

const ISSUER_LIMITS = { timeoutMs: 5_000, maxBytes: 512 * 1024 };

async function issuerJson(url: string, dispatcher: Dispatcher): Promise<unknown> {
  const signal = new AbortController().signal;
  const answer = await getJson(url, { dispatcher, signal, ...ISSUER_LIMITS });
  return answer?.status === 200 ? answer.body : undefined;
}
