/** `npm run bench`: measures the mesh and writes what it finds into docs/performance.md. */
import { parseArgs } from "node:util";
import { fail, say } from "../cli/src/console.ts";
import { stopSignal } from "../cli/src/stop-signal.ts";
import { measuresNamed } from "./measures/index.ts";
import { chooseCores } from "./os/cores.ts";
import { describeMachine } from "./os/machine.ts";
import { writeDocument } from "./report/document.ts";
import { merge, readResults, writeResults } from "./report/results.ts";
import { goalsTable } from "./report/tables.ts";
import { type RunOptions, runMeasures } from "./run-measures.ts";
import { soak } from "./soak.ts";

const USAGE = `npm run bench -- [options]      no options: every measure, three times, in about six minutes

  --measure a,b    only these measures
  --reps n         repetitions of each (3)
  --dry            writes nothing into docs/
  --soak minutes   memory under a long mixed load, in place of the measures`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      measure: { type: "string" },
      reps: { type: "string", default: "3" },
      soak: { type: "string" },
      dry: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return say(USAGE);
  if (process.platform !== "linux") throw new Error("The bench reads /proc: it runs on Linux alone.");
  const measures = measuresNamed(values.measure?.split(","));
  const repetitions = count(values.reps, "--reps");
  const signal = stopSignal();
  const cores = chooseCores();
  try {
    if (values.soak !== undefined) say(await soak(count(values.soak, "--soak"), cores, signal));
    else await measure({ measures, repetitions, cores, signal, say }, values.dry);
  } catch (error) {
    if (!signal.aborted) throw error;
    say("Stopped.");
    process.exitCode = 1;
  }
}

async function measure(options: RunOptions, dry: boolean): Promise<void> {
  const { repetitions, cores } = options;
  const since = performance.now();
  const at = new Date().toISOString();
  const machine = await describeMachine(cores);
  say(`${machine.cpu}; ${cores ? "gateway and Redis on one core" : "nothing pinned"}`);
  const measured = Object.entries(await runMeasures(options));
  const seconds = Math.round((performance.now() - since) / 1000);
  const now = {
    runs: { [at]: { at, seconds, repetitions, machine } },
    measures: Object.fromEntries(measured.map(([name, result]) => [name, { run: at, ...result }])),
  };
  say(`\n${goalsTable(now)}\n`);
  if (!dry) {
    const results = merge(readResults(), now);
    writeResults(results);
    say(`written to ${await writeDocument(results)} in ${seconds} s`);
  }
  if (measured.some(([, { failures }]) => failures.length > 0)) process.exitCode = 1;
}

function count(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${option} takes a whole number from 1`);
  return value;
}

await main().catch(fail);
