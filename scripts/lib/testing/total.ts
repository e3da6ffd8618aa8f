import { writeFileSync } from "node:fs";
import type { AggregatedResult, Reporter } from "@jest/reporters";

export type Total = { readonly passed: number; readonly failed: number };

/** A reporter of jest, which tells `npm test` how many tests there were. A file that failed as a whole counts as one. */
export default class TotalReporter implements Pick<Reporter, "onRunComplete"> {
  onRunComplete(_: unknown, results: AggregatedResult): void {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = results;
    const total: Total = { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
    const file = process.env.TEST_TOTAL;
    if (file) writeFileSync(file, JSON.stringify(total));
  }
}
