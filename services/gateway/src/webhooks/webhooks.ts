import type { TraceContext, WebhookDelivery } from "@interlock/contracts";
import type { StoreTls } from "@interlock/contracts/settings";
import { DelayedError, type Job, Queue, Worker } from "bullmq";
import { Cluster } from "ioredis";
import { type Dispatcher, fetch } from "undici";
import {
  type DeliveryIndex,
  disconnect,
  keysOf,
  type Notice,
  type PageCursor,
  queueConnection,
  type RedisClient,
  SILENCE_MS,
} from "../store/index.ts";
import { type EndedAs, HTTP, INTERLOCK, type OpenSpan, traceHeaders, tracing } from "../telemetry/index.ts";
import { type Delivery, idOf } from "./body.ts";
import { DeliveryError, dead, failureOf } from "./failure.ts";
import type { Receiver, Receivers } from "./receivers.ts";

export type WebhooksDeps = {
  redisUrl: string;
  redisTls: StoreTls;
  /** Those of the manifest, and those of tasks. */
  webhooks: Receivers;
  tasks: Receivers;
  /** Whether there are receivers: what was queued before a restart is then delivered from the start. */
  isUsed: boolean;
  /** Opens connections by the rules of egress. */
  dispatcher: Dispatcher;
  /** Milliseconds before the first retry. */
  retryMs: number;
  /** How often a delivery is tried before it is dead. */
  attempts: number;
  index: DeliveryIndex;
  /** Where a run belongs in a trace; empty for one that is gone. */
  traceOf: (tenant: string, run: string) => Promise<TraceContext>;
  observe: (webhook: string, outcome: DeliveryOutcome) => void;
  onTrouble: (where: string, error: unknown) => void;
};

/** `failed`: it is tried again; `dead`: it is not. */
export type DeliveryOutcome = "delivered" | "failed" | "dead";

/** What came of a job; `removed`: its receiver is no longer there. */
type Done = "delivered" | "removed";

type Open = { queue: Queue<Delivery, Done>; worker: Worker<Delivery, Done>; clients: RedisClient[] };

const PREFIX = "{il-queue}";
const NAME = "webhooks";
/** With the shipped 14 tries and a first pause of 20 s, which doubles, this takes up to half of each: 22 to 46 hours. */
const JITTER = 0.5;
const TIMEOUT_MS = 10_000;
const AT_ONCE = 64;
/** Requests to one receiver at once: one that does not answer leaves room for the others. */
const SHARE = 8;
const BACK_MS = 250;
const DEAD_KEPT = { age: 7 * 86_400, count: 10_000 };

/**
 * Tells receivers of approvals, of failed runs and of tasks, at least once. A notice is in the outbox from the moment that the state
 * changes, goes from there to a BullMQ queue, and any replica delivers it. The same notice has the same id on every try.
 */
export class Webhooks {
  readonly #deps: WebhooksDeps;
  /** Absent: nobody has wanted to hear of anything yet. */
  #open: Open | undefined;
  readonly #underWay = new Map<string, number>();
  readonly #stopping = new AbortController();

  constructor(deps: WebhooksDeps) {
    this.#deps = deps;
    if (deps.isUsed) this.#opened();
  }

