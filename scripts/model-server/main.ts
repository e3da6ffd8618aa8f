import { parseArgs } from "node:util";
import { startModelServer } from "./server.ts";

const { values } = parseArgs({ options: { port: { type: "string", default: "8099" } } });
const server = await startModelServer({ port: Number(values.port) });
console.log(`models under ${server.url}; a model's name says what it does, see docs/models.md`);
const stop = (): void => void server.stop();
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
