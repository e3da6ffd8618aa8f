import type { Places } from "./places.ts";

/** A manifest that cannot be used; every problem is named. */
export class MeshError extends Error {
  readonly problems: readonly string[];
  readonly places: Places | undefined;
  /** The problems, each after its file, line and column, where these are known. */
  readonly located: readonly string[];

  /** @param places the places of the manifest's members, for the problems' file, line and column */
  constructor(file: string, problems: readonly string[], places?: Places) {
    const located = problems.map((problem) => {
      const place = places?.ofProblem(problem);
      return place === undefined ? problem : `${place}: ${problem}`;
    });
    super([`${file} is not a valid mesh manifest:`, ...located.map((line) => `  - ${line}`)].join("\n"));
    this.located = located;
    this.name = "MeshError";
    this.problems = problems;
    this.places = places;
  }
}
