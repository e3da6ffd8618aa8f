import { hash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunRequest } from "@interlock/contracts";
import { Refused } from "../errors.ts";
import type { VerifiedCaller } from "../identity/caller.ts";
import type { Log } from "../log.ts";
import { type Frame, failure, isLasting, type Outcome, plainError } from "../runs/answer.ts";
import type { Run } from "../runs/run.ts";
import { createWatchers, finishedRun, type Leave, type Watchable } from "../runs/watchable.ts";
import type { Claim, IdempotencyStore } from "./store.ts";

/** A request with an idempotency key. */
export type Keyed = {
  readonly key: string;
  readonly fingerprint: string;
  readonly frame: Frame;
  /** Creates the run. Throws Refused when the agent is at its limit. */
  readonly begin: () => Run;
};

/** A caller's place at a run. `own` is set if the run is new: the caller then has to start it. */
export type Admission = { readonly outcome: Promise<Outcome>; readonly leave: Leave; readonly own?: Run };

type Opened = { readonly run: Watchable; readonly own?: Run };

const KEY = /^[\x21-\x7e]{1,256}$/;

/** Scopes the key to its task and its caller. Hashed, so that the store never contains text chosen by a caller. */
export function scopedKey(taskType: string, header: string, caller?: VerifiedCaller): string {
  if (!KEY.test(header)) {
    throw new Refused("INVALID_REQUEST", "The Idempotency-Key must be 1 to 256 visible ASCII characters.");
  }
  const owner = caller ? [caller.tenant, caller.issuer, caller.subject, caller.rows ?? null] : [];
  return hash("sha256", [taskType, header, ...owner.map((part) => JSON.stringify(part))].join("\n"));
}

/** Hash of the request without its id and budget, which differ between a request and its repeat. */
export function fingerprintOf({ request_id, budgets, ...asked }: RunRequest): string {
  return hash("sha256", JSON.stringify(asked));
}

const FIRST_POLL_MS = 50;
const SLOWEST_POLL_MS = 500;
/** How often to try to store an outcome, once a second. */
const COMPLETE_ATTEMPTS = 5;

/** Answers a repeated key with the run of its first request: in progress here, in progress on another replica, or done. */
export class Repeats {
  readonly #underWay = new Map<string, { readonly fingerprint: string; readonly opening: Promise<Opened> }>();
  readonly #store: () => IdempotencyStore;
  readonly #log: () => Log;

  constructor(store: () => IdempotencyStore, log: () => Log) {
    this.#store = store;
    this.#log = log;
  }

  async admit(keyed: Keyed): Promise<Admission> {
    for (;;) {
      const entry = this.#underWay.get(keyed.key);
      if (entry && entry.fingerprint !== keyed.fingerprint) throw new Refused("IDEMPOTENCY_CONFLICT");
      const { run, own } = await (entry?.opening ?? this.#first(keyed));
      const leave = run.watch();
      if (leave) return { outcome: run.outcome, leave, ...(own && !entry ? { own } : {}) };
      // All other callers have left while this one waited.
      if (entry && this.#underWay.get(keyed.key) === entry) this.#underWay.delete(keyed.key);
    }
  }

  #first(keyed: Keyed): Promise<Opened> {
    const opening = this.#open(keyed);
    const mine = { fingerprint: keyed.fingerprint, opening };
    this.#underWay.set(keyed.key, mine);
    const forget = (): void => {
      if (this.#underWay.get(keyed.key) === mine) this.#underWay.delete(keyed.key);
    };
    // From here on the store answers. Without a stored outcome, the next request starts a new run.
    void opening.then(({ run }) => run.outcome.then(forget), forget);
    return opening;
  }

  async #open(keyed: Keyed): Promise<Opened> {
    const owner = randomUUID();
    const claim = await this.#claim(keyed, owner);
    if (claim.state === "conflict") throw new Refused("IDEMPOTENCY_CONFLICT");
    if (claim.state === "done") return { run: finishedRun(claim.outcome) };
    if (claim.state === "busy") return { run: this.#elsewhere(keyed, owner) };
    const own = this.#begin(keyed, owner);
    return { run: own, own };
  }

  async #claim({ key, fingerprint }: Keyed, owner: string): Promise<Claim> {
    try {
      return await this.#store().claim(key, fingerprint, owner);
    } catch {
      this.#log().service("idempotency store is away");
      throw new Refused("UNAVAILABLE", "The agent cannot look up the Idempotency-Key now.");
    }
  }

  #begin(keyed: Keyed, owner: string): Run {
    try {
      const run = keyed.begin();
      void this.#keep(keyed, owner, run);
      return run;
    } catch (refused) {
      void this.#quietly(this.#store().release(keyed.key, owner));
      throw refused;
    }
  }

  /** Renews the claim while the run is in progress, then stores its outcome or releases the key. */
  async #keep({ key, fingerprint }: Keyed, owner: string, run: Run): Promise<void> {
    const store = this.#store();
    const renewal = Number.isFinite(store.leaseMs)
      ? setInterval(() => this.#quietly(store.renew(key, owner)), store.leaseMs / 3)
      : undefined;
    const outcome = await run.outcome;
    if (isLasting(outcome)) {
      for (let attempt = 1; attempt <= COMPLETE_ATTEMPTS; attempt += 1) {
        if (await this.#quietly(store.complete(key, fingerprint, owner, outcome))) break;
        await sleep(1000, undefined, { ref: false });
      }
    } else await this.#quietly(store.release(key, owner));
    clearInterval(renewal);
  }

  async #quietly(call: Promise<void>): Promise<boolean> {
    try {
      await call;
      return true;
    } catch {
      this.#log().service("idempotency store is away");
      return false;
    }
  }

  /** Another replica has the run: poll until it is done, or until its claim expires and this replica takes over. */
  #elsewhere(keyed: Keyed, owner: string): Watchable {
    const gone = new AbortController();
    const watch = createWatchers(() => gone.abort());
    return { outcome: this.#poll(keyed, owner, gone.signal), watch };
  }

  async #poll(keyed: Keyed, owner: string, gone: AbortSignal): Promise<Outcome> {
    let delay = FIRST_POLL_MS;
    for (;;) {
      await sleep(delay, undefined, { signal: gone }).catch(() => {});
      if (gone.aborted) return failure(keyed.frame, plainError("CANCELLED"));
      delay = Math.min(delay * 1.5, SLOWEST_POLL_MS);
      const claim = await this.#store()
        .claim(keyed.key, keyed.fingerprint, owner)
        .catch((): Claim => ({ state: "busy" }));
      if (claim.state === "done") return claim.outcome;
      if (claim.state === "conflict") return failure(keyed.frame, plainError("IDEMPOTENCY_CONFLICT"));
      if (claim.state === "mine") return this.#takeOver(keyed, owner, gone);
    }
  }

  async #takeOver(keyed: Keyed, owner: string, gone: AbortSignal): Promise<Outcome> {
    try {
      const run = this.#begin(keyed, owner);
      const leave = run.watch();
      const onGone = (): void => leave?.("CANCELLED");
      if (gone.aborted) onGone();
      else gone.addEventListener("abort", onGone, { once: true });
      return await run.drive();
    } catch {
      return failure(keyed.frame, plainError("OVERLOADED"));
    }
  }
}
