import { type ConnectionOptions, Queue, type QueueOptions, type RedisQueueBackend, Worker } from "bullmq";
import type { ApprovalTimer } from "../approvals/approvals.ts";
import { keysOf } from "../store/keys.ts";
import type { Outbox, OutboxEntry } from "../store/outbox.ts";
import { SILENCE_MS } from "../store/redis.ts";
import type { RunStore } from "../store/run-store.ts";
import type { Runs } from "./runs.ts";

export type QueuesDeps = {
  redisUrl: string;
  runs: Pick<Runs, "hasRoom" | "claimAndExecute">;
  store: RunStore;
  outbox: Outbox;
  approvals: ApprovalTimer;
  concurrency: number;
  /** Background trouble, which heals by itself; names and codes alone. */
  onTrouble: (where: string, error: unknown) => void;
};

/** Jobs carry ids and nothing else: their data lies in the store in clear text. */
type RunJob = { tenant: string; run: string; epoch: number };
type ApprovalJob = { tenant: string; approval: string; act: "warn" | "expire"; expires: number };

const PREFIX = "{il-queue}";
const RELAY_BATCH = 200;
/** Nothing waits longer than this for the relay, even where its hint was lost. */
const SWEEP_MS = 1_000;
const TRIM_EVERY = 600;
const RETRY_MS = 1_000;

/**
 * The net behind the claims: BullMQ brings a run to whoever has room, where its acceptor did not execute it or its holder is gone, and
 * wakes approvals when they are due. The state lies in the run records; a job only says "look at this one", so losing or repeating a
 * job changes nothing.
 */
export class Queues {
  readonly #deps: QueuesDeps;
  readonly #runs: Queue<RunJob>;
  readonly #approvals: Queue<ApprovalJob>;
  readonly #runWorker: Worker<RunJob>;
  readonly #approvalWorker: Worker<ApprovalJob>;
  readonly #relaying = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  #sweeping: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #sweeps = 0;
  #workersClosed = false;
  #closed = false;

