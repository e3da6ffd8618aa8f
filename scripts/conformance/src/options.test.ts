import { describe, expect, test } from "@jest/globals";
import { type Options, readOptions, UsageError } from "./options.ts";

function optionsFor(args: readonly string[], targets?: string): Options {
  const options = readOptions(args, { targets });
  if (typeof options === "string") throw new Error(`asked for ${options}`);
  return options;
}
const TARGET = ["--target", "http://127.0.0.1:1=ECHO"];

describe("is a mistake of usage", () => {
  test.each([
    ["no target", []],
    ["a target without a task", ["--target", "http://127.0.0.1:1"]],
    ["a target with an empty task", ["--target", "http://127.0.0.1:1="]],
    ["a target that is no URL", ["--target", "localhost=ECHO"]],
    ["a target that is not http", ["--target", "ftp://127.0.0.1/=ECHO"]],
    ["a target with a password", ["--target", "http://me:secret@127.0.0.1:1=ECHO"]],
    ["an option that does not exist", ["--target", "http://127.0.0.1:1=ECHO", "--fast"]],
    ["a time that is none", ["--target", "http://127.0.0.1:1=ECHO", "--timeout", "soon"]],
    ["a rule that does not exist", ["--target", "http://127.0.0.1:1=ECHO", "--rule", "AC1-SYNC-999"]],
    ["a token that cannot be a header", ["--target", "http://127.0.0.1:1=ECHO", "--token", "a b"]],
    ["inputs without a file", ["--target", "http://127.0.0.1:1=ECHO", "--inputs", "ECHO"]],
    ["inputs that are not there", ["--target", "http://127.0.0.1:1=ECHO", "--inputs", "ECHO=/none.json"]],
    [
      "inputs for no target",
      ["--target", "http://127.0.0.1:1=ECHO", "--inputs", `OTHER=${import.meta.dirname}/../package.json`],
    ],
    ["a baseline that is not there", ["--target", "http://127.0.0.1:1=ECHO", "--baseline", "/none.yaml"]],
  ])("%s", (_name, args) => {
    expect(() => readOptions(args, {})).toThrow(UsageError);
  });
});

describe("targets", () => {
  test("are split at the last =, and lose a slash at the end", () => {
    const { targets } = optionsFor([
      "--target",
      "https://agents.example/a=b/=TASK",
      "--target",
      "http://[::1]:80=X",
    ]);
    expect(targets).toEqual([
      { url: "https://agents.example/a=b", taskType: "TASK" },
      { url: "http://[::1]", taskType: "X" },
    ]);
  });

  test("come from the environment only where none is given", () => {
    expect(optionsFor([], "http://a=X,http://b=Y").targets.map(({ taskType }) => taskType)).toEqual([
      "X",
      "Y",
    ]);
    expect(optionsFor(TARGET, "http://a=X").targets.map(({ taskType }) => taskType)).toEqual(["ECHO"]);
  });
});

test.each([
  ["30", 30_000],
  ["0.5", 500],
  ["1500ms", 1_500],
  ["2m", 120_000],
])("--timeout %s", (written, ms) => {
  expect(optionsFor([...TARGET, "--timeout", written]).timeoutMs).toBe(ms);
});
