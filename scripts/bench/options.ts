import { parseArgs } from "node:util";
import { MEASURES } from "./measures/index.ts";
import type { Measure } from "./measures/measure.ts";

export type Options = {
  readonly measures: readonly Measure[];
  readonly repetitions: number;
  readonly tries: number;
  /** Beside the peers, over the side-by-side harness. */
  readonly peers: boolean;
  /** Where the gateway's time goes, path by path. */
  readonly profile: boolean;
  /** Minutes. */
  readonly soak: number | undefined;
  /** Leaves docs/performance.md as it is. */
  readonly dry: boolean;
};

export const USAGE = `npm run bench -- [options]      no options: every measure, three times, in about five minutes

  --measure a,b    only these: ${MEASURES.map(({ name }) => name).join(", ")}
  --reps n         repetitions of each (3)
  --tries n        how often a measurement is tried that other programs disturb (2)
  --profile        where the gateway's time goes on each path, from CPU profiles, in place of the measures
  --peers          beside other products, by the side-by-side harness in BENCH_PEERS_DIR, in place of the measures
  --soak minutes   memory under a long mixed load, in place of the measures
  --dry            writes nothing into docs/`;

/** @throws Error that says what is wrong, and how it is meant */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      measure: { type: "string", multiple: true },
      reps: { type: "string", default: "3" },
      tries: { type: "string", default: "2" },
      peers: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      soak: { type: "string" },
      dry: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const only = values.measure?.flatMap((names) => names.split(","));
  const inPlace = values.peers || values.profile || values.soak !== undefined;
  return {
    measures: only ? only.map(measureNamed) : inPlace ? [] : MEASURES,
    repetitions: count(values.reps, "--reps"),
    tries: count(values.tries, "--tries"),
    peers: values.peers,
    profile: values.profile,
    soak: values.soak === undefined ? undefined : count(values.soak, "--soak"),
    dry: values.dry,
  };
}

function measureNamed(name: string): Measure {
  const found = MEASURES.find((measure) => measure.name === name);
  if (!found) throw new Error(`there is no measure "${name}"\n\n${USAGE}`);
  return found;
}

function count(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`${option} takes a whole number from 1\n\n${USAGE}`);
  return value;
}
