import type { Places } from "./places.ts";

/** A manifest that cannot be used; every problem is named. */
export class MeshError extends Error {
  readonly problems: readonly string[];
  readonly places: Places | undefined;
  /** The problems, each behind the file and the line that it speaks of, where these are known. */
  readonly located: readonly string[];

  /** @param places where the manifest declares what the problems speak of */
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