  #opened(): Open {
    this.#open ??= this.#start(this.#deps);
    return this.#open;
  }

  #start(deps: WebhooksDeps): Open {
    const closed = () => this.#stopping.signal.aborted;
    const connection = (socketTimeout: number) =>
      queueConnection(deps.redisUrl, deps.redisTls, {
        ...{ socketTimeout, maxRetriesPerRequest: null, disableClientInfo: true },
        retryStrategy: (attempt: number) => (closed() ? null : Math.min(50 * attempt, 500)),
      });
    const [adding, taking] = [connection(SILENCE_MS), connection(15_000)];
    const clients = [adding, taking].flatMap((one) => (one instanceof Cluster ? one : []));
    const onError = (error: Error) => deps.onTrouble("webhooks", error);
    for (const client of clients) client.on("error", onError);
    const queue = new Queue<Delivery, Done>(NAME, {
      connection: adding,
      prefix: PREFIX,
      defaultJobOptions: {
        attempts: deps.attempts,
        backoff: { type: "exponential", delay: deps.retryMs, jitter: JITTER },
        removeOnComplete: { age: 3_600, count: 5_000 },
        removeOnFail: DEAD_KEPT,
      },
      streams: { events: { maxLen: 1_000 } },
    });
    const worker = new Worker<Delivery, Done>(
      NAME,
      async (job, token) => {
        const receiver = await this.#receiversOf(job.data.notice).find(job.data);
        if (!receiver) return "removed";
        const { share } = receiver;
        const underWay = this.#underWay.get(share) ?? 0;
        if (underWay >= SHARE) {
          await job.moveToDelayed(Date.now() + BACK_MS, token);
          throw new DelayedError();
        }
        this.#underWay.set(share, underWay + 1);
        try {
          await this.#deliver(receiver, job);
          return "delivered";
        } finally {
          const left = (this.#underWay.get(share) ?? 1) - 1;
          if (left > 0) this.#underWay.set(share, left);
          else this.#underWay.delete(share);
        }
      },
      {
        ...{ connection: taking, prefix: PREFIX, concurrency: AT_ONCE, drainDelay: 1 },
        ...{ lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 1_000 },
      },
    );
    queue.on("error", onError);
    worker.on("error", onError);
    worker.on("completed", (job) => {
      if (job.returnvalue === "delivered") deps.observe(job.data.webhook, "delivered");
      // Where this fails, whoever lists them finds that it is gone.
      deps.index.remove(keysOf(job.data.tenant), [job.id ?? ""]).catch(onError);
    });
    worker.on("failed", (job) => {
      if (job) deps.observe(job.data.webhook, job.finishedOn === undefined ? "failed" : "dead");
    });
    return { queue, worker, clients };
  }

  /** Queues a notice for every receiver that wants it. The same notice is queued once. */
  async queue(tenant: string, notice: Notice): Promise<void> {
    const deliveries = await this.#receiversOf(notice).of(tenant, notice);
    if (deliveries.length === 0) return;
    const jobs = deliveries.map((data) => ({ name: notice.type, data, opts: { jobId: idOf(data) } }));
    await this.#opened().queue.addBulk(jobs);
    // Not before: who lists them removes what has no job.
    const ids = jobs.map(({ opts }) => opts.jobId);
    await this.#deps.index.add(keysOf(tenant), ids, notice.at);
  }

  /** What has not arrived, latest first. @throws GatewayError store_unavailable */
  async list(
    { tenant }: { tenant: string },
    { limit, before }: { limit: number; before?: PageCursor | undefined },
  ): Promise<{ deliveries: WebhookDelivery[]; next?: PageCursor }> {
    const keys = keysOf(tenant);
    const { ids, ...next } = await this.#deps.index.page(keys, limit, before);
    if (ids.length === 0) return { deliveries: [], ...next };
    const found = await Promise.all(ids.map((id) => this.#find(tenant, id)));
    await this.#deps.index.remove(
      keys,
      ids.filter((_, at) => found[at] === undefined),
    );
    return { deliveries: found.flatMap((one) => (one ? [viewOf(one)] : [])), ...next };
  }

  /** Sends one now that has not arrived, with all its tries. @returns undefined where the tenant has no such delivery */
  async redeliver({ tenant }: { tenant: string }, id: string): Promise<WebhookDelivery | undefined> {
    const found = await this.#find(tenant, id);
    if (!found) return undefined;
    const { job, state } = found;
    try {
      if (state === "dead") await job.retry("failed", { resetAttemptsMade: true });
      else if (state === "failed") await job.promote();
    } catch (error) {
      // Somebody else was faster, or its time has come.
      const now = await this.#find(tenant, id);
      if (now?.state === state) throw error;
    }
    return { ...viewOf({ job, state: "pending" }), attempts: state === "dead" ? 0 : job.attemptsMade };
  }

  async #find(tenant: string, id: string): Promise<Found | undefined> {
    const { queue } = this.#opened();
    // First, for what led to a state is written no later than the state.
    const state = await queue.getJobState(id);
    const job = await queue.getJob(id);
    if (job?.data.tenant !== tenant) return undefined;
    if (state === "completed" || state === "unknown") return undefined;
    if (state === "failed") return { job, state: "dead" };
    return { job, state: state === "delayed" && job.attemptsMade > 0 ? "failed" : "pending" };
  }

  /** Requests under way are ended; another replica, or this one when it is started again, repeats them. */
  async close(): Promise<void> {
    this.#stopping.abort();
    if (!this.#open) return;
    const { queue, worker, clients } = this.#open;
    await worker.close(true).catch(() => undefined);
    await queue.close().catch(() => undefined);
    for (const client of clients) disconnect(client);
  }

  #receiversOf({ type }: Pick<Notice, "type">): Receivers {
    return type === "task.updated" ? this.#deps.tasks : this.#deps.webhooks;
  }

  /** Each try is a span of the trace in which the run was started, however long after it. */
  async #deliver(receiver: Receiver, { id = "", data, attemptsMade }: Job<Delivery>): Promise<void> {
    const { tenant, webhook, notice } = data;
    // What cannot be read here must not keep a receiver from being told.
    const trace = await this.#deps.traceOf(tenant, notice.run).catch((): TraceContext => ({}));
    const span = tracing?.span(`notify ${webhook}`, trace, {
      kind: "client",
      attributes: {
        [INTERLOCK.run]: notice.run,
        [INTERLOCK.notice]: notice.type,
        [INTERLOCK.attempt]: attemptsMade + 1,
      },
    });
    const posted = this.#post(receiver, id, span ?? trace, span);
    await (span ? span.around(posted, codeOf) : posted);
  }

  async #post(
    receiver: Receiver,
    id: string,
    trace: TraceContext,
    span: OpenSpan | undefined,
  ): Promise<void> {
    const { url, headers, body } = await receiver.posted(id);
    const answer = await fetch(url, {
      method: "POST",
      headers: { ...traceHeaders(trace), ...headers },
      body,
      redirect: "manual",
      dispatcher: this.#deps.dispatcher,
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    }).catch((error: unknown) => {
      throw failureOf(error);
    });
    span?.set({ [HTTP.status]: answer.status });
    // Nothing of it is read.
    await answer.body?.cancel();
    if (answer.status === 410) throw dead("gone");
    if (!answer.ok) throw new DeliveryError(`status_${answer.status}`);
  }
}

/** What a span says of a try that failed. Messages of deliveries are codes; others may say anything. */
function codeOf(ended: EndedAs<void>): string | undefined {
  if (!("error" in ended)) return undefined;
  const { error } = ended;
  return Error.isError(error) && CODE.test(error.message) ? error.message : "interrupted";
}

type Found = { job: Job<Delivery>; state: WebhookDelivery["state"] };

function viewOf({ job, state }: Found): WebhookDelivery {
  const { webhook, notice, push } = job.data;
  const { type, run, seq, at, approval } = notice;
  return {
    ...{ id: job.id ?? "", webhook, type, run_id: run, sequence: seq },
    ...(approval === undefined ? {} : { approval_id: approval }),
    ...(push === undefined ? {} : { task_id: push.task, config_id: push.id }),
    ...{ at: new Date(at).toISOString(), state, attempts: job.attemptsMade },
    ...(job.processedOn === undefined ? {} : { attempted_at: new Date(job.processedOn).toISOString() }),
    // What is no code of ours is the queue's own.
    ...(job.failedReason ? { code: CODE.test(job.failedReason) ? job.failedReason : "interrupted" } : {}),
  };
}

const CODE = /^[a-z0-9_]{1,40}$/;
