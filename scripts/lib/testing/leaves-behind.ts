/** A file of tests that pass and leave behind what keeps a process from ending. */
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { test } from "@jest/globals";

test("leaves a timer", () => {
  setInterval(() => undefined, 60_000);
});

test("leaves a server", () => {
  createServer().listen(0, "127.0.0.1");
});

test("leaves a process", () => {
  spawn(process.execPath, ["--eval", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
});
