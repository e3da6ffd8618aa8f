import { createHash } from "node:crypto";
import type { StoreTls } from "@interlock/contracts/settings";
import { DelayedError, Queue, UnrecoverableError, Worker } from "bullmq";
import { Cluster } from "ioredis";
import { type Dispatcher, fetch } from "undici";
import type { Webhook } from "../mesh/index.ts";
import {
  disconnect,
  type Notice,
  type NoticeType,
  queueConnection,
  type RedisClient,
  SILENCE_MS,
} from "../store/index.ts";
import { keyOf, signedHeaders } from "./sign.ts";

export type WebhooksDeps = {
  redisUrl: string;
  redisTls: StoreTls;
  /** As the manifest that counts now declares them. */
  declared: () => ReadonlyMap<string, Webhook>;
  /** What a variable, or the file that it names, holds. It is read for each request, so that a new secret needs no restart. */
  secret: (variable: string) => string | undefined;
  /** Opens connections by the rules of egress. */
  dispatcher: Dispatcher;
  /** Where the console is, as its readers know it; absent: bodies have no links. */
  publicUrl: string | undefined;
  /** Milliseconds before the first retry. */
  retryMs: number;
  onTrouble: (where: string, error: unknown) => void;
};

/** A notice for one receiver. Ids and states, never a proposal: BullMQ stores it in clear text. */
type Delivery = { tenant: string; webhook: string; notice: Notice };

type Open = { queue: Queue<Delivery>; worker: Worker<Delivery>; clients: RedisClient[] };

const PREFIX = "{il-queue}";
const NAME = "webhooks";
/** With the shipped first pause of 20 s, which doubles, and jitter that takes up to half of each: 22 to 46 hours. */
const ATTEMPTS = 14;
const JITTER = 0.5;
const TIMEOUT_MS = 10_000;
const AT_ONCE = 64;
/** Requests to one receiver at once: one that does not answer leaves room for the others. */
const SHARE = 8;
const BACK_MS = 250;
const DEAD_KEPT = { age: 7 * 86_400, count: 10_000 };

/**
 * Tells receivers of approvals and of failed runs, at least once, by Standard Webhooks. A notice is in the outbox from the moment that the
 * state changes, goes from there to a BullMQ queue, and any replica delivers it. The same notice has the same id on every try.
 */
export class Webhooks {
  readonly #deps: WebhooksDeps;
  /** Absent: nobody has wanted to hear of anything yet. */
  #open: Open | undefined;
  readonly #underWay = new Map<string, number>();
  readonly #stopping = new AbortController();

  constructor(deps: WebhooksDeps) {
    this.#deps = deps;
    // What was queued before a restart is delivered.
    if (deps.declared().size > 0) this.#opened();
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
    const queue = new Queue<Delivery>(NAME, {
      connection: adding,
      prefix: PREFIX,
      defaultJobOptions: {
        attempts: ATTEMPTS,
        backoff: { type: "exponential", delay: deps.retryMs, jitter: JITTER },
        removeOnComplete: { age: 3_600, count: 5_000 },
        removeOnFail: DEAD_KEPT,
      },
      streams: { events: { maxLen: 1_000 } },
    });
    const worker = new Worker<Delivery>(
      NAME,
      async (job, token) => {
        const { webhook } = job.data;
        const underWay = this.#underWay.get(webhook) ?? 0;
        if (underWay >= SHARE) {
          await job.moveToDelayed(Date.now() + BACK_MS, token);
          throw new DelayedError();
        }
        this.#underWay.set(webhook, underWay + 1);
        try {
          await this.#deliver(job.data);
        } finally {
          this.#underWay.set(webhook, (this.#underWay.get(webhook) ?? 1) - 1);
        }
      },
      {
        ...{ connection: taking, prefix: PREFIX, concurrency: AT_ONCE, drainDelay: 1 },
        ...{ lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 1_000 },
      },
    );
    queue.on("error", onError);
    worker.on("error", onError);
    return { queue, worker, clients };
  }

  /** Queues a notice for every receiver that wants it. The same notice is queued once. */
  async queue(tenant: string, notice: Notice): Promise<void> {
    const wanting = [...this.#deps.declared()].filter(([, one]) => isWanted(one, tenant, notice.type));
    if (wanting.length === 0) return;
    await this.#opened().queue.addBulk(
      wanting.map(([webhook]) => ({
        name: notice.type,
        data: { tenant, webhook, notice },
        opts: { jobId: idOf({ tenant, webhook, notice }) },
      })),
    );
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

  async #deliver(delivery: Delivery): Promise<void> {
    const { declared, secret, dispatcher, publicUrl } = this.#deps;
    const webhook = declared().get(delivery.webhook);
    if (webhook === undefined) throw new UnrecoverableError("not_declared");
    const keys = webhook.secrets.flatMap((variable) => {
      const held = secret(variable);
      return held === undefined ? [] : [keyOf(held)];
    });
    if (keys.length === 0) throw new Error("no_secret");
    const [id, body] = [idOf(delivery), bodyOf(delivery, publicUrl)];
    const seconds = Math.floor(Date.now() / 1_000);
    const answer = await fetch(webhook.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...signedHeaders({ id, body, seconds }, keys) },
      body,
      redirect: "manual",
      dispatcher,
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    // Nothing of it is read.
    await answer.body?.cancel();
    if (answer.status === 410) throw new UnrecoverableError("gone");
    if (!answer.ok) throw new Error(`status_${answer.status}`);
  }
}

export function isWanted({ events, tenants }: Webhook, tenant: string, type: NoticeType): boolean {
  return events.has(type) && (tenants === undefined || tenants.has(tenant));
}

/** The same on every try, and on every replica. */
function idOf({ tenant, webhook, notice: { type, run, seq } }: Delivery): string {
  const digest = createHash("sha256").update(JSON.stringify([tenant, webhook, type, run, seq]));
  return `msg_${digest.digest("base64url").slice(0, 32)}`;
}

/** The same text on every try. A link leads to the console and decides nothing. */
function bodyOf({ tenant, notice }: Delivery, publicUrl: string | undefined): string {
  const { type, run, seq, at, approval, state } = notice;
  const screen = approval === undefined ? `/console/runs/${run}` : `/console/approvals/${approval}`;
  return JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      ...{ tenant, run_id: run, sequence: seq },
      ...(approval === undefined ? {} : { approval_id: approval }),
      ...(state === undefined ? {} : { state }),
      ...(publicUrl === undefined ? {} : { url: new URL(screen, publicUrl).href }),
    },
  });
}
