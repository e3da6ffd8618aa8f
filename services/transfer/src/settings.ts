import { type Env, SettingError, storeOf } from "@interlock/agent-kit";
import { digitsOf } from "./amounts/index.ts";
import { type Ledger, redisLedger } from "./ledger.ts";
import type { Limits } from "./slots.ts";

const DEFAULT_MOST: Readonly<Record<string, number>> = { KRW: 1_000_000_000, JPY: 100_000_000 };

export type TransferSettings = {
  readonly ledger: Ledger;
  readonly limits: Limits;
  readonly maxFillTurns?: number;
};

/**
 * REDIS_URL (or REDIS_URL_FILE): the ledger. TRANSFER_CURRENCY: of amounts that come without one. TRANSFER_LIMITS: the most that one
 * transfer may be, "KRW=5000000,USD=1000". MAX_FILL_TURNS.
 * @throws SettingError
 */
export function settingsFrom(env: Env): TransferSettings {
  const store = storeOf(env, { host: env.HOST?.trim() || "127.0.0.1" });
  if (store === undefined)
    throw new SettingError("REDIS_URL is not set: transfers need a ledger that outlives the agent.");
  const currency = env.TRANSFER_CURRENCY?.trim() || "KRW";
  if (digitsOf(currency) === undefined)
    throw new SettingError("TRANSFER_CURRENCY must be a currency such as KRW or USD.");
  const turns = env.MAX_FILL_TURNS?.trim();
  if (turns && !/^[1-9]\d{0,2}$/.test(turns))
    throw new SettingError("MAX_FILL_TURNS must be a whole number from 1 to 999.");
  return {
    ledger: redisLedger(store.url, store.tls),
    limits: { currency, most: { ...DEFAULT_MOST, ...limitsOf(env.TRANSFER_LIMITS ?? "") } },
    ...(turns ? { maxFillTurns: Number(turns) } : {}),
  };
}

function limitsOf(text: string): Record<string, number> {
  const limits: Record<string, number> = {};
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const [, currency = "", most] = /^\s*([A-Z]{3})\s*=\s*([1-9]\d{0,12})\s*$/.exec(part) ?? [];
    if (digitsOf(currency) === undefined)
      throw new SettingError("TRANSFER_LIMITS must be like KRW=5000000,USD=1000.");
    limits[currency] = Number(most);
  }
  return limits;
}
