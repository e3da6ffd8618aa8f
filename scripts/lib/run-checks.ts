import { say } from "../cli/src/console.ts";

/** If `work` resolves to a string, it is printed beside the name. */
export type Check = readonly [name: string, work: () => Promise<unknown>];

export interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** Runs checks in order. Stops at the first that fails, because later ones build on it. */
export async function runChecks(checks: readonly Check[], signal: AbortSignal): Promise<Count> {
  let passed = 0;
  for (const [name, work] of checks) {
    if (signal.aborted) return { passed, failed: 1 };
    const started = performance.now();
    const took = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
    try {
      const note = await work();
      passed += 1;
      say(`ok     ${name} (${took()})${typeof note === "string" ? `: ${note}` : ""}`);
    } catch (error) {
      say(`FAILED ${name} (${took()}): ${Error.isError(error) ? error.message : String(error)}`);
      return { passed, failed: 1 };
    }
  }
  return { passed, failed: 0 };
}

/** Prints the count as the command's last line, and sets the exit code. */
export function conclude({ passed, failed }: Count): void {
  say(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
