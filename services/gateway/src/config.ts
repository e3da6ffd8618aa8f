import { BlockList, isIP } from "node:net";
import {
  SettingError as ConfigError,
  type Env,
  type StoreTls,
  secretOf,
  storeOf,
} from "@interlock/contracts/settings";
import { readRedisUrl } from "./store/index.ts";

export { ConfigError };

/** The gateway's settings, read from the environment once. */
export type Config = {
  host: string;
  port: number;
  redisUrl: string;
  redisTls: StoreTls;
  /** Port of the metrics; undefined: served by the API, to programs on this machine only. */
  metricsPort: number | undefined;
  meshFile: string;
  /** Names of the manifest's parts to take; absent: all. */
  meshOnly?: readonly string[];
  logLevel: string;
  /** Milliseconds that running work gets to end after SIGTERM. */
  /** How long everything is still served after SIGTERM, while `/readyz` says no: a balancer goes on sending until it has noticed. */
  drainDelayMs: number;
  shutdownGraceMs: number;
  /** Bytes and values of one request body, and bytes of all bodies under way. */
  maxBodyBytes: number;
  maxBodyValues: number;
  maxBodiesBytes: number;
  /** Maximum length of a user's message, in code points. */
  maxMessageChars: number;
  /** Connections of clients at once. */
  maxConnections: number;
  /** Maximum number of open event streams, shared fairly between users. */
  maxStreams: number;
  /** Milliseconds for which a stream waits for a client that reads nothing of it. */
  streamStalledMs: number;
  /** Requests of one address whose caller cannot be identified, in a minute; more are answered 429. */
  failedAuthPerMinute: number;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: BlockList;
  /** Below this confidence in what a message asks for, the user is asked. */
  intentThreshold: number;
  /** From this risk of a wrong reading on the user is asked before it is acted on; undefined: the model's own. */
  readingRisk: number | undefined;
  /** What is kept of the calls of tools. */
  lineage: { isKept: boolean; key?: Buffer };
  /** Milliseconds of a stall of the event loop from which on new work is shed for a while. */
  loopShedMs: number;
  /** Milliseconds of the thread's own work at once from which on a stall is logged. */
  loopReportMs: number;
  /** The gateway's address as its callers know it; absent: the one that a request names. */
  publicUrl: string | undefined;
  /** Whether requests of this machine need a token too. */
  authRequired: boolean;
  /** The development issuer; undefined: there is none. */
  developmentIssuer: string | undefined;
  /** Seconds for which an issuer's keys are cached, unless the manifest says otherwise. */
  issuerCacheS: number;
  /** Origins whose pages may call the API from a browser. */
  corsOrigins: readonly string[];
  /** The gateway's name in the tokens that it signs, and the file of the keys; absent: a key that ends with the process. */
  issuer: string;
  keyFile: string | undefined;
  /** An HTTP proxy for what the manifest does not list under `egress.allow`. */
  egressProxy: string | undefined;
  /** Runs that this replica executes at once. */
  maxRuns: number;
  /** Milliseconds after which another replica may take over a run whose holder has not renewed its lease. */
  leaseMs: number;
  /** A run that was begun this often without coming to an end or a pause is left for a person. */
  maxAttempts: number;
  /** Milliseconds before a webhook that failed is tried again; it doubles from there. */
  webhookRetryMs: number;
  /** How often it is tried in all. */
  webhookAttempts: number;
  /** Replicas of Redis that must have acknowledged the start of an effect that may happen only once; 0: none. */
  effectReplicas: number;
  /** What one subject may have: sessions, runs that are not over, bytes that its runs wrote while their records are kept. */
  maxSubjectSessions: number;
  maxSubjectRuns: number;
  maxSubjectBytes: number;
  /** Whether the debug endpoint shows a session's fields; only for development. */
  devMode: boolean;
  /** Bytes of events that one run may write. */
  maxRunBytes: number;
  /** Milliseconds and megabytes of memory that processing one large value may take. */
  largeTimeoutMs: number;
  largeMemoryMb: number;
  /** Milliseconds after which the reader of an unfinished turn is warned. */
  slowWarningMs: number;
  /** Turns, and tokens, of a session above which older turns are summarised; the latest turns that stay raw. */
  maxContextTurns: number;
  memoryTokens: number;
  memoryKeepRecentTurns: number;
  /** Seconds for which the store keeps the log of a finished run, its record, and an idle session. */
  logTtlS: number;
  runTtlS: number;
  sessionTtlS: number;
  /** Seconds without a request, and in all, after which somebody who signed in from a browser has to do so again. */
  consoleIdleS: number;
  consoleSessionS: number;
  /** Whether traces have what is said to models and by them, as the GenAI conventions name it. */
  capturesMessages: boolean;
  /** Negative control of the chaos test; never set it elsewhere. */
  unsafeNoFencing: boolean;
};

