import { traceIdOf } from "@interlock/contracts";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import type { Memory } from "../conversation/index.ts";
import type { Editions } from "../editions.ts";
import { describeError } from "../http/index.ts";
import { whyUndecidable } from "../identity/index.ts";
import type { LoopWatch } from "../loop-watch.ts";
import type { Metrics } from "../metrics.ts";
import {
  Holder,
  type HolderDeps,
  type LineageKeeping,
  Queues,
  type QueuesDeps,
  Sweeper,
  type SweeperDeps,
} from "../runs/index.ts";
import type { Stores } from "./stores.ts";

type HoldingDeps = {
  config: Config;
  stores: Stores;
  memory: Pick<Memory, "afterTurn">;
  lineage: LineageKeeping;
  judge: HolderDeps["judge"];
  editions: Editions;
  metrics: Metrics;
  loop: LoopWatch;
  logger: Logger;
  onQueued: (tenant: string) => void;
};

/** Executes the runs of this replica. */
export function holderPart(deps: HoldingDeps): Holder {
  const { config, stores, memory, lineage, judge, editions, metrics, loop, logger, onQueued } = deps;
  return new Holder({
    editions,
    sessions: stores.sessions,
    replication: stores.replication,
    lineage,
    judge,
    tools: () => editions.serving.tools,
    may: (caller, resource) => editions.serving.access.may(caller, "use", resource),
    roundsModel: () => editions.serving.roundsModel,
    readResult: (keys, from) => stores.runs.result(keys, from),
    store: stores.runs,
    leases: stores.leases,
    log: stores.log,
    maxRuns: config.maxRuns,
    leaseMs: config.leaseMs,
    slowWarningMs: config.slowWarningMs,
    wordAnswer: async (answer) => await editions.serving.wordAnswer?.(answer),
    whyUndecidable: (about) => whyUndecidable(about, editions.serving.access, editions.serving.reach),
    decidersOf: ({ flow, step, rule }) =>
      rule.roles.length > 0 ? rule.roles : editions.serving.access.deciders(flow, step),
    onQueued,
    onRest: (run, { requestId, intent, understood, model, issuer, subject }, { outcome, failure }) => {
      metrics.runs.inc({ intent, outcome });
      loop.note(`run ${run.id}`);
      const { id: runId, keys, sessionId, rawTurns } = run;
      memory.afterTurn({
        ...{ keys, sessionId, runId, rawTurns },
        caller: { tenant: keys.tenant, issuer, subject },
      });
      const traceId = traceIdOf(run.trace);
      const line = {
        request_id: requestId,
        run_id: run.id,
        ...(traceId === undefined ? {} : { trace_id: traceId }),
        ...{ intent, understood, model, outcome },
      };
      if (failure) logger.warn({ ...line, cause: describeError(failure.cause) }, "run rests");
      else logger.info(line, "run rests");
    },
  });
}

type QueueingDeps = {
  config: Config;
  stores: Stores;
  holder: Holder;
  editions: Editions;
  tell: QueuesDeps["tell"];
  onTrouble: (where: string, error: unknown) => void;
};

/** Brings runs and what is due to the holder. Jobs come as soon as it is made, so an edition must have been loaded. */
export function queuesPart({ config, stores, holder, editions, tell, onTrouble }: QueueingDeps) {
  const decisions: QueuesDeps["decisions"] & SweeperDeps["decisions"] = {
    due: (...about) => editions.serving.decisions.due(...about),
    lookAgain: (...about) => editions.serving.decisions.lookAgain(...about),
  };
  const queues = new Queues({
    redisUrl: config.redisUrl,
    redisTls: config.redisTls,
    holder,
    outbox: stores.outbox,
    decisions,
    tell,
    concurrency: config.maxRuns,
    onTrouble,
  });
  const sweeper = new Sweeper({
    due: stores.due,
    leases: stores.leases,
    store: stores.runs,
    decisions,
    relay: (tenant) => queues.relay(tenant),
    onTrouble,
  });
  return {
    relay: (tenant: string) => queues.relay(tenant),
    start(): void {
      holder.start();
      sweeper.start();
    },
    /** Takes no more work, and ends or hands over what runs within the grace time. */
    async drain(): Promise<void> {
      const drained = holder.drain(config.shutdownGraceMs);
      await Promise.all([sweeper.stop(), queues.pause()]);
      await drained;
    },
    stop: () => queues.close(),
  };
}
