import type { StoreTls } from "@interlock/contracts/settings";
import {
  DelayedError,
  Queue,
  type QueueOptions,
  type RedisQueueBackend,
  Worker,
  type WorkerOptions,
} from "bullmq";
import { Cluster } from "ioredis";
import { disconnect, keysOf, type Notice, type Outbox, queueConnection, SILENCE_MS } from "../store/index.ts";
import type { Decisions } from "./decide.ts";
import type { Holder } from "./holder.ts";

export type QueuesDeps = {
  redisUrl: string;
  redisTls?: StoreTls;
  holder: Pick<Holder, "claim" | "room">;
  outbox: Outbox;
  decisions: Pick<Decisions, "lookAgain">;
  /** Tells the receivers that want to know. Repeating it changes nothing. */
  tell: (tenant: string, notice: Notice) => Promise<void>;
  concurrency: number;
  /** Reports failures of background work, which is tried again. */
  onTrouble: (where: string, error: unknown) => void;
};

/** Jobs hold ids and nothing else: BullMQ stores their data in clear text. */
type RunJob = { tenant: string; run: string; epoch: number };

const PREFIX = "{il-queue}";
const RELAY_BATCH = 200;
const RETRY_MS = 1_000;
/** Delay before a job that was put back is offered again, to any replica. */
const BACK_MS = 50;
/** Jobs whose users have their share here come back one by one, this far apart: as fast as runs end, and no faster. */
const BETWEEN_MS = 5;
/** After a node of a cluster has gone; several at once count as one. */
const RENEWAL_MS = 2_000;

/**
 * The BullMQ queue. It brings a run to a replica that has room, where the one that accepted it does not execute it or its holder is
 * gone. The state is in the run records: a job only asks a replica to look at one of them. A repeated job changes nothing, and the sweeper
 * makes up for a lost one.
 */
export class Queues {
  readonly #deps: QueuesDeps;
  readonly #runs: Queue<RunJob>;
  readonly #workerOptions: WorkerOptions;
  #worker: Worker<RunJob>;
  #renewal: NodeJS.Timeout | undefined;
  readonly #relaying = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  /** Clients that BullMQ does not close. */
  readonly #clusters: Cluster[] = [];
  /** When the last job returns that was delayed because of its user's share. */
  #lineEnds = 0;
  /** Whether the worker of runs waits for room. */
  #resting = false;
  #workerClosed = false;
  #closed = false;

