import { type RunningServer, startServer } from "./http/server.ts";
import { flushSpans } from "./runs/task-span.ts";
import { type Env, misspeltSettings, SettingError, settingsFrom } from "./settings.ts";
import type { Agent } from "./types.ts";

const DEFAULT_PORT = 8090;

function reasonOf(error: unknown, port: number): string {
  if (error instanceof SettingError) return error.message;
  const code =
    typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown";
  if (code === "EADDRINUSE") return `Port ${port} is taken: set PORT to a free one.`;
  return `It cannot listen on port ${port} (${code}).`;
}

/**
 * The whole `main` of an agent: makes it, reads HOST, PORT, LOG_LEVEL, REDIS_URL (or REDIS_URL_FILE), MAX_CONCURRENT, GATEWAY_JWKS_URL,
 * GATEWAY_JWKS_FILE, GATEWAY_AUDIENCE and SHUTDOWN_GRACE_MS from `env`, listens, and on SIGTERM or SIGINT drains and exits with 0.
 * Exits with 1 if it cannot start.
 * @param given the agent, or what makes it from settings of its own; a SettingError that this throws is told without a stack
 */
export async function serve(
  given: Agent | (() => Agent),
  env: Env,
  options: { readonly port?: number } = {},
): Promise<RunningServer> {
  let port = options.port ?? DEFAULT_PORT;
  const agent = typeof given === "function" ? made(given) : given;
  try {
    const settings = await settingsFrom(env, agent.card.name, port);
    port = settings.port;
    agent.configure(settings.agent);
    for (const facts of misspeltSettings(env)) agent.log.warning("no setting has this name", facts);
    agent.collectProcessMetrics();
    const server = await startServer(agent, port, settings.host);
    stopOnSignal(agent, server, settings.graceMs);
    // Node's own output would hold the error's message and properties, which may quote inputs or the password of Redis.
    process.once("uncaughtException", (error) => {
      agent.log.defect(error, {});
      process.exit(1);
    });
    agent.log.service("listening", { url: server.url });
    return server;
  } catch (error) {
    console.error(`${agent.card.name}: ${reasonOf(error, port)}`);
    process.exit(1);
  }
}

function made(make: () => Agent): Agent {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

function stopOnSignal(agent: Agent, server: RunningServer, graceMs: number): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    // A terminal's Ctrl-C and a parent's SIGTERM may both arrive: act on the first one.
    if (stopping) return;
    stopping = true;
    agent.log.service("draining", { signal });
    await server.stop(graceMs);
    await agent.close();
    await flushSpans();
    agent.log.service("stopped");
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => void stop(signal));
}