  constructor(deps: QueuesDeps) {
    this.#deps = deps;
    const connection: ConnectionOptions = { url: deps.redisUrl, maxRetriesPerRequest: null };
    // Once closed, a connection must not reconnect: its timer would keep the process alive, and what waits on it would never fail.
    const reconnectUnless = (closed: () => boolean) => (attempt: number) =>
      closed() ? null : Math.min(50 * attempt, 500);
    const queueOptions: QueueOptions = {
      connection: {
        ...connection,
        socketTimeout: SILENCE_MS,
        retryStrategy: reconnectUnless(() => this.#closed),
      },
      prefix: PREFIX,
      // Finished jobs are kept for a while: their ids keep a repeated relay from running them anew. A job fails only where the store
      // did, and nobody but the job knows that the run waits: it comes again until it was heard.
      defaultJobOptions: {
        attempts: Number.MAX_SAFE_INTEGER,
        backoff: RETRY_MS,
        removeOnComplete: { age: 3600, count: 5_000 },
        removeOnFail: { age: 86_400, count: 5_000 },
      },
      streams: { events: { maxLen: 1_000 } },
    };
    // A lock of 10 s and a check every 5 s: the job of a killed process is taken up again in about 10 s. How often a run may be
    // begun is counted by the run record, not here. The word that a job is there may go to a worker that is frozen: the others look
    // by themselves every second (`drainDelay`).
    const workerOptions = {
      connection: {
        ...connection,
        socketTimeout: 15_000,
        retryStrategy: reconnectUnless(() => this.#workersClosed),
      },
      prefix: PREFIX,
      lockDuration: 10_000,
      stalledInterval: 5_000,
      maxStalledCount: 1_000,
      drainDelay: 1,
    };
    this.#runs = new Queue("runs", queueOptions);
    this.#approvals = new Queue("approvals", queueOptions);
    this.#runWorker = new Worker<RunJob>(
      "runs",
      async ({ data }) => {
        await deps.runs.claimAndExecute(keysOf(data.tenant), data.run, data.epoch);
      },
      { ...workerOptions, concurrency: deps.concurrency },
    );
    this.#approvalWorker = new Worker<ApprovalJob>(
      "approvals",
      async ({ data }) => {
        await deps.approvals.due(data.tenant, data.approval, data.act, data.expires);
      },
      { ...workerOptions, concurrency: 16 },
    );
    const onError = (error: Error) => deps.onTrouble("queue", error);
    for (const queue of [this.#runs, this.#approvals]) queue.on("error", onError);
    for (const worker of [this.#runWorker, this.#approvalWorker]) {
      worker.on("error", onError);
      void this.#keepClosed(worker.getBackend());
    }
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#sweeping = this.#sweep();
    }, SWEEP_MS).unref();
  }

  /** Says that the tenant's outbox has something. */
  relay(tenant: string): void {
    if (this.#closed) return;
    if (this.#relaying.has(tenant)) {
      // The relay under way may have read the outbox before what this call is about.
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
   * Takes no more jobs. What is under way is the drain's business: its runs end or are handed over, and its jobs come again elsewhere,
   * where they find that nothing is left to do.
   */
  async pause(): Promise<void> {
    clearInterval(this.#timer);
    await this.#closeWorkers();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([this.#sweeping, ...this.#relaying.values()]);
    await this.#closeWorkers();
    await Promise.allSettled([this.#runs.close(), this.#approvals.close()]);
  }

  /** By force: a worker that is only paused still takes the job that it is waiting for, even one that this replica hands over. */
  async #closeWorkers(): Promise<void> {
    this.#workersClosed = true;
    await Promise.allSettled([this.#runWorker.close(true), this.#approvalWorker.close(true)]);
  }

  /** A worker that is closed while it resets its blocking connection opens that connection again afterwards. */
  async #keepClosed({ blockingClient }: RedisQueueBackend): Promise<void> {
    // One that is closed before it was ever connected is not reset.
    const client = await blockingClient?.catch(() => undefined);
    client?.on("connect", () => {
      if (this.#workersClosed) client.disconnect();
    });
  }

  async #relay(tenant: string): Promise<void> {
    const keys = keysOf(tenant);
    for (;;) {
      const entries = await this.#deps.outbox.due(keys, RELAY_BATCH);
      const runs = entries.flatMap((entry) => (entry.kind === "run" ? [entry] : []));
      await this.#runs.addBulk(
        runs.map(({ id, epoch }) => ({
          name: "run",
          data: { tenant, run: id, epoch },
          opts: { jobId: `${tenant}-${id}-${epoch}` },
        })),
      );
      for (const entry of entries) if (entry.kind === "approval") await this.#schedule(tenant, entry);
      await this.#deps.outbox.remove(keys, entries);
      if (entries.length < RELAY_BATCH) return;
    }
  }

  async #schedule(tenant: string, entry: OutboxEntry): Promise<void> {
    const times = await this.#deps.approvals.times(tenant, entry.id);
    if (!times) return;
    const { expires, warnInMs, expireInMs } = times;
    const job = (act: ApprovalJob["act"], delay: number) => ({
      name: act,
      data: { tenant, approval: entry.id, act, expires },
      // An escalation moves the expiry: its jobs are others.
      opts: { jobId: `${tenant}-${entry.id}-${act}-${expires}`, delay },
    });
    const jobs = [job("expire", expireInMs)];
    if (warnInMs > 0) jobs.push(job("warn", warnInMs));
    await this.#approvals.addBulk(jobs);
  }

  /** What no hint has brought about: outboxes that were not relayed, runs whose holder is gone. */
  async #sweep(): Promise<void> {
    const { store, runs, onTrouble } = this.#deps;
    try {
      this.#sweeps++;
      for (const tenant of await store.tenants()) {
        const keys = keysOf(tenant);
        for (const id of await store.expired(keys, RELAY_BATCH)) await store.requeue(keys, id);
        this.relay(tenant);
        if (this.#sweeps % TRIM_EVERY === 0 && runs.hasRoom) await store.trim(keys);
      }
    } catch (error) {
      onTrouble("sweep", error);
    }
  }
}
