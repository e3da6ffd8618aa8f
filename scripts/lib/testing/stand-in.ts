/** A minimal service that the tests of the mesh start instead of the real ones. */
import { createServer } from "node:http";

const { HOST, PORT, REDIS_URL, STAND_IN } = process.env;

if (STAND_IN === "broken") {
  console.error("stand-in: nothing works here");
  process.exit(7);
}

const server = createServer((request, response) => {
  if (request.url === "/slow") {
    response.write("first ");
    setTimeout(() => response.end("last"), 300);
    return;
  }
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ pid: process.pid, redis: REDIS_URL, agent: process.env.WORKER_URL }));
});
server.listen(Number(PORT), HOST);

process.on("SIGTERM", () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
});
