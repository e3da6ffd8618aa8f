import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { AgentClient, AgentRegistry } from "./agents/index.ts";
import { Approvals } from "./approvals/approvals.ts";
import type { Config } from "./config.ts";
import { keywordRouter } from "./conversation/router.ts";
import { createApi } from "./http/api.ts";
import { kindOf } from "./http/errors.ts";
import { Metrics } from "./http/metrics.ts";
import { newId } from "./http/request.ts";
import { SseStreams } from "./http/sse.ts";
import { identifyByHeaders } from "./identity/caller.ts";
import { loadMesh } from "./mesh.ts";
import { Planner } from "./runs/plan.ts";
import { Queues } from "./runs/queues.ts";
import { Runs } from "./runs/runs.ts";
import { ApprovalStore } from "./store/approval-store.ts";
import { EventLog } from "./store/event-log.ts";
import { LogReader } from "./store/log-reader.ts";
import { Outbox } from "./store/outbox.ts";
import { connect } from "./store/redis.ts";
import { RunStore } from "./store/run-store.ts";
import { SessionStore } from "./store/session-store.ts";

export type Gateway = {
  url: string;
  /** Takes no more work, ends or hands over what runs within the grace time, closes everything. */
  stop(): Promise<void>;
};

/** Readers come back after this many milliseconds when a replica stops. */
const RECONNECT_MS = 500;

/**
 * Puts the gateway together and listens.
 * @throws MeshError for a manifest that cannot be used; an Error with `code` EADDRINUSE and the like where the address cannot be had
 */
export async function startGateway(
  config: Config,
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
): Promise<Gateway> {
  const mesh = loadMesh(config.meshFile, env);
  const trouble = (where: string, error: unknown) => log.warn({ where, cause: kindOf(error) }, "trouble");
  const redis = connect(config.redisUrl, trouble);
  const streams = new SseStreams();
  const metrics: Metrics = new Metrics({ streams: () => streams.size, runs: () => runs.size });
  const specs = [...mesh.agents.values()];
  const agents = new AgentClient({ agents: specs, observer: metrics.agents });
  const registry = new AgentRegistry({
    agents: specs,
    observer: metrics.agents,
    breakerState: (agent) => agents.breakerState(agent),
  });
  const reader = new LogReader(redis.commands, redis.reader);
  const store = new RunStore(redis.commands, config);
  const onQueued = (tenant: string): void => queues.relay(tenant);
  const runs = new Runs({
    mesh,
    planner: new Planner(mesh),
    agents,
    store,
    log: new EventLog(redis.log, config),
    maxRuns: config.maxRuns,
    leaseMs: config.leaseMs,
    newId,
    onQueued,
    onEnd: (run, order, outcome, failure) => {
      metrics.runs.inc({ intent: order.intent, outcome });
      // A pause has put its approval into the outbox.
      if (outcome === "paused") onQueued(run.keys.tenant);
      const { requestId: request_id, intent, model } = order;
      const fields = { request_id, run_id: run.id, intent, model, outcome };
      if (failure) log.warn({ ...fields, cause: kindOf(failure.cause) }, "run rests");
      else log.info(fields, "run rests");
    },
  });
  const approvals = new Approvals({
    mesh,
    store: new ApprovalStore(redis.commands, config.leaseMs),
    runStore: store,
    runs,
    agents,
    newId,
    onQueued,
  });
  const queues: Queues = new Queues({
    redisUrl: config.redisUrl,
    runs,
    store,
    outbox: new Outbox(redis.commands),
    approvals,
    concurrency: config.maxRuns,
    onTrouble: trouble,
  });
  let stopping = false;
  const api = createApi({
    mesh,
    route: keywordRouter(mesh),
    registry,
    agents,
    runs,
    approvals,
    identify: identifyByHeaders(config.host),
    reader,
    sessions: new SessionStore(redis.commands),
    streams,
    metrics,
    log,
    maxBodyBytes: config.maxBodyBytes,
    ready: async () =>
      !stopping && redis.commands.status === "ready" && (await answers(() => redis.commands.ping())),
  });
  const server = createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 80_000, requestTimeout: 120_000 },
    api,
  );
  try {
    await listen(server, config);
  } catch (error) {
    await Promise.all([queues.close(), redis.close(), agents.close()]);
    throw error;
  }
  void registry.start();
  runs.start();
  queues.start();

  return {
    url: `http://${config.host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      // Readiness says 503 and new work is refused, but the door stays open until what runs is over: a balancer that has not looked
      // yet gets an answer that it can send elsewhere.
      stopping = true;
      const drained = runs.drain(config.shutdownGraceMs);
      await queues.pause();
      await drained;
      const closed = new Promise((resolve) => server.close(resolve));
      streams.endAll(RECONNECT_MS);
      // Requests that wait for a run elsewhere get their answer too.
      const unread = reader.close();
      server.closeIdleConnections();
      const forced = setTimeout(() => server.closeAllConnections(), 1_000);
      await closed;
      clearTimeout(forced);
      await queues.close();
      await registry.stop();
      await Promise.all([unread, redis.close(), agents.close()]);
    },
  };
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch {
    return false;
  }
}
