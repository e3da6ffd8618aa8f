import { readFileSync } from "node:fs";

export { type Misspelt, misspeltSettings, SETTING_NAMES } from "./setting-names.ts";

/** Settings that the gateway and the agents read from the environment in the same way: secrets, and where Redis is. */
export type Env = Readonly<Record<string, string | undefined>>;

/** A setting that cannot be used. The message names variables, never what they hold. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}

/**
 * A secret: the value of the variable, or what the file holds that `<name>_FILE` names, without the newline at its end.
 * @throws SettingError where both are set, or the file cannot be read or is empty
 */
export function secretOf(env: Env, name: string): string | undefined {
  const value = env[name]?.trim() || undefined;
  const held = fileOf(env, `${name}_FILE`);
  if (value !== undefined && held !== undefined)
    throw new SettingError(`${name} and ${name}_FILE are both set: set one of them.`);
  return value ?? held;
}

/** What the file holds that the variable names. @throws SettingError */
export function fileOf(env: Env, name: string): string | undefined {
  const path = env[name];
  if (!path) return undefined;
  const text = readText(path)?.replace(/\r?\n$/, "");
  if (text === undefined) throw new SettingError(`${name} names a file that cannot be read.`);
  if (text === "") throw new SettingError(`${name} names an empty file.`);
  return text;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** PEM texts: whom to trust beside nobody else, and the client's own certificate and key. */
export type StoreTls = { readonly ca?: string; readonly cert?: string; readonly key?: string };

export type StoreSettings = { readonly url: string; readonly tls: StoreTls };

/**
 * Where Redis is: `REDIS_URL`, and for TLS `REDIS_CA_FILE`, `REDIS_CERT_FILE` and `REDIS_KEY_FILE`.
 * @param options.host the address that the service listens on. A service that others can reach needs a password for its Redis.
 * @throws SettingError
 */
export function storeOf(
  env: Env,
  { host, fallback }: { host: string; fallback?: string },
): StoreSettings | undefined {
  const url = secretOf(env, "REDIS_URL") ?? fallback;
  const tls = tlsOf(env);
  if (url === undefined) return undefined;
  if (Object.keys(tls).length > 0 && !url.startsWith("rediss"))
    throw new SettingError("REDIS_CA_FILE, REDIS_CERT_FILE and REDIS_KEY_FILE need a REDIS_URL with rediss.");
  const weakness = isLoopback(host) || env.ALLOW_INSECURE_STORE === "1" ? undefined : weaknessOf(url);
  if (weakness)
    throw new SettingError(
      `REDIS_URL has ${weakness}, and HOST is not a loopback address. ALLOW_INSECURE_STORE=1 allows that.`,
    );
  return { url, tls };
}

function tlsOf(env: Env): StoreTls {
  const ca = fileOf(env, "REDIS_CA_FILE");
  const cert = fileOf(env, "REDIS_CERT_FILE");
  const key = fileOf(env, "REDIS_KEY_FILE");
  if ((cert === undefined) !== (key === undefined))
    throw new SettingError("REDIS_CERT_FILE and REDIS_KEY_FILE belong together: set both or neither.");
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  };
}

/** Whether an address to listen on is one of the loopback interface. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

const CREDENTIALS = /^[a-z+]+:\/\/([^@/:]*)(?::([^@/]*))?@/;

/** Anybody guesses these first: usual defaults, and what documents and examples show. */
const KNOWN = new Set(
  [
    "12345678 123456789 1234567890 administrator changeit changeme change-me change_me default1 example",
    "foobared interlock letmein1 mypassword passw0rd password password1 placeholder qwertyuiop redispass",
    "redis123 redispassword redis-password secret123 supersecret test1234 verysecret yourpassword your-password",
  ].flatMap((line) => line.split(" ")),
);

const SHORTEST = 8;

function weaknessOf(url: string): string | undefined {
  const [, user = "", password = ""] = CREDENTIALS.exec(url) ?? [];
  if (password === "") return "no password";
  const guess = password.toLowerCase();
  const weak = password.length < SHORTEST || KNOWN.has(guess) || guess === user.toLowerCase();
  return weak ? "a weak password" : undefined;
}
