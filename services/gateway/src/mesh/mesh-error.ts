/** A manifest that cannot be used; every problem is named. */
export class MeshError extends Error {
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(`${file} is not a valid mesh manifest:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "MeshError";
    this.problems = problems;
  }
}
