/** Smoke test of the Compose files on a Docker Engine: one gateway, then two behind a balancer. */
import { delimiter } from "node:path";
import { fail, say } from "../cli/src/console.ts";
import { freePort } from "../cli/src/ports.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { conclude, runChecks } from "../lib/run-checks.ts";
import { ComposeProject, missingDocker } from "./docker.ts";
import { layersAreSmall } from "./layers.ts";
import { oneGateway } from "./one-gateway.ts";
import { ISSUER_CACHE_S, twoGateways } from "./two-gateways.ts";

const FILES = ["docker-compose.yml", "docker-compose.replicas.yml"];

async function main(): Promise<void> {
  const missing = await missingDocker();
  if (missing !== undefined) {
    say(`skipped: the Compose smoke test needs a Docker Engine with Compose; ${missing}`);
    return conclude({ passed: 0, failed: 0 });
  }
  const signal = stopSignal();
  const port = await freePort("127.0.0.1");
  const name = `interlock-smoke-${process.pid}`;
  const url = `http://127.0.0.1:${port}`;
  const projectOf = (files: readonly string[]) =>
    new ComposeProject(name, {
      GATEWAY_PORT: String(port),
      // A tag of its own: a parallel run on the same engine may build different sources.
      INTERLOCK_TAG: name,
      ISSUER_CACHE_S: String(ISSUER_CACHE_S),
      // With two gateways, their agents and the load on a few cores, everything waits for a core longer than a gateway would.
      LOOP_SHED_MS: "60000",
      COMPOSE_FILE: files.join(delimiter),
    });
  const [one, two] = [projectOf(FILES.slice(0, 1)), projectOf(FILES)];
  const down = () => two.compose("down", "--volumes", "--timeout", "5");
  const count = await runChecks(
    [
      ["images build", () => two.compose("build")],
      ["images add little to their base", () => layersAreSmall(two, `interlock/*:${name}`)],
      ...oneGateway(one, url),
      ["gives way to two gateways", () => down()],
      ...twoGateways(two, url),
    ],
    signal,
  );
  if (count.failed > 0) {
    await two.compose("ps", "--all").catch(() => undefined);
    await two.compose("logs", "--tail", "20").catch(() => undefined);
  }
  await down().catch(() => undefined);
  await two.removeImages(`interlock/*:${name}`).catch(() => undefined);
  // Last, because CI reads the last line.
  conclude(count);
}

await main().catch(fail);
