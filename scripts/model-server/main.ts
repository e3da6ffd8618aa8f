import { parseArgs } from "node:util";
import { readScript } from "./script.ts";
import { startModelServer } from "./server.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "8099" }, script: { type: "string" } },
});
const server = await startModelServer({
  port: Number(values.port),
  ...(values.script === undefined ? {} : { script: readScript(values.script) }),
});
const how = values.script === undefined ? "a model's name says what it does" : "they answer by the script";
console.log(`models under ${server.url}; ${how}, see docs/models.md`);
const stop = (): void => void server.stop();
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
