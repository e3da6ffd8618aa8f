import { expect, test } from "@jest/globals";
import { returnPath } from "./return-path.ts";

test.each([
  ["/console/approvals/abc", "/console/approvals/abc"],
  ["/console/runs?state=failed&from=2026-11-27#events", "/console/runs?state=failed&from=2026-11-27#events"],
  ["/docs/api", "/docs/api"],
  ["/", "/"],
])("%s is a page to come back to", (asked, path) => {
  expect(returnPath(asked)).toBe(path);
});

test.each([
  undefined,
  "",
  "https://elsewhere.test/console/runs",
  "//elsewhere.test/console/runs",
  "/\\elsewhere.test",
  "\\\\elsewhere.test",
  "/\t/elsewhere.test",
  "/\n//elsewhere.test",
  "/console/..//elsewhere.test",
  "/console/../../api/v1/runs",
  "/console\\@elsewhere.test",
  "javascript:alert(1)",
  "/api/v1/runs",
  "/console",
  " /console/runs",
  "/%2f%2felsewhere.test/",
  `/console/${"a".repeat(3_000)}`,
])("%j is none: the first page", (asked) => {
  expect(returnPath(asked)).toBe("/");
});
