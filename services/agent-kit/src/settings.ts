import { readFile } from "node:fs/promises";
import { type Env, misspeltSettings, SettingError, storeOf } from "@interlock/contracts/settings";
import { createLog } from "./log.ts";
import type { AgentSettings } from "./types.ts";

export { type Env, misspeltSettings, SettingError, storeOf };

export type ServeSettings = {
  readonly host: string;
  readonly port: number;
  readonly graceMs: number;
  readonly agent: Partial<AgentSettings>;
};

const LEVELS = new Set(["fatal", "error", "warn", "info", "debug", "trace", "silent"]);

function textOf(env: Env, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

function wholeNumber(env: Env, name: string, min: number, max: number): number | undefined {
  const text = textOf(env, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new SettingError(`${name} must be a whole number from ${min} to ${max}.`);
}

function levelOf(env: Env): string | undefined {
  const level = textOf(env, "LOG_LEVEL");
  if (level === undefined || LEVELS.has(level)) return level;
  throw new SettingError(`LOG_LEVEL must be one of ${[...LEVELS].join(", ")}.`);
}

async function idempotencyOf(env: Env, agent: string, host: string): Promise<Partial<AgentSettings>> {
  const store = storeOf(env, { host });
  if (store === undefined) return {};
  if (!/^rediss?:\/\//.test(store.url))
    throw new SettingError("REDIS_URL must begin with redis:// or rediss://.");
  // Loaded on demand: an agent without Redis starts faster.
  const { redisStore } = await import("./idempotency/redis-store.ts");
  return { idempotency: redisStore(store.url, { agent, tls: store.tls }) };
}

/** Who may use the agent: everybody, or only requests with a token of the gateway. */
async function verifierOf(env: Env, agent: string): Promise<Partial<AgentSettings>> {
  const url = textOf(env, "GATEWAY_JWKS_URL");
  const file = textOf(env, "GATEWAY_JWKS_FILE");
  const audience = textOf(env, "GATEWAY_AUDIENCE") ?? agent;
  if (url === undefined && file === undefined) return {};
  if (url !== undefined && file !== undefined)
    throw new SettingError("Set GATEWAY_JWKS_URL or GATEWAY_JWKS_FILE, not both.");
  // Loaded on demand: an agent that verifies nothing starts faster.
  const { callerVerifier } = await import("./identity/verify-caller.ts");
  if (file === undefined) {
    const parsed = URL.parse(url ?? "");
    if (parsed === null || !/^https?:$/.test(parsed.protocol))
      throw new SettingError("GATEWAY_JWKS_URL must begin with http:// or https://.");
    return { verifyCaller: callerVerifier({ url: parsed }, audience) };
  }
  try {
    return { verifyCaller: callerVerifier({ text: await readFile(file, "utf8") }, audience) };
  } catch {
    throw new SettingError("GATEWAY_JWKS_FILE must be a file that holds a JWKS.");
  }
}

export async function settingsFrom(env: Env, agent: string, defaultPort: number): Promise<ServeSettings> {
  const level = levelOf(env);
  const maxConcurrent = wholeNumber(env, "MAX_CONCURRENT", 1, 100_000);
  const port = wholeNumber(env, "PORT", 0, 65_535) ?? defaultPort;
  const graceMs = wholeNumber(env, "SHUTDOWN_GRACE_MS", 0, 3_600_000) ?? 10_000;
  const host = textOf(env, "HOST") ?? "127.0.0.1";
  return {
    host,
    port,
    graceMs,
    agent: {
      ...(level === undefined ? {} : { log: createLog({ level, agent }) }),
      ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
      ...(await idempotencyOf(env, agent, host)),
      ...(await verifierOf(env, agent)),
    },
  };
}
