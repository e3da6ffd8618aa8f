import type { Keys } from "./keys.ts";
import type { NewAudit } from "./records.ts";
import { guarded } from "./redis.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

/** An entry as the log has it. */
export type LoggedEntry = {
  id: string;
  entry: Readonly<Record<string, unknown>>;
  digest: string;
  link: string;
};

/** Appends entries that are about no approval to the decision log; an approval's own are part of the write that changes it. */
export class AuditLog {
  readonly #redis: RedisClient;
  readonly #append = new Script("audit");

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  async append(keys: Keys, entries: readonly NewAudit[]): Promise<void> {
    const args = entries.flatMap(({ text, digest }) => [text, digest]);
    await this.#append.run(this.#redis, [keys.audit, keys.auditHead], args);
  }

  /**
   * The latest entries, of decisions as well, latest first.
   * @param behind the place of the entry that the page before ended with
   */
  async latest(keys: Keys, limit: number, behind?: string): Promise<LoggedEntry[]> {
    const from = behind === undefined ? "+" : `(${behind}`;
    const found = await guarded(() => this.#redis.xrevrange(keys.audit, from, "-", "COUNT", limit));
    return found.flatMap(([place, [, entry, , digest = "", , link = ""]]) =>
      entry === undefined ? [] : [{ id: place, entry: JSON.parse(entry), digest, link }],
    );
  }
}
