import type { StoreTls } from "@interlock/contracts/settings";
import { Redis } from "ioredis";
import { type Outcome, outcomeOf } from "../runs/answer.ts";
import { type Claim, type IdempotencyStore, KEEP_MS } from "./store.ts";

/** KEYS: the key. ARGV: fingerprint, owner, lease in ms. */
const CLAIM = `
local held = redis.call('HMGET', KEYS[1], 'fingerprint', 'owner', 'outcome')
if not held[1] then
  redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return {'mine'}
end
if held[1] ~= ARGV[1] then return {'conflict'} end
if held[3] then return {'done', held[3]} end
if held[2] == ARGV[2] then return {'mine'} end
return {'busy'}`;

/** ARGV: owner, lease in ms. */
const RENEW = `
local held = redis.call('HMGET', KEYS[1], 'owner', 'outcome')
if held[1] == ARGV[1] and not held[2] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1`;

/** ARGV: fingerprint, owner, outcome, time to keep it in ms. Also stores it if the claim has expired and nobody took it. */
const COMPLETE = `
local held = redis.call('HMGET', KEYS[1], 'owner', 'outcome')
if held[2] or (held[1] and held[1] ~= ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], 'fingerprint', ARGV[1], 'owner', ARGV[2], 'outcome', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`;

/** ARGV: owner. */
const RELEASE = `
local held = redis.call('HMGET', KEYS[1], 'owner', 'outcome')
if held[1] == ARGV[1] and not held[2] then redis.call('DEL', KEYS[1]) end
return 1`;

function toClaim(reply: unknown): Claim {
  const [state, outcome]: unknown[] = Array.isArray(reply) ? reply : [];
  if (state === "mine" || state === "busy" || state === "conflict") return { state };
  return { state: "done", outcome: outcomeOf(String(outcome)) };
}

export type RedisStoreOptions = {
  /** Replicas with the same agent name share answers. */
  readonly agent: string;
  /** After this time another replica may repeat the run of a replica that died. */
  readonly leaseMs?: number;
  /** What TLS (`rediss`) uses beside the system's certificate authorities. */
  readonly tls?: StoreTls;
};

/** A store that all replicas of an agent share. While Redis is unreachable, calls fail within seconds. */
export function redisStore(
  url: string,
  { agent, leaseMs = 10_000, tls = {} }: RedisStoreOptions,
): IdempotencyStore {
  const patience = {
    maxRetriesPerRequest: 1,
    commandTimeout: 3000,
    socketTimeout: 15_000,
    disableClientInfo: true,
  };
  const redis = new Redis(url, { ...patience, ...(url.startsWith("rediss:") ? { tls } : {}) });
  // The client reconnects by itself, and calls that fail in the meantime reject.
  redis.on("error", () => {});
  const name = (key: string): string => `interlock:agent:${agent}:idempotency:${key}`;
  const run = (script: string, key: string, ...args: (string | number)[]): Promise<unknown> =>
    redis.eval(script, 1, name(key), ...args);

  return {
    leaseMs,
    claim: async (key, fingerprint, owner) => toClaim(await run(CLAIM, key, fingerprint, owner, leaseMs)),
    renew: async (key, owner) => void (await run(RENEW, key, owner, leaseMs)),
    complete: async (key, fingerprint, owner, outcome: Outcome) =>
      void (await run(COMPLETE, key, fingerprint, owner, JSON.stringify(outcome), KEEP_MS)),
    release: async (key, owner) => void (await run(RELEASE, key, owner)),
    close: async () => redis.disconnect(),
  };
}
