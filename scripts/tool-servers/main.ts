import { parseArgs } from "node:util";
import { mailServer, salesServer } from "./servers.ts";

const { values } = parseArgs({
  options: { sales: { type: "string", default: "8096" }, mail: { type: "string", default: "8097" } },
});
const servers = await Promise.all([salesServer(Number(values.sales)), mailServer(Number(values.mail))]);
console.log(`tools under ${servers.map(({ url }) => url).join(" and ")}`);
const stop = (): void => void Promise.all(servers.map((server) => server.stop()));
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