const DAY_S = 86_400;
const MIB = 1024 * 1024;

/** @throws ConfigError */
function originsOf(list = ""): string[] {
  const origins = list.split(",").flatMap((one) => one.trim() || []);
  if (origins.every((origin) => URL.parse(origin)?.origin === origin)) return origins;
  throw new ConfigError("CORS_ORIGINS must be a comma-separated list of origins such as https://example.com");
}

/** @throws ConfigError */
function lineageOf(env: Env): Config["lineage"] {
  const kept = env.TOOL_LINEAGE || "on";
  if (kept !== "on" && kept !== "off") throw new ConfigError("TOOL_LINEAGE must be on or off");
  const text = secretOf(env, "TOOL_LINEAGE_KEY");
  if (text === undefined) return { isKept: kept === "on" };
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new ConfigError("TOOL_LINEAGE_KEY must be 32 bytes in Base64");
  return { isKept: kept === "on", key };
}

/** @throws ConfigError */
function proxyOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === "") return text;
  throw new ConfigError("EGRESS_PROXY must be an address such as http://proxy.internal:3128");
}

/** @throws ConfigError */
function publicUrlOf(text: string | undefined): string | undefined {
  if (!text) return undefined;
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, "")) return url.origin;
  throw new ConfigError("PUBLIC_URL must be an address such as https://interlock.example.com");
}

/** @throws ConfigError */
function proxiesOf(list = ""): BlockList {
  const proxies = new BlockList();
  for (const entry of list.split(",").flatMap((one) => one.trim() || [])) {
    const [address = "", bits, ...more] = entry.split("/");
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (family === 0 || more.length > 0 || !(prefix <= most))
      throw new ConfigError(
        "TRUSTED_PROXIES must be a comma-separated list of addresses or networks such as 10.0.0.0/8",
      );
    proxies.addSubnet(address, prefix, family === 6 ? "ipv6" : "ipv4");
  }
  return proxies;
}

