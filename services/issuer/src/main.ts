import { misspeltSettings } from "@interlock/contracts/settings";
import { readConfig } from "./config.ts";
import { issuerServer } from "./server.ts";

const LEVELS = { info: 30, warn: 40, error: 50 } as const;

/** One line, in the form of the other services' logs. */
function log(level: keyof typeof LEVELS, msg: string, facts: object): void {
  const time = new Date().toISOString();
  console.log(JSON.stringify({ level: LEVELS[level], time, service: "issuer", msg, ...facts }));
}

// The provider's library prints warnings about its settings to the console.
console.info = (notice) => log("info", "notice", { notice: String(notice) });
console.warn = (notice) => log("warn", "notice", { notice: String(notice) });

for (const facts of misspeltSettings(process.env)) log("warn", "no setting has this name", facts);

try {
  const config = readConfig(process.env);
  const { host, port, issuer } = config;
  // Log only the error's name: its message may quote the request.
  const server = issuerServer(config, (error) => log("error", "failed", { error: error.name }));
  server.once("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  server.listen(port, host, () => log("info", "listening", { url: issuer }));
  for (const signal of ["SIGTERM", "SIGINT"])
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
} catch (error) {
  console.error(Error.isError(error) ? error.message : error);
  process.exit(1);
}
