import { distance } from "./nearest.ts";

/** The environment variables that services and `npm start` read, but for those that are as short as other programs' own. */
export const SETTING_NAMES: readonly string[] = [
  "AGENT_CONTRACT_TARGETS",
  "AGENT_CONTRACT_TOKEN",
  "ALLOW_INSECURE_STORE",
  "CORS_ORIGINS",
  "COST_PORT",
  "SAVINGS_PORT",
  "DATASETS_DIR",
  "DEVELOPMENT_ISSUER",
  "DEV_MODE",
  "DRAIN_DELAY_MS",
  "EFFECT_REPLICAS",
  "CONSOLE_IDLE_S",
  "CONSOLE_SESSION_S",
  "EGRESS_PROXY",
  "PUBLIC_URL",
  "EXPLAINER_PORT",
  "LARGE_VALUE_MEMORY_MB",
  "LARGE_VALUE_TIMEOUT_MS",
  "FAILED_AUTH_PER_MINUTE",
  "FOCUS_DATA",
  "GATEWAY_AUDIENCE",
  "GATEWAY_ISSUER",
  "GATEWAY_JWKS_FILE",
  "GATEWAY_JWKS_URL",
  "GATEWAY_KEY_FILE",
  "GATEWAY_PORT",
  "INTENT_CONFIDENCE_THRESHOLD",
  "SAVINGS_AGENT",
  "D1_OPTIMIZATION_AGENT",
  "READING_RISK",
  "TOOL_LINEAGE",
  "TOOL_LINEAGE_KEY",
  "INTERLOCK_DATA_DIR",
  "INTERLOCK_INSTALL",
  "ISSUER_CACHE_S",
  "ISSUER_DATA_DIR",
  "ISSUER_HOST",
  "ISSUER_PORT",
  "LEASE_MS",
  "LOG_LEVEL",
  "LOG_TTL_S",
  "LOOP_REPORT_MS",
  "LOOP_SHED_MS",
  "LIST_OF_MCPS",
  "MAX_ATTEMPTS",
  "MAX_BODIES_BYTES",
  "MAX_BODY_BYTES",
  "MAX_BODY_VALUES",
  "MAX_CONCURRENT",
  "MAX_CONNECTIONS",
  "MAX_CONTEXT_TURNS",
  "MAX_FILL_TURNS",
  "MAX_MESSAGE_CHARS",
  "MAX_RUNS",
  "MAX_RUN_BYTES",
  "MAX_STREAMS",
  "MAX_SUBJECT_BYTES",
  "MAX_SUBJECT_RUNS",
  "MAX_SUBJECT_SESSIONS",
  "MCP_ENDPOINTS",
  "MEMORY_KEEP_RECENT_TURNS",
  "MEMORY_TOKENS",
  "MESH_FILE",
  "MESH_ONLY",
  "METRICS_PORT",
  "OPTIMIZER_PORT",
  "POLICY_PORT",
  "REDIS_CA_FILE",
  "REDIS_CERT_FILE",
  "REDIS_KEY_FILE",
  "REDIS_URL",
  "REDIS_URL_FILE",
  "RULE_PACK",
  "RUN_TTL_S",
  "REPORTER_PORT",
  "SENSITIVITY_PORT",
  "SESSION_TTL_S",
  "SHUTDOWN_GRACE_MS",
  "SLOW_WARNING_MS",
  "STREAM_STALLED_MS",
  "TRANSFER_CURRENCY",
  "TRANSFER_LIMITS",
  "TRANSFER_PORT",
  "TRUSTED_PROXIES",
  "UNSAFE_NO_FENCING",
  "WEBHOOK_ATTEMPTS",
  "WEBHOOK_RETRY_MS",
  "OTEL_BSP_SCHEDULE_DELAY",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT",
  "OTEL_METRIC_EXPORT_INTERVAL",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
];

/** As short as other programs' own: only their letters in another order are taken for them, as AUHT for AUTH. */
const SHORT_NAMES: readonly string[] = ["AUTH", "HOST", "PORT"];

/** From here on, two letters may be wrong. */
const LONG = 10;

export type Misspelt = { readonly variable: string; readonly did_you_mean: string };

/**
 * Variables that are nobody's setting and nearly one of ours: REDIS_ULR, redis_url, SHUTDOWN_GRACE. Whatever else an environment holds is somebody else's.
 * @param more names that count as known too, as a manifest's variables
 */
export function misspeltSettings(
  env: Readonly<Record<string, string | undefined>>,
  more: Iterable<string> = [],
): Misspelt[] {
  const known = new Set([...SETTING_NAMES, ...more]);
  return Object.keys(env).flatMap((variable) => {
    if (known.has(variable) || SHORT_NAMES.includes(variable)) return [];
    const near = meantBy(variable, known);
    return near === undefined ? [] : [{ variable, did_you_mean: near }];
  });
}

function meantBy(variable: string, known: ReadonlySet<string>): string | undefined {
  const upper = variable.toUpperCase().replaceAll("-", "_");
  if (known.has(upper)) return upper;
  if (!/^[A-Z][A-Z0-9_]{3,63}$/.test(variable)) return undefined;
  if (variable.length === 4) return SHORT_NAMES.find((name) => sorted(name) === sorted(variable));
  return [...known].find((name) => isNear(variable, name)) ?? onlyLonger(variable, known);
}

function sorted(name: string): string {
  return [...name].sort().join("");
}

/** A name of several words without its last one, mostly the unit: SHUTDOWN_GRACE for SHUTDOWN_GRACE_MS. */
function onlyLonger(variable: string, known: ReadonlySet<string>): string | undefined {
  if (!variable.includes("_")) return undefined;
  const [only, ...others] = [...known].filter((name) => name.startsWith(`${variable}_`));
  return others.length === 0 ? only : undefined;
}

function isNear(variable: string, name: string): boolean {
  const most = name.length < LONG ? 1 : 2;
  return Math.abs(variable.length - name.length) <= most && distance(variable, name) <= most;
}
