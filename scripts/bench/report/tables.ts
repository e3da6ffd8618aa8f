import { GOALS, judge } from "../goals.ts";
import { MEASURES } from "../measures/index.ts";
import { figure, withUnit } from "./format.ts";
import { type Figure, figureOf, type Results, type Run } from "./results.ts";

/** What was to be reached, and what was. */
export function goalsTable({ measures }: Results): string {
  const limit = (value: number | undefined) => (value === undefined ? "–" : figure(value));
  const rows = GOALS.flatMap((goal) => {
    const found = figureOf(measures[goal.measure], goal.value);
    if (!found) return [];
    const { title, unit, must, superb } = goal;
    const measured = withUnit(found.median, unit);
    return [[title, limit(must), limit(superb), measured, range(found), judge(goal, found.median)]];
  });
  return table([["measure", "must", "superb", "median", "least – most", ""], ...rows]);
}

/** Every figure of every measure, and how much other programs disturbed it. */
export function detailsTables({ measures }: Results): string {
  return MEASURES.flatMap(({ name, title }) => {
    const result = measures[name];
    if (!result) return [];
    const { repetitions, failures } = result;
    const names = new Set(repetitions.flatMap(({ values }) => Object.keys(values)));
    const rows = [...names].flatMap((value) => {
      const found = figureOf(result, value);
      return found ? [[`\`${value}\``, figure(found.median), range(found)]] : [];
    });
    const others = figure(Math.max(0, ...repetitions.map(({ foreign }) => foreign)) * 100);
    return [
      `**${title}** (\`${name}\`; repetitions: ${repetitions.length}; other programs: up to ${others}% of a core)`,
      ...(rows.length > 0 ? [table([["figure", "median", "least – most"], ...rows])] : []),
      ...failures.map((failure) => `Failed: ${failure}`),
    ];
  }).join("\n\n");
}

export function machineText(runs: Results["runs"]): string {
  return Object.values(runs)
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .map((run) => `- ${runText(run)}`)
    .join("\n");
}

function runText({ at, seconds, repetitions, machine }: Run): string {
  const { cpu, cores, virtual, memoryGib, system, node, redis, openFiles, pinned, commit } = machine;
  const pinning = pinned
    ? `gateway and Redis on core ${pinned.sut}, load and agent on core ${pinned.harness}`
    : "nothing pinned";
  return (
    `${at.slice(0, 16).replace("T", " ")} UTC, repetitions: ${repetitions}, ${figure(seconds / 60)} minutes, commit ${commit}: ` +
    `${cpu}${virtual ? " (virtual machine)" : ""}, ${cores} cores, ${memoryGib} GiB; ${system}; Node ${node}, Redis ${redis} ` +
    `(append-only file, every write synced); ${openFiles.toLocaleString("en")} open files a process; ${pinning}.`
  );
}

function range({ least, most }: Figure): string {
  return least === most ? "" : `${figure(least)} – ${figure(most)}`;
}

/** A Markdown table; the first row is its head. */
function table([head = [], ...body]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}
