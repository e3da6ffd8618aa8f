import type { RetryPolicy } from "./backoff.ts";
import { InterlockError } from "./errors.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Headers of every request. A function is called before each request, reconnects included, so that it can
 * renew a token.
 */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/**
 * The token of every request, without `Bearer`. A function is called before each request, reconnects included, so that it can renew the
 * token.
 */
export type TokenSource = string | (() => string | Promise<string>);

/** Describes a retry that the client is about to make. */
export type RetryNotice = {
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: InterlockError;
  /** The run, if its stream is being resumed. */
  readonly runId?: string;
  readonly lastSeq?: number;
};

export type ClientOptions = {
  /** URL of the gateway, e.g. `https://mesh.example.com`. In a browser `""` is the page's own origin. */
  baseUrl: string | URL;
  fetch?: Fetch;
  headers?: HeaderSource;
  /** The caller's token. Without one a gateway serves at most programs on its own machine. */
  token?: TokenSource;
  /** Milliseconds until the head of an answer, and again until its whole body if it is not a stream. */
  requestTimeoutMs?: number;
  /**
   * Milliseconds without a byte after which a stream counts as cut. The gateway sends keepalives more often.
   */
  idleTimeoutMs?: number;
  /** Largest data of one event, in bytes. */
  maxEventBytes?: number;
  /** Largest body of an answer that is not a stream, in bytes. */
  maxResponseBytes?: number;
  /** Retries of requests that got no answer, 429 or 503; false for none. */
  retry?: Partial<RetryPolicy> | false;
  /** Reconnects of streams; false for none. */
  reconnect?: Partial<RetryPolicy> | false;
  onRetry?: (notice: RetryNotice) => void;
};

export type Settings = {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly headers: HeaderSource;
  readonly token: TokenSource | undefined;
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly maxEventBytes: number;
  readonly maxResponseBytes: number;
  readonly retry: RetryPolicy;
  readonly reconnect: RetryPolicy;
  readonly onRetry: ((notice: RetryNotice) => void) | undefined;
};

const MIB = 1024 * 1024;
const RETRY: RetryPolicy = { maxAttempts: 4, maxElapsedMs: 30_000, minDelayMs: 200, maxDelayMs: 5_000 };
const RECONNECT: RetryPolicy = {
  maxAttempts: 10,
  maxElapsedMs: 120_000,
  minDelayMs: 250,
  maxDelayMs: 10_000,
};

/** @throws InterlockError invalid_argument */
export function settingsOf(options: ClientOptions): Settings {
  const settings: Settings = {
    baseUrl: baseUrlOf(options.baseUrl),
    // Looks the global up at each call, so that a wrapper installed later (tracing, a polyfill) is used.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    headers: options.headers ?? {},
    token: options.token,
    requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 45_000,
    maxEventBytes: options.maxEventBytes ?? 32 * MIB,
    maxResponseBytes: options.maxResponseBytes ?? 64 * MIB,
    retry: policyOf(options.retry, RETRY),
    reconnect: policyOf(options.reconnect, RECONNECT),
    onRetry: options.onRetry,
  };
  for (const name of ["requestTimeoutMs", "idleTimeoutMs", "maxEventBytes", "maxResponseBytes"] as const) {
    if (!(settings[name] > 0)) throw invalidArgument(`${name} must be a positive number.`);
  }
  return settings;
}

/** An http(s) URL with an optional path, or a path of the page's own origin. */
const BASE = /^(?:https?:\/\/[^/?#]+)?(?:\/[^/?#]+)*$/;

function baseUrlOf(given: string | URL): string {
  const base = String(given).replace(/\/+$/, "");
  if (BASE.test(base) && URL.canParse(base, "http://relative.invalid")) return base;
  throw invalidArgument("baseUrl must be an http(s) URL without a query, or a path.");
}

function policyOf(given: Partial<RetryPolicy> | false | undefined, preset: RetryPolicy): RetryPolicy {
  if (given === false) return { ...preset, maxAttempts: 0 };
  const policy = { ...preset, ...given };
  if (Object.values(policy).every((value) => value >= 0)) return policy;
  throw invalidArgument("Numbers of a retry policy must not be negative.");
}

/** The gateway's default: it sends a keepalive after 15 seconds of silence. */
const DEFAULT_KEEPALIVE_S = 15;

/** Asks for three keepalives per idle timeout, if the gateway's default is not frequent enough for that. */
export function keepaliveQuery({ idleTimeoutMs }: Settings): { interval?: number } {
  const seconds = Math.max(1, Math.floor(idleTimeoutMs / 3_000));
  return seconds < DEFAULT_KEEPALIVE_S ? { interval: seconds } : {};
}

export function invalidArgument(message: string): InterlockError {
  return new InterlockError("invalid_argument", message);
}

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Ids become segments of URL paths: an unchecked one (`../x`) could address another endpoint.
 * @throws InterlockError invalid_argument
 */
export function checkId(id: string, what: string): string {
  if (typeof id === "string" && ID.test(id)) return id;
  throw invalidArgument(`The ${what} must match ${ID.source}.`);
}

const PATH = /^[a-z][a-z0-9_-]{0,63}(?:\/[a-z][a-z0-9_-]{0,63}){0,3}$/;

/** Likewise the name of an endpoint, as the manifest has it. @throws InterlockError invalid_argument */
export function checkPath(path: string): string {
  if (typeof path === "string" && PATH.test(path)) return path;
  throw invalidArgument(`The name of the book must match ${PATH.source}.`);
}
