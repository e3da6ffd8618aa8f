import { GOALS, judge } from "../goals.ts";
import { type Figure, figureOf, type Results, type Run } from "./results.ts";

/** Three significant digits, but never rounded above the decimal point. */
const FORMAT = new Intl.NumberFormat("en", {
  maximumSignificantDigits: 3,
  maximumFractionDigits: 0,
  roundingPriority: "morePrecision",
});

export function figure(value: number): string {
  return FORMAT.format(value);
}

export function withUnit(value: number, unit: string): string {
  return `${figure(value)}${unit === "" || unit === "×" ? unit : ` ${unit}`}`;
}

/** Targets and results. */
export function goalsTable({ measures }: Results): string {
  const limit = (value: number | undefined) => (value === undefined ? "–" : figure(value));
  const rows = GOALS.flatMap((goal) => {
    const { title, unit, must, superb } = goal;
    const result = measures[goal.measure];
    const found = figureOf(result, goal.value);
    if (found)
      return [
        [
          title,
          limit(must),
          limit(superb),
          withUnit(found.median, unit),
          range(found),
          judge(goal, found.median),
        ],
      ];
    return result && !goal.optional ? [[title, limit(must), limit(superb), "–", "", "failed"]] : [];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const head = ["measure", "must", "superb", "median", "least – most", ""];
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

/** Each machine with the runs that were measured on it. */
export function machineText(runs: Results["runs"]): string {
  const inOrder = Object.values(runs).toSorted((a, b) => a.at.localeCompare(b.at));
  return [...Map.groupBy(inOrder, ({ machine }) => machineOf(machine))]
    .map(([machine, measured]) => `- ${machine}: ${measured.map(runText).join("; ")}.`)
    .join("\n");
}

function runText({ at, seconds, repetitions, machine: { commit } }: Run): string {
  const when = at.slice(0, 16).replace("T", " ");
  return `${when} UTC (commit ${commit}, repetitions: ${repetitions}, ${figure(seconds / 60)} minutes)`;
}

function machineOf({
  cpu,
  cores,
  memoryGib,
  system,
  node,
  redis,
  openFiles,
  pinned,
}: Run["machine"]): string {
  const pinning = pinned
    ? `gateway and Redis on core ${pinned.sut}, load and agent on core ${pinned.harness}`
    : "nothing pinned";
  return (
    `${cpu}, ${cores} cores, ${memoryGib} GiB; ${system}; Node ${node}, Redis ${redis}; ` +
    `${openFiles.toLocaleString("en")} open files a process; ${pinning}`
  );
}

function range({ least, most }: Figure): string {
  return least === most ? "" : `${figure(least)} – ${figure(most)}`;
}
