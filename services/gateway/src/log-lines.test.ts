import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { until } from "../test/support/until.ts";
import { LogLines } from "./log-lines.ts";

let folder: string;
let descriptor: number;
const written = () => readFileSync(join(folder, "log"), "utf8");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log-lines-"));
  descriptor = openSync(join(folder, "log"), "a");
});

afterEach(() => {
  closeSync(descriptor);
  rmSync(folder, { recursive: true });
});

/** More than one batch, of characters that take more bytes than one. */
const LINES = 3_000;
const message = (index: number): string => `${index} ${"grüße 🙂 ".repeat(index % 20)}`;

test("every line is there, whole and in order, once all is flushed", async () => {
  const lines = new LogLines(descriptor);
  const log = pino({}, lines);
  for (let index = 0; index < LINES; index++) log.info(message(index));
  // What goes out in the background is over before the rest is written at once.
  await until(() => written().length > 0 && written().endsWith("\n"));
  lines.flushSync();
  await until(() => written().split("\n").length === LINES + 1);
  const seen = written().trimEnd().split("\n");
  expect(seen.map((line) => JSON.parse(line).msg)).toEqual(
    Array.from({ length: LINES }, (_, index) => message(index)),
  );
});

test("a line that comes alone is written within the second", async () => {
  pino({}, new LogLines(descriptor)).info("alone");
  expect(written()).toBe("");
  await until(() => written() !== "");
  expect(JSON.parse(written()).msg).toBe("alone");
});
