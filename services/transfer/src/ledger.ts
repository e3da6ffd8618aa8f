import { readFileSync } from "node:fs";
import { Redis, type RedisOptions } from "ioredis";

/** What is to be transferred. Amounts are whole numbers of the currency's smallest unit, as text: exact, of any size. */
export type Transfer = {
  readonly target: string;
  readonly amount_minor: string;
  readonly currency: string;
  readonly memo?: string;
  readonly date?: string;
  /** On whose behalf, where the gateway has vouched for it. */
  readonly by?: string;
};

/** What has become of an id, for good. */
export type Entry = {
  readonly id: string;
  readonly status: "executed" | "withdrawn";
  readonly at: string;
  readonly transfer: Transfer;
};

/**
 * Holds one entry per id, whichever comes first: its execution or its withdrawal. Every later call with the id gets that entry back, so
 * that calls may be repeated. A call that rejects may or may not have been written.
 */
export type Ledger = {
  record(entry: Entry): Promise<Entry>;
  close(): Promise<void>;
};

const RECORD = readFileSync(new URL("./record.lua", import.meta.url), "utf8");
/** One hash slot in a cluster: the script writes both. */
const ENTRIES = "interlock:agent:{transfer}:entries";
const LOG = "interlock:agent:{transfer}:log";

export function redisLedger(url: string, tls: RedisOptions["tls"] = {}): Ledger {
  const redis = new Redis(url, {
    // A command that is sent once and not answered has an unknown outcome: the caller repeats it with the same id.
    maxRetriesPerRequest: 1,
    commandTimeout: 3000,
    socketTimeout: 15_000,
    disableClientInfo: true,
    ...(url.startsWith("rediss:") ? { tls } : {}),
  });
  // The client reconnects by itself, and calls that fail in the meantime reject.
  redis.on("error", () => {});
  return {
    async record(entry) {
      const status = entry.status === "executed" ? 1 : 0;
      const held = await redis.eval(RECORD, 2, ENTRIES, LOG, entry.id, JSON.stringify(entry), status);
      return JSON.parse(String(held));
    },
    close: async () => redis.disconnect(),
  };
}

export function isSameTransfer(a: Transfer, b: Transfer): boolean {
  const names = ["target", "amount_minor", "currency", "memo", "date", "by"] as const;
  return names.every((name) => a[name] === b[name]);
}
