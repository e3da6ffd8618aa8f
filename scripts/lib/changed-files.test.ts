import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { changedFiles } from "./changed-files.ts";

let repository = "";

beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), "interlock-changed-"));
  git("init", "--quiet");
  for (const name of ["kept", "changed", "staged", "deleted"]) write(name, "first");
  write(".gitignore", "ignored");
  commit();
});

afterEach(() => rmSync(repository, { recursive: true, force: true }));

function git(...args: string[]): void {
  execFileSync("git", args, { cwd: repository });
}

function commit(): void {
  git("add", "--all");
  git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--message=all");
}

function write(name: string, text: string): void {
  writeFileSync(join(repository, name), text);
}

test("changed, staged and new files differ from HEAD; deleted and ignored ones are left out", () => {
  write("changed", "second");
  write("staged", "second");
  git("add", "staged");
  rmSync(join(repository, "deleted"));
  mkdirSync(join(repository, "folder"));
  write("folder/ä new file", "first");
  write("ignored", "first");
  expect(changedFiles(repository)).toEqual(["changed", "staged", "folder/ä new file"]);
  commit();
  expect(changedFiles(repository)).toEqual([]);
});