  constructor(deps: QueuesDeps) {
    this.#deps = deps;
    const onError = (error: Error) => deps.onTrouble("queue", error);
    // Once closed, a connection must not reconnect: its timer would keep the process alive, and what waits on it would never fail.
    const reconnectUnless = (closed: () => boolean) => (attempt: number) =>
      closed() ? null : Math.min(50 * attempt, 500);
    const connection = (options: {
      socketTimeout: number;
      retryStrategy: (attempt: number) => number | null;
    }) => {
      const made = queueConnection(deps.redisUrl, deps.redisTls ?? {}, {
        ...options,
        maxRetriesPerRequest: null,
        disableClientInfo: true,
      });
      if (!(made instanceof Cluster)) return made;
      made.on("error", onError);
      this.#clusters.push(made);
      return made;
    };
    const queueOptions: QueueOptions = {
      connection: connection({
        socketTimeout: SILENCE_MS,
        retryStrategy: reconnectUnless(() => this.#closed),
      }),
      prefix: PREFIX,
      // Finished jobs are kept for a while, since their ids dedupe a repeated relay, but not for long: a run that still waits, because
      // the store lost its last writes, needs another job. A job fails only when the store does; BullMQ retries it without limit.
      defaultJobOptions: {
        attempts: Number.MAX_SAFE_INTEGER,
        backoff: RETRY_MS,
        removeOnComplete: { age: 60, count: 5_000 },
        removeOnFail: { age: 86_400, count: 5_000 },
      },
      streams: { events: { maxLen: 1_000 } },
    };
    // With a lock of 10 s and a check every 5 s, another worker takes up the job of a killed process in about 10 s. The run record, not
    // BullMQ, limits how often a run is begun. A new job may wake a worker that is frozen, so each of them also looks every second
    // (`drainDelay`).
    const workerConnection = connection({
      socketTimeout: 15_000,
      retryStrategy: reconnectUnless(() => this.#workerClosed),
    });
    if (workerConnection instanceof Cluster) workerConnection.on("-node", () => this.#renewSoon());
    this.#workerOptions = {
      connection: workerConnection,
      prefix: PREFIX,
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 1_000,
      drainDelay: 1,
    };
    this.#runs = new Queue("runs", queueOptions);
    this.#worker = this.#startWorker();
    this.#runs.on("error", onError);
  }

  #startWorker(): Worker<RunJob> {
    const { holder, concurrency, onTrouble } = this.#deps;
    const worker = new Worker<RunJob>(
      "runs",
      async (job, token) => {
        const { tenant, run, epoch } = job.data;
        const outcome = await holder.claim(keysOf(tenant), run, epoch);
        if (outcome !== "full" && outcome !== "over_share") return;
        // Another replica may have room.
        await job.moveToDelayed(outcome === "full" ? this.#backFromFull() : this.#backInLine(), token);
        throw new DelayedError();
      },
      { ...this.#workerOptions, concurrency },
    );
    worker.on("error", (error) => onTrouble("queue", error));
    void this.#keepClosed(worker.getBackend());
    return worker;
  }

  /**
   * A command that was under way when a node of a cluster died may never be answered, and a worker that waits for it takes no more jobs.
   * Another worker takes its place once the failover has had time; the jobs of the old one are found stalled, and done again.
   */
  #renewSoon(): void {
    clearTimeout(this.#renewal);
    // Ignore nodes of a client that is being closed.
    if (this.#workerClosed) return;
    this.#renewal = setTimeout(() => {
      const old = this.#worker;
      this.#worker = this.#startWorker();
      if (this.#resting) void this.#worker.pause(true);
      void old.close(true).catch(() => undefined);
    }, RENEWAL_MS).unref();
  }

  /** Puts what the tenant's outbox holds on the queues. */
  relay(tenant: string): void {
    if (this.#closed) return;
    if (this.#relaying.has(tenant)) {
      // The relay under way may have read the outbox before the entry that this call announces was there.
      this.#again.add(tenant);
      return;
    }
    const relaying = this.#relay(tenant)
      .catch((error: unknown) => this.#deps.onTrouble("relay", error))
      .finally(() => {
        this.#relaying.delete(tenant);
        if (this.#again.delete(tenant)) this.relay(tenant);
      });
    this.#relaying.set(tenant, relaying);
  }

  /**
   * Takes no more jobs. The jobs under way are abandoned: draining ends their runs or hands them over, and BullMQ gives the jobs to
   * other workers, which find nothing left to do.
   */
  async pause(): Promise<void> {
    await this.#closeWorker();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#relaying.values());
    await this.#closeWorker();
    await this.#runs.close().catch(() => undefined);
    for (const cluster of this.#clusters) disconnect(cluster);
  }

  /** Stops taking jobs until there is room. @returns when to retry the job */
  #backFromFull(): number {
    void this.#restUntilRoom().catch((error) => this.#deps.onTrouble("queue", error));
    return Date.now() + BACK_MS;
  }

  /** Delays the job, so that jobs of other users come first. @returns when to retry it */
  #backInLine(): number {
    this.#lineEnds = Math.max(this.#lineEnds + BETWEEN_MS, Date.now() + BACK_MS);
    return this.#lineEnds;
  }

  async #restUntilRoom(): Promise<void> {
    if (this.#resting) return;
    this.#resting = true;
    await this.#worker.pause(true);
    await this.#deps.holder.room();
    this.#resting = false;
    if (!this.#workerClosed) await this.#worker.resume();
  }

  /** By force: a paused worker would still take the job that it is waiting for, which may be one that this replica hands over. */
  async #closeWorker(): Promise<void> {
    this.#workerClosed = true;
    clearTimeout(this.#renewal);
    await this.#worker.close(true).catch(() => undefined);
  }

  /** A worker that is closed while it resets its blocking connection opens that connection again afterwards. */
  async #keepClosed({ blockingClient }: RedisQueueBackend): Promise<void> {
    // One that is closed before it was ever connected is not reset.
    const client = await blockingClient?.catch(() => undefined);
    client?.on("connect", () => {
      if (this.#workerClosed) client.disconnect();
    });
  }

  async #relay(tenant: string): Promise<void> {
    const keys = keysOf(tenant);
    for (;;) {
      const entries = await this.#deps.outbox.due(keys, RELAY_BATCH);
      if (entries.length === 0) return;
      const runs = entries.flatMap((entry) =>
        entry.kind === "run" ? [{ ...entry, jobId: `${tenant}-${entry.id}-${entry.epoch}` }] : [],
      );
      await Promise.all(runs.map(({ again, jobId }) => (again ? this.#removeIfLost(jobId) : undefined)));
      await this.#runs.addBulk(
        runs.map(({ id, epoch, jobId }) => ({
          name: "run",
          data: { tenant, run: id, epoch },
          opts: { jobId },
        })),
      );
      for (const entry of entries) {
        if (entry.kind === "approval") await this.#deps.decisions.lookAgain(tenant, entry.id);
        if (entry.kind !== "run" && entry.notice) await this.#deps.tell(tenant, entry.notice);
      }
      await this.#deps.outbox.remove(keys, entries);
      if (entries.length < RELAY_BATCH) return;
    }
  }

  /** A job that is on no list of the queue is never done, and its id would keep another one from being added. */
  async #removeIfLost(jobId: string): Promise<void> {
    const job = await this.#runs.getJob(jobId);
    if (job && (await job.getState()) === "unknown") await job.remove();
  }
}
