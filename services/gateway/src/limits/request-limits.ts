import { type Caller, principalOf } from "../caller.ts";
import { GatewayError } from "../errors.ts";
import type { CallerLimits, Rate } from "../mesh/index.ts";
import { GLOBAL_RATE, keysOf, type RedisClient } from "../store/index.ts";
import { policyField, rateField } from "./fields.ts";
import type { Standing } from "./lots.ts";
import { RateCounter } from "./rate-counter.ts";
import type { Applied, RateCounters } from "./rate-counters.ts";

export type LimitName = "subject" | "tenant" | "global";

export type RequestLimitsDeps = {
  redis: RedisClient;
  counters: RateCounters;
  limits: Pick<CallerLimits, LimitName>;
  /** Called for each refused request. */
  onRefused: (limit: LimitName) => void;
};

/** The header fields of an answer to a request that was counted. */
export type RateFields = Readonly<Record<string, string>>;

const NO_FIELDS: RateFields = {};

type Policy = { name: LimitName; counter: RateCounter; keyOf: (caller: Caller) => string };

/**
 * Counts the requests of callers: by subject, by tenant, and all. A request over a limit is refused; what is refused from memory counts
 * nowhere, so that a subject's flood does not use up its tenant's limit.
 */
export class RequestLimits {
  readonly #counters: RateCounters;
  readonly #policies: readonly Policy[];
  readonly #policyField: string;
  readonly #onRefused: (limit: LimitName) => void;

  constructor({ redis, counters, limits, onRefused }: RequestLimitsDeps) {
    const { subject, tenant, global } = limits;
    const policy = (name: LimitName, rate: Rate | undefined, keyOf: Policy["keyOf"]): Policy[] =>
      rate ? [{ name, counter: new RateCounter(redis, rate), keyOf }] : [];
    this.#counters = counters;
    this.#onRefused = onRefused;
    this.#policies = [
      ...policy("subject", subject, (caller) => keysOf(caller.tenant).rate("subject", principalOf(caller))),
      ...policy("tenant", tenant, (caller) => keysOf(caller.tenant).rate("tenant")),
      ...policy("global", global, () => GLOBAL_RATE),
    ];
    this.#policyField = this.#policies
      .flatMap(({ name, counter }) => (isShown(name) ? policyField(name, counter.rate) : []))
      .join(", ");
  }

  /**
   * Counts a request.
   * @param open whether the request is served where the counters cannot be reached
   * @returns the fields of its answer, at once where points are at hand, or undefined where nothing is limited
   * @throws GatewayError rate_limited, at once where that is known; store_unavailable
   */
  take(caller: Caller, open: boolean): Promise<RateFields> | RateFields | undefined {
    if (this.#policies.length === 0) return undefined;
    const applied = this.#policies.map(({ name, counter, keyOf }) => ({ name, counter, key: keyOf(caller) }));
    for (const one of applied) {
      const ms = one.counter.blockedMs(one.key);
      if (ms > 0) throw this.#refusal(one, ms);
    }
    if (applied.every(({ counter, key }) => counter.holds(key)))
      return this.#fieldsOf(
        applied,
        applied.map(({ counter, key }) => counter.takeHeld(key)),
      );
    if (open && !this.#counters.ready) return undefined;
    return this.#count(applied, open);
  }

  async #count(applied: readonly (Applied & { name: LimitName })[], open: boolean): Promise<RateFields> {
    let standings: Standing[];
    try {
      standings = await this.#counters.take(applied);
    } catch (error) {
      if (open) return NO_FIELDS;
      throw error;
    }
    return this.#fieldsOf(applied, standings);
  }

  /** @throws GatewayError rate_limited */
  #fieldsOf(
    applied: readonly (Applied & { name: LimitName })[],
    standings: readonly (Standing | undefined)[],
  ): RateFields {
    let fields = "";
    for (const [index, one] of applied.entries()) {
      const standing = standings[index];
      if (!standing) continue;
      if (!standing.allowed) throw this.#refusal(one, standing.resetMs);
      if (isShown(one.name)) fields += `${fields && ", "}${rateField(one.name, standing)}`;
    }
    return fields === "" ? NO_FIELDS : { "ratelimit-policy": this.#policyField, ratelimit: fields };
  }

  #refusal({ name, counter }: Applied & { name: LimitName }, resetMs: number): GatewayError {
    this.#onRefused(name);
    return new GatewayError("rate_limited", undefined, {
      headers: {
        "retry-after": String(Math.ceil(resetMs / 1000)),
        "ratelimit-policy": isShown(name) ? this.#policyField : policyField(name, counter.rate),
        ratelimit: rateField(name, { remaining: 0, resetMs }),
      },
    });
  }
}

/** How much of the global limit is left tells a tenant what others do. */
function isShown(name: LimitName): boolean {
  return name !== "global";
}
