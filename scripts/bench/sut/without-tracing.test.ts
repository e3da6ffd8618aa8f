import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { root } from "../../lib/paths.ts";
import { withoutTracing } from "./without-tracing.ts";

test("every span of the gateway's is taken out, and what is left is a program", () => {
  const sources = globSync("services/gateway/src/**/*.ts", { cwd: root })
    .filter((path) => !path.includes("telemetry/") && !path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(root, path), "utf8"));
  const traced = sources.filter((source) => /tracing\?\.span\(|traceContextOf\(req/.test(source));
  expect(traced.length).toBeGreaterThan(5);
  for (const source of traced) {
    const left = withoutTracing(source);
    expect(left).not.toMatch(/tracing\?\.span\(|traceContextOf\(req/);
    expect(() => stripTypeScriptTypes(left)).not.toThrow();
  }
});

test("a call goes with everything in it", () => {
  const source = "const span = tracing?.span(name(c), trace, { kind: d(e()) });\nnext();";
  expect(withoutTracing(source)).toBe("const span = undefined;\nnext();");
});
