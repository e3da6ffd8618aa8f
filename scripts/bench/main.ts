/** `npm run bench`: measures the mesh and writes what it finds into docs/performance.md. */
import { join } from "node:path";
import { fail, say } from "../lib/console.ts";
import { dataDir } from "../lib/paths.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { chooseCores } from "./os/cores.ts";
import { describeMachine } from "./os/machine.ts";
import { measurePeers } from "./peers/peers.ts";
import { profilePaths } from "./profile/profile-paths.ts";
import { writeDocument } from "./report/document.ts";
import { merge, type Results, readResults, writeResults } from "./report/results.ts";
import { goalsTable } from "./report/tables.ts";
import { runMeasures } from "./run-measures.ts";
import { soak } from "./soak/soak.ts";

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === "help") return say(USAGE);
  if (process.platform !== "linux") throw new Error("The bench reads /proc: it runs on Linux alone.");
  const signal = stopSignal();
  try {
    await bench(options, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    say("Stopped.");
    process.exitCode = 1;
  }
}

async function bench(options: Options, signal: AbortSignal): Promise<void> {
  const since = performance.now();
  const run = new Date().toISOString();
  const machine = describeMachine();
  const cores = chooseCores();
  const { measures, repetitions, tries } = options;
  say(
    `${machine.cpu}, ${machine.cores} cores; ${cores ? "gateway and Redis on one of them" : "nothing pinned"}`,
  );

  const measured =
    measures.length > 0 ? await runMeasures({ measures, repetitions, tries, cores, signal, say }) : {};
  const profiles = options.profile
    ? await profilePaths({ cores, signal, say, directory: join(dataDir, "profiles") })
    : undefined;
  const peers = options.peers ? await measurePeers({ repetitions, signal, say }) : undefined;
  const soaked =
    options.soak === undefined ? undefined : await soak({ minutes: options.soak, cores, signal, say });

  const seconds = Math.round((performance.now() - since) / 1000);
  const now: Results = {
    runs: { [run]: { at: run, seconds, repetitions, machine } },
    measures: Object.fromEntries(
      Object.entries(measured).map(([name, result]) => [name, { run, ...result }]),
    ),
    ...(profiles ? { profiles: { run, paths: profiles } } : {}),
    ...(peers ? { peers: { run, ...peers } } : {}),
    ...(soaked ? { soak: { run, ...soaked } } : {}),
  };
  if (measures.length > 0) say(`\n${goalsTable(now)}\n`);
  if (soaked) say(`MiB a minute: gateway ${soaked.gatewaySlope}, Redis ${soaked.storeSlope}`);
  if (!options.dry) {
    const results = merge(readResults(), now);
    writeResults(results);
    say(`written to ${writeDocument(results)} in ${seconds} s`);
  }
  if (Object.values(measured).some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

await main(process.argv.slice(2)).catch(fail);
