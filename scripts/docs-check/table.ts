import type { Outcome, Result } from "./document.ts";

const OUTCOMES: readonly Outcome[] = ["run", "checked", "marked", "failed"];

/** One line for each document, the sums, and the reasons of what is not run. */
export function table(results: ReadonlyMap<string, readonly Result[]>): string {
  const width = Math.max(...[...results.keys()].map((name) => name.length), 8);
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(9)).join("")}`;
  const counts = (some: readonly Result[]) =>
    OUTCOMES.map((wanted) => some.filter(({ outcome }) => outcome === wanted).length);
  const rows = [...results].map(([name, some]) => line(name, counts(some)));
  const sums = line("all", counts([...results.values()].flat()));
  const reasons = [...results.values()]
    .flat()
    .flatMap(({ block, outcome, note }) =>
      outcome === "marked" ? [`  ${block.file}:${block.line} ${note}`] : [],
    );
  const marked = reasons.length === 0 ? [] : ["", "not run:", ...reasons];
  return [line("document", OUTCOMES), ...rows, sums, ...marked].join("\n");
}
