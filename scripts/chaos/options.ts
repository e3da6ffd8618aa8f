import { parseArgs } from "node:util";

export type Options = {
  seed: number;
  /** How long to start new rounds. */
  minutes: number | undefined;
  rounds: number | undefined;
  logDir: string | undefined;
};

export const USAGE = `npm run chaos -- [--seed N] [--minutes N | --rounds N] [--logs DIR]

Breaks a mesh of its own on purpose and checks that it keeps its promises. Without --minutes and --rounds
it takes about four minutes. Exit code 1: a promise was broken, or the checks would not have noticed.

  --seed N      seed for the choice of faults, places and times (default 1)
  --minutes N   start new rounds for N minutes
  --rounds N    play N rounds
  --logs DIR    keep the logs of all processes in DIR`;

/** @throws Error for invalid arguments */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      minutes: { type: "string" },
      rounds: { type: "string" },
      logs: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  if (values.minutes !== undefined && values.rounds !== undefined)
    throw new Error("Give --minutes or --rounds, not both.");
  return {
    seed: numberOf("--seed", values.seed) ?? 1,
    minutes: numberOf("--minutes", values.minutes),
    rounds: numberOf("--rounds", values.rounds),
    logDir: values.logs,
  };
}

function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${name} takes a number.`);
}
