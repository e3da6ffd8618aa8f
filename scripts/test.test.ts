import { execFile } from "node:child_process";
import { expect, test } from "@jest/globals";
import { root } from "./lib/paths.ts";

type Ended = { code: unknown; output: string };

/** `npm test`, without a Redis. */
function npmTest(pattern: string, more: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const args = ["scripts/test.ts", `--testMatch=**/${pattern}`];
  const env = { ...process.env, TEST_REDIS_URL: "redis://127.0.0.1:1", ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stderr + stdout }),
    );
  });
}

test("the last line is the total", async () => {
  const { code, output } = await npmTest("scripts/lib/chromium-binary.test.ts");
  expect(output).toMatch(/\n[1-9]\d* passed, 0 failed\n$/);
  expect(code).toBe(0);
});

test("tests that leave something behind fail, are told what it was, and the command ends", async () => {
  const { code, output } = await npmTest("scripts/lib/testing/leaves-behind.ts", { TEST_GRACE_MS: "5000" });
  expect(output).toContain("FAIL scripts/lib/testing/leaves-behind.ts");
  expect(output).toContain("these tests leave behind: PipeWrap, ProcessWrap, TCPServerWrap, Timeout");
  expect(output).toMatch(/\n0 passed, 1 failed\n$/);
  expect(code).toBe(1);
});
