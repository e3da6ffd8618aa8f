import { spawnSync } from "node:child_process";
import { expect, test } from "@jest/globals";

const present = spawnSync("python3", ["--version"]).status === 0;
if (!present) process.stdout.write("Python is not installed here: the agent minimal is not tested\n");

(present ? test : test.skip)("the agent's own tests pass", () => {
  const { status, stderr } = spawnSync("python3", ["-B", "-m", "unittest", "discover"], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/\nOK\n$/) });
});