/** @throws ConfigError that names the variable, not its value */
export function readConfig(env: Env): Config {
  const integer = (name: string, fallback: number, min: number, max: number): number => {
    const raw = env[name];
    if (raw === undefined || raw === "") return fallback;
    const value = /^\d+$/.test(raw) ? Number(raw) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}`);
  };
  const share = (name: string, fallback: number): number => {
    const raw = env[name];
    if (raw === undefined || raw === "") return fallback;
    const value = /^(?:0?\.\d+|[01](?:\.0+)?)$/.test(raw) ? Number(raw) : Number.NaN;
    if (value >= 0 && value <= 1) return value;
    throw new ConfigError(`${name} must be a number from 0 to 1`);
  };
  const host = env.HOST || "127.0.0.1";
  const fallback = "redis://127.0.0.1:6379";
  const { url: redisUrl, tls: redisTls } = storeOf(env, { host, fallback }) ?? { url: fallback, tls: {} };
  if (!readRedisUrl(redisUrl))
    throw new ConfigError(
      "REDIS_URL must be redis://host, redis+cluster://host,host or redis+sentinel://host,host/name; rediss for TLS",
    );
  const auth = env.AUTH || "local";
  if (auth !== "local" && auth !== "required")
    throw new ConfigError("AUTH must be local (requests of this machine need no token) or required");
  const devMode = env.DEV_MODE || "false";
  if (devMode !== "true" && devMode !== "false") throw new ConfigError("DEV_MODE must be true or false");
  const developmentIssuer = env.DEVELOPMENT_ISSUER || undefined;
  if (developmentIssuer !== undefined && URL.parse(developmentIssuer)?.protocol !== "http:")
    throw new ConfigError("DEVELOPMENT_ISSUER must be a URL with http:");
  const maxBodyBytes = integer("MAX_BODY_BYTES", 8 * MIB, 1024, 256 * MIB);
  const maxConnections = integer("MAX_CONNECTIONS", 20_000, 1, 1_000_000);
  const maxContextTurns = integer("MAX_CONTEXT_TURNS", 10, 1, 1_000);
  return {
    host,
    port: integer("PORT", 8080, 0, 65_535),
    redisUrl,
    redisTls,
    metricsPort: env.METRICS_PORT ? integer("METRICS_PORT", 0, 0, 65_535) : undefined,
    meshFile: env.MESH_FILE || "mesh.yaml",
    ...(env.MESH_ONLY ? { meshOnly: env.MESH_ONLY.split(",").map((part) => part.trim()) } : {}),
    logLevel: env.LOG_LEVEL || "info",
    drainDelayMs: integer("DRAIN_DELAY_MS", 0, 0, 120_000),
    shutdownGraceMs: integer("SHUTDOWN_GRACE_MS", 10_000, 0, 600_000),
    maxBodyBytes,
    maxBodyValues: integer("MAX_BODY_VALUES", 500_000, 65_536, 100_000_000),
    maxBodiesBytes: integer("MAX_BODIES_BYTES", Math.max(64 * MIB, maxBodyBytes), maxBodyBytes, 4096 * MIB),
    maxMessageChars: integer("MAX_MESSAGE_CHARS", 4_000, 1, 16_000),
    maxConnections,
    maxStreams: integer("MAX_STREAMS", maxConnections, 1, 1_000_000),
    streamStalledMs: integer("STREAM_STALLED_MS", 5_000, 100, 600_000),
    failedAuthPerMinute: integer("FAILED_AUTH_PER_MINUTE", 60, 1, 1_000_000),
    trustedProxies: proxiesOf(env.TRUSTED_PROXIES),
    intentThreshold: share("INTENT_CONFIDENCE_THRESHOLD", 0.7),
    readingRisk: env.READING_RISK ? share("READING_RISK", 1) : undefined,
    lineage: lineageOf(env),
    loopShedMs: integer("LOOP_SHED_MS", 2_000, 50, 600_000),
    loopReportMs: integer("LOOP_REPORT_MS", 50, 1, 600_000),
    publicUrl: publicUrlOf(env.PUBLIC_URL),
    authRequired: auth === "required",
    developmentIssuer,
    devMode: devMode === "true",
    issuerCacheS: integer("ISSUER_CACHE_S", 300, 1, DAY_S),
    corsOrigins: originsOf(env.CORS_ORIGINS),
    issuer: env.GATEWAY_ISSUER || "interlock",
    keyFile: env.GATEWAY_KEY_FILE || undefined,
    egressProxy: proxyOf(env.EGRESS_PROXY),
    maxRuns: integer("MAX_RUNS", 1_000, 1, 100_000),
    leaseMs: integer("LEASE_MS", 10_000, 500, 600_000),
    maxAttempts: integer("MAX_ATTEMPTS", 5, 1, 1_000),
    webhookRetryMs: integer("WEBHOOK_RETRY_MS", 20_000, 10, 600_000),
    webhookAttempts: integer("WEBHOOK_ATTEMPTS", 14, 1, 20),
    effectReplicas: integer("EFFECT_REPLICAS", 0, 0, 16),
    maxSubjectSessions: integer("MAX_SUBJECT_SESSIONS", 1_000_000, 1, 1_000_000_000),
    maxSubjectRuns: integer("MAX_SUBJECT_RUNS", 10_000, 1, 1_000_000_000),
    maxSubjectBytes: integer("MAX_SUBJECT_BYTES", 8_192 * MIB, MIB, Number.MAX_SAFE_INTEGER),
    maxRunBytes: integer("MAX_RUN_BYTES", 64 * MIB, 4096, 512 * MIB),
    largeTimeoutMs: integer("LARGE_VALUE_TIMEOUT_MS", 10_000, 100, 600_000),
    largeMemoryMb: integer("LARGE_VALUE_MEMORY_MB", 512, 64, 16_384),
    maxContextTurns,
    memoryTokens: integer("MEMORY_TOKENS", 8_000, 100, 1_000_000),
    memoryKeepRecentTurns: integer(
      "MEMORY_KEEP_RECENT_TURNS",
      Math.min(4, maxContextTurns),
      1,
      maxContextTurns,
    ),
    slowWarningMs: integer("SLOW_WARNING_MS", 10_000, 1, 3_600_000),
    logTtlS: integer("LOG_TTL_S", DAY_S, 1, 365 * DAY_S),
    runTtlS: integer("RUN_TTL_S", 7 * DAY_S, 1, 365 * DAY_S),
    sessionTtlS: integer("SESSION_TTL_S", 30 * DAY_S, 60, 3650 * DAY_S),
    consoleIdleS: integer("CONSOLE_IDLE_S", 1_800, 5, DAY_S),
    consoleSessionS: integer("CONSOLE_SESSION_S", DAY_S / 2, 5, 30 * DAY_S),
    capturesMessages: env.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.toLowerCase() === "true",
    unsafeNoFencing: env.UNSAFE_NO_FENCING === "1",
  };
}
