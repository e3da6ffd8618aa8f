import { type AuditLog, keysOf, type NewAudit } from "../store/index.ts";
import {
  likenessOf,
  type SecurityAct,
  type SecurityNote,
  securityEntry,
  type Times,
  tenantOf,
} from "./entry.ts";

/** Within this time equal acts are one entry, followed by one with the count of the rest. */
const WINDOW_MS = 60_000;
/** Different acts of one kind that a tenant's log gets in a window; those beyond are counted in one entry. */
const MOST_PER_WINDOW = 100;
/** Entries that wait for the store. */
const MOST_WAITING = 1_000;
const BATCH = 100;
const RETRY_MS = 1_000;

/** `failed`: the store did not take them and is asked again; `lost`: dropped, since too many wait. */
export type AuditOutcome = "written" | "failed" | "lost";

type Alike = { act: SecurityAct; note: SecurityNote | undefined; tenant: string; since: number } & Times;

/**
 * Writes security-relevant acts to the decision logs of their tenants, behind the requests: nobody waits for it, a flood cannot fill the
 * store, and while the store is away a bounded number of entries waits. A replica that is killed loses what it has not written yet.
 */
export class Audit {
  readonly #log: Pick<AuditLog, "append">;
  readonly #observe: (outcome: AuditOutcome, entries: number) => void;
  readonly #onTrouble: (error: unknown) => void;
  readonly #windowMs: number;
  readonly #timer: NodeJS.Timeout;
  /** By likeness. */
  readonly #alike = new Map<string, Alike>();
  /** Number of different entries by tenant and act in the current window. */
  readonly #kinds = new Map<string, number>();
  #waiting: { tenant: string; entry: NewAudit }[] = [];
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(options: {
    log: Pick<AuditLog, "append">;
    observe: (outcome: AuditOutcome, entries: number) => void;
    onTrouble: (error: unknown) => void;
    windowMs?: number;
  }) {
    this.#log = options.log;
    this.#observe = options.observe;
    this.#onTrouble = options.onTrouble;
    this.#windowMs = options.windowMs ?? WINDOW_MS;
    this.#timer = setInterval(() => this.#endWindows(), Math.ceil(this.#windowMs / 12)).unref();
  }

  note(note: SecurityNote): void {
    if (this.#closed) return;
    const { act } = note;
    const tenant = tenantOf(note);
    const kind = `${tenant} ${act}`;
    const likeness = `${kind} ${likenessOf(note)}`;
    const isNew = !this.#alike.has(likeness);
    const crowded = isNew && (this.#kinds.get(kind) ?? 0) >= MOST_PER_WINDOW;
    const key = crowded ? kind : likeness;
    const known = this.#alike.get(key);
    if (known) {
      if (known.count === 0) known.first = new Date();
      known.count += 1;
      known.last = new Date();
      return;
    }
    const now = new Date();
    const alike = { act, note: crowded ? undefined : note, tenant, since: performance.now() };
    this.#alike.set(key, { ...alike, count: 0, first: now, last: now });
    if (!crowded) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    // Write the first act at once, so that it survives if the replica is killed a moment later.
    this.#write(tenant, securityEntry(act, alike.note, { count: 1, first: now, last: now }));
  }

  /** Writes the pending entries, if the store is available. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const alike of this.#alike.values()) this.#writeRest(alike);
    this.#alike.clear();
    this.#closed = true;
    await this.#draining;
    if (this.#waiting.length > 0) this.#observe("lost", this.#waiting.length);
  }

  #endWindows(): void {
    const ended = performance.now() - this.#windowMs;
    for (const [key, alike] of this.#alike) {
      if (alike.since > ended) continue;
      if (alike.count > 0) {
        this.#writeRest(alike);
        alike.since = performance.now();
        continue;
      }
      this.#alike.delete(key);
      const kind = `${alike.tenant} ${alike.act}`;
      if (!alike.note) continue;
      const left = (this.#kinds.get(kind) ?? 1) - 1;
      if (left > 0) this.#kinds.set(kind, left);
      else this.#kinds.delete(kind);
    }
  }

  #writeRest(alike: Alike): void {
    if (alike.count === 0) return;
    this.#write(alike.tenant, securityEntry(alike.act, alike.note, alike));
    alike.count = 0;
  }

  #write(tenant: string, entry: NewAudit): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#observe("lost", 1);
      return;
    }
    this.#waiting.push({ tenant, entry });
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
  }

  /** Never rejects. */
  async #drain(): Promise<void> {
    for (;;) {
      const [first] = this.#waiting;
      if (!first) return;
      const { tenant } = first;
      const other = this.#waiting.findIndex((one) => one.tenant !== tenant);
      const batch = this.#waiting.slice(0, Math.min(other === -1 ? BATCH : other, BATCH));
      try {
        await this.#log.append(
          keysOf(tenant),
          batch.map(({ entry }) => entry),
        );
        this.#waiting = this.#waiting.slice(batch.length);
        this.#observe("written", batch.length);
      } catch (error) {
        this.#observe("failed", batch.length);
        this.#onTrouble(error);
        if (this.#closed) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
