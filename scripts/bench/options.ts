import { parseArgs } from "node:util";
import { MEASURES } from "./measures/index.ts";
import type { Measure } from "./measures/measure.ts";

export type Options = {
  readonly measures: readonly Measure[];
  readonly repetitions: number;
  /** Minutes of a soak in place of the measures. */
  readonly soak: number | undefined;
  /** Leaves docs/ as it is. */
  readonly dry: boolean;
};

export const USAGE = `npm run bench -- [options]      no options: every measure, three times, in about six minutes

  --measure a,b    only these: ${MEASURES.map(({ name }) => name).join(", ")}
  --reps n         repetitions of each (3)
  --dry            writes nothing into docs/
  --soak minutes   memory under a long mixed load, in place of the measures`;

/** @throws Error that says what is wrong, and how it is meant */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      measure: { type: "string", multiple: true },
      reps: { type: "string", default: "3" },
      soak: { type: "string" },
      dry: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  return {
    measures: values.measure?.flatMap((names) => names.split(",")).map(measureNamed) ?? MEASURES,
    repetitions: count(values.reps, "--reps"),
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
