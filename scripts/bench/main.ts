/** `npm run bench`: measures the mesh and writes what it finds into docs/performance.md. */
import { fail, say } from "../lib/console.ts";
import { stopSignal } from "../lib/stop-signal.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { type Cores, chooseCores } from "./os/cores.ts";
import { describeMachine } from "./os/machine.ts";
import { writeDocument } from "./report/document.ts";
import { merge, readResults, writeResults } from "./report/results.ts";
import { goalsTable } from "./report/tables.ts";
import { runMeasures } from "./run-measures.ts";
import { soak } from "./soak.ts";

async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === "help") return say(USAGE);
  if (process.platform !== "linux") throw new Error("The bench reads /proc: it runs on Linux alone.");
  const signal = stopSignal();
  const cores = chooseCores();
  try {
    if (options.soak === undefined) await measure(options, cores, signal);
    else say(await soak(options.soak, cores, signal));
  } catch (error) {
    if (!signal.aborted) throw error;
    say("Stopped.");
    process.exitCode = 1;
  }
}

async function measure(options: Options, cores: Cores | undefined, signal: AbortSignal): Promise<void> {
  const since = performance.now();
  const at = new Date().toISOString();
  const machine = describeMachine(cores);
  const { measures, repetitions, dry } = options;
  say(`${machine.cpu}; ${cores ? "gateway and Redis on one core" : "nothing pinned"}`);
  const measured = await runMeasures({ measures, repetitions, cores, signal, say });
  const seconds = Math.round((performance.now() - since) / 1000);
  const now = {
    runs: { [at]: { at, seconds, repetitions, machine } },
    measures: Object.fromEntries(
      Object.entries(measured).map(([name, result]) => [name, { run: at, ...result }]),
    ),
  };
  say(`\n${goalsTable(now)}\n`);
  if (!dry) {
    const results = merge(readResults(), now);
    writeResults(results);
    say(`written to ${writeDocument(results)} in ${seconds} s`);
  }
  if (Object.values(measured).some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

await main(process.argv.slice(2)).catch(fail);
