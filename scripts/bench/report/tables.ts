import { GOALS, judge } from "../goals.ts";
import { MEASURES } from "../measures/index.ts";
import type { Machine } from "../os/machine.ts";
import { figure, percent, table, withUnit } from "./format.ts";
import { type Figure, figureOf, type MeasureResult, type Results, type Run } from "./results.ts";

/** What was to be reached, and what was. */
export function goalsTable({ measures }: Results): string {
  const rows = GOALS.flatMap((goal) => {
    const found = figureOf(measures[goal.measure], goal.value);
    if (!found) return [];
    const limit = (value: number | undefined) => (value === undefined ? "–" : figure(value));
    const verdict = judge(goal, found.median);
    const measured = withUnit(found.median, goal.unit);
    return [[goal.title, limit(goal.must), limit(goal.superb), measured, range(found), verdict]];
  });
  return table([["measure", "must", "superb", "median", "least – most", ""], ...rows]);
}

/** Every figure of every measure. */
export function detailsTables({ measures }: Results): string {
  return MEASURES.flatMap(({ name, title }) => {
    const result = measures[name];
    if (!result) return [];
    const names = [...new Set(result.repetitions.flatMap(({ values }) => Object.keys(values)))];
    const rows = names.flatMap((value) => {
      const found = figureOf(result, value);
      return found ? [[`\`${value}\``, figure(found.median), range(found)]] : [];
    });
    const failures = result.failures.map((failure) => `\nFailed: ${failure}\n`);
    return [
      `**${title}** (\`${name}\`)\n\n${table([["figure", "median", "least – most"], ...rows])}\n${failures.join("")}`,
    ];
  }).join("\n");
}

/** How calm the machine was. */
export function noiseTable({ measures }: Results): string {
  const rows = MEASURES.flatMap(({ name }) => {
    const result = measures[name];
    if (!result || result.repetitions.length === 0) return [];
    const of = (pick: (noise: MeasureResult["repetitions"][number]["noise"]) => number) =>
      result.repetitions.map(({ noise }) => pick(noise));
    return [
      [
        `\`${name}\``,
        String(result.repetitions.length),
        percent(Math.max(...of(({ foreign }) => foreign))),
        span(of(({ loopMs }) => loopMs)),
        span(of(({ callsMs }) => callsMs)),
      ],
    ];
  });
  const head = ["measure", "repetitions", "others' CPU, worst", "fixed loop, ms", "20,000 system calls, ms"];
  return table([head, ...rows]);
}

export function machineText(runs: Results["runs"]): string {
  return Object.values(runs)
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map((run) => `- ${runText(run)}`)
    .join("\n");
}

function runText({ at, seconds, repetitions, machine }: Run): string {
  const when = `${at.slice(0, 16).replace("T", " ")} UTC`;
  const times = `${repetitions} ${repetitions === 1 ? "repetition" : "repetitions"}`;
  return `${when}, ${times}, ${figure(seconds / 60)} minutes, commit ${machine.commit}: ${machineLine(machine)}`;
}

function machineLine(machine: Machine): string {
  const { cpu, cores, virtual, memoryGib, system, node, redis, openFiles, pinned } = machine;
  const pinning = pinned
    ? `gateway and Redis on core ${pinned.sut}, load and agent on core ${pinned.harness}`
    : "nothing pinned";
  return (
    `${cpu}${virtual ? " (virtual machine)" : ""}, ${cores} cores, ${memoryGib} GiB; ${system}; Node ${node}, Redis ${redis} ` +
    `(append-only file, every write synced); ${openFiles.toLocaleString("en")} open files a process; ${pinning}.`
  );
}

function range({ least, most }: Figure): string {
  return least === most ? "" : `${figure(least)} – ${figure(most)}`;
}

function span(values: readonly number[]): string {
  return (
    range({ median: 0, least: Math.min(...values), most: Math.max(...values) }) || figure(values[0] ?? 0)
  );
}
