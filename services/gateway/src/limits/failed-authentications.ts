import { isIPv6 } from "node:net";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { GatewayError } from "../errors.ts";

const WINDOW_S = 60;

/**
 * Counts requests without an identified caller by address, in this replica only. Above the limit they get 429 instead of 401. A caller with
 * a valid token is still served, since others may share the address.
 */
export class FailedAuthentications {
  readonly #limiter: RateLimiterMemory;

  constructor(perMinute: number) {
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_S });
  }

  /** @returns what to answer instead of `failure` */
  async instead(failure: GatewayError, address: string): Promise<GatewayError> {
    if (failure.code !== "unauthorized") return failure;
    try {
      await this.#limiter.consume(networkOf(address));
      return failure;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const headers = { "retry-after": String(Math.ceil(error.msBeforeNext / 1000)) };
      return new GatewayError("rate_limited", undefined, { headers, cause: failure });
    }
  }
}

/** One host usually has a whole /64 of IPv6, so count by prefix. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter(Boolean).length;
  const all = [...groups, ...Array.from({ length: missing }, () => "0"), ...(tail ?? "").split(":")];
  return all.slice(0, 4).join(":");
}
