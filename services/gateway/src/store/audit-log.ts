import type { Keys } from "./keys.ts";
import type { NewAudit } from "./records.ts";
import type { RedisClient } from "./redis-url.ts";
import { Script } from "./script.ts";

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
}
