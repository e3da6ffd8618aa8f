import { execFile } from "node:child_process";
import { expect, test } from "@jest/globals";
import { root } from "./lib/paths.ts";

test("tests that leave something behind fail, are told what it was, and the command ends", async () => {
  const args = ["scripts/test.ts", "--testMatch=**/scripts/lib/testing/leaves-behind.ts"];
  const env = { ...process.env, TEST_REDIS_URL: "redis://127.0.0.1:1" };
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code, output: stdout + stderr }),
    );
  });
  expect(output).toContain("FAIL scripts/lib/testing/leaves-behind.ts");
  expect(output).toContain("these tests leave behind: PipeWrap, ProcessWrap, TCPServerWrap, Timeout");
  expect(code).toBe(1);
});
