import { readConfig } from "./config.ts";
import { issuerServer } from "./server.ts";

const log = (line: object) => console.log(JSON.stringify({ service: "issuer", ...line }));

try {
  const config = readConfig(process.env);
  const { host, port, issuer } = config;
  // Names alone: what an error of the library quotes may come from a request.
  const server = issuerServer(config, (error) => log({ level: "error", msg: "failed", error: error.name }));
  server.once("error", (error) => {
    console.error(error.message);
    process.exit(1);
  });
  server.listen(port, host, () => log({ level: "info", msg: "listening", url: issuer }));
  for (const signal of ["SIGTERM", "SIGINT"])
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
} catch (error) {
  console.error(Error.isError(error) ? error.message : error);
  process.exit(1);
}
