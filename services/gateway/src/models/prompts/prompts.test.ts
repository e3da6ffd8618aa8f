import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Prompts } from "./prompts.ts";

let dir: string;
let prompts: Prompts;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "interlock-prompts-"));
  writeFileSync(join(dir, "greet.v2.md"), "Greet {{who}}.\n");
  writeFileSync(join(dir, "greet.v10.md"), "Greet {{who}} in {{language}}, dear {{who}}.\n");
  writeFileSync(join(dir, "notes.txt"), "no prompt");
  prompts = new Prompts(pathToFileURL(`${dir}/`));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the latest version counts, or the one that is named", () => {
  expect(prompts.get("greet").version).toBe(10);
  expect(prompts.get("greet", 2).fill({ who: "Ann" })).toBe("Greet Ann.");
  expect(() => prompts.get("greet", 3)).toThrow("there is no prompt greet.v3");
  expect(() => prompts.get("other")).toThrow("there is no prompt other");
});

test("the hash is of the file's bytes, and differs from version to version", () => {
  expect(prompts.get("greet").hash).toMatch(/^[0-9a-f]{64}$/);
  expect(prompts.get("greet").hash).not.toBe(prompts.get("greet", 2).hash);
});

test("a value is text, whatever stands in it", () => {
  expect(prompts.get("greet").fill({ who: "{{language}} $& $1", language: "Korean" })).toBe(
    "Greet {{language}} $& $1 in Korean, dear {{language}} $& $1.",
  );
});

test("a place without a value, and a value without a place, are mistakes", () => {
  expect(() => prompts.get("greet").fill({ who: "Ann" })).toThrow("needs language");
  expect(() => prompts.get("greet", 2).fill({ who: "Ann", more: "x" })).toThrow("has no place more");
});

test("the prompts that ship can be read", () => {
  expect(new Prompts().get("repair").fill({ problem: "it is not JSON." })).toContain("it is not JSON.");
});
