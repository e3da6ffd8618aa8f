import { Audit, Erasures } from "../audit/index.ts";
import type { Config } from "../config.ts";
import type { Metrics } from "../metrics.ts";
import {
  ApprovalStore,
  AuditLog,
  BookStore,
  BrowserStore,
  connect,
  DeliveryIndex,
  DueIndex,
  EditionStore,
  ErasureStore,
  EventLog,
  FeedbackStore,
  GetTurns,
  keysOf,
  LeaseStore,
  LogReader,
  Outbox,
  PushStore,
  Replication,
  type Retention,
  type RetentionOf,
  RunStore,
  SessionStore,
  StoreClock,
  UsageStore,
  type Wants,
} from "../store/index.ts";

export type Stores = ReturnType<typeof openStores>;

type StoresDeps = {
  config: Config;
  metrics: Metrics;
  onTrouble: (where: string, error: unknown) => void;
  /** Asked once an edition is loaded. */
  wants: Wants;
  /** What the manifest says of a tenant's; the same holds of when it is asked. */
  retention: (tenant: string) => Partial<Retention> | undefined;
  /** Something was put into the tenant's outbox. */
  onQueued: (tenant: string) => void;
};

/** Everything that is kept in Redis, and the audit, which writes behind the requests. */
export function openStores({ config, metrics, onTrouble, wants, retention, onQueued }: StoresDeps) {
  const retentionOf: RetentionOf = (tenant) => {
    const own = retention(tenant);
    return own ? { ...config, ...own } : config;
  };
  const redis = connect(config.redisUrl, onTrouble, config.redisTls);
  const { commands } = redis;
  let hasAnswered = commands.status === "ready";
  commands.once("ready", () => {
    hasAnswered = true;
  });
  const clock = new StoreClock();
  const due = new DueIndex(commands, clock, config, retentionOf);
  const parts = { redis: commands, due, clock };
  const runs = new RunStore(parts, config, retentionOf);
  const replication = new Replication(redis.openWaiting, config.effectReplicas);
  const reader = new LogReader(commands, redis.tails);
  const auditLog = new AuditLog(commands);
  const audit = new Audit({
    log: auditLog,
    observe: (outcome, entries) => metrics.audited.inc({ outcome }, entries),
    onTrouble: (error) => onTrouble("audit", error),
  });
  return {
    redis: commands,
    due,
    runs,
    replication,
    reader,
    audit,
    logged: ({ tenant }: { tenant: string }, limit: number, behind?: string) =>
      auditLog.latest(keysOf(tenant), limit, behind),
    leases: new LeaseStore(commands, config, wants),
    log: new EventLog(redis.log, config, wants, retentionOf, onQueued),
    sessions: new SessionStore(commands),
    approvals: new ApprovalStore(parts, config.leaseMs, wants),
    books: new BookStore(commands),
    browsers: new BrowserStore(commands),
    editions: new EditionStore(commands),
    outbox: new Outbox(commands),
    pushes: new PushStore(commands),
    deliveries: new DeliveryIndex(commands),
    feedback: new FeedbackStore(commands),
    usage: new UsageStore(commands),
    erasures: new Erasures({ store: new ErasureStore(commands), log: auditLog }),
    getTurns: new GetTurns(commands),
    inputsOf: ({ tenant }: { tenant: string }, run: string) => runs.inputs(keysOf(tenant), run),
    /** Whether the store has answered since the gateway was started. */
    hasAnswered: () => hasAnswered,
    /** Whether the store answers now. */
    answers: async (): Promise<boolean> =>
      commands.status === "ready" && (await succeeds(() => commands.ping())),
    async stop(): Promise<void> {
      await audit.close();
      replication.close();
      await redis.close();
    },
  };
}

async function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
}
