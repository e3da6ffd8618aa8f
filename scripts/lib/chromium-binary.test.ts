import { expect, test } from "@jest/globals";
import { opensBrowser } from "./chromium-binary.ts";

test.each([
  [[], true],
  [["--json", "--outputFile=out.json"], true],
  [["scripts/report"], true],
  [["services/gateway/test/event-source.test.ts"], true],
  [["services/gateway/test/console.test.ts"], true],
  [["services/gateway/test/plans.test.ts"], false],
  [["--passWithNoTests", "--findRelatedTests", "services/pricing/src/rng.ts"], false],
  [["--testMatch=**/leaves-behind.ts"], false],
])("a run of %j opens a browser: %s", (args, expected) => {
  expect(opensBrowser(args)).toBe(expected);
});
