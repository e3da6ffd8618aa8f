import { pino } from "pino";
import { startGateway } from "./app.ts";
import { ConfigError, readConfig } from "./config.ts";
import { describeCrash } from "./crash.ts";
import { isoNow } from "./events/index.ts";
import { IssuerError, KeyFileError } from "./identity/index.ts";
import { LogLines } from "./log-lines.ts";
import { MeshError } from "./mesh/index.ts";
import { misspeltVariables } from "./misspelt.ts";

/** The composition root: nothing else reads the environment or exits. */
process.once("uncaughtException", (error) => {
  console.error(`The gateway ends: ${describeCrash(error)}`);
  process.exit(1);
});
try {
  const config = readConfig(process.env);
  const lines = new LogLines(1);
  const timestamp = () => `,"time":"${isoNow()}"`;
  const logger = pino({ level: config.logLevel, base: { service: "gateway" }, timestamp }, lines);
  process.once("exit", () => lines.flushSync());
  for (const facts of misspeltVariables(process.env, config.meshFile))
    logger.warn(facts, "no setting has this name");
  const starting = startGateway(config, process.env, logger);
  // Install the handler before listening, so that an early signal is handled too.
  process.on("SIGHUP", () => void starting.then((gateway) => gateway.reload()).catch(() => undefined));
  const gateway = await starting;
  logger.info({ url: gateway.url, metrics_url: gateway.metricsUrl }, "listening");
  const stop = async (signal: string): Promise<void> => {
    logger.info({ signal }, "stopping");
    await gateway.stop();
    logger.info("stopped");
  };
  // A second signal finds no handler and ends the process at once.
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stop(signal));
} catch (error) {
  const known = [MeshError, ConfigError, IssuerError, KeyFileError].some((kind) => error instanceof kind);
  const code = Error.isError(error) && "code" in error ? String(error.code) : "";
  if (known && Error.isError(error)) console.error(error.message);
  else if (code === "EADDRINUSE") console.error("A port is taken: set PORT, or METRICS_PORT, to a free one.");
  else console.error(`The gateway could not start: ${describeCrash(error)}`);
  process.exit(1);
}
