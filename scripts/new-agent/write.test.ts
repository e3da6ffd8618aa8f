import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { write } from "./write.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "interlock-new-agent-"));
  for (const folder of ["services", "node_modules"]) mkdirSync(join(root, folder));
  for (const file of ["one", "two"]) writeFileSync(join(root, file), "before");
});
afterEach(() => rmSync(root, { recursive: true }));

const changes = {
  folder: "services/new",
  files: new Map([
    ["package.json", "{}"],
    ["src/main.ts", "main"],
  ]),
  edits: [
    { file: "one", before: "before", after: "after" },
    { file: "two", before: "before", after: "after" },
  ],
  link: { path: "node_modules/new", target: "../services/new" },
};

function all(): string[] {
  return readdirSync(root, { recursive: true }).map(String).sort();
}

test("writes the files, the edits and the link", () => {
  write(root, changes);
  expect(readFileSync(join(root, "node_modules/new/src/main.ts"), "utf8")).toBe("main");
  expect(["one", "two"].map((file) => readFileSync(join(root, file), "utf8"))).toEqual(["after", "after"]);
});

test("leaves nothing where a later file cannot be written", () => {
  const before = all();
  const late = { file: "services", before: "before", after: "after" };
  expect(() => write(root, { ...changes, edits: [...changes.edits, late] })).toThrow();
  expect(all()).toEqual(before);
  expect(["one", "two"].map((file) => readFileSync(join(root, file), "utf8"))).toEqual(["before", "before"]);
});

test("does not overwrite what somebody else has written meanwhile", () => {
  writeFileSync(join(root, "two"), "theirs");
  expect(() => write(root, changes)).toThrow("two was changed meanwhile");
  expect(["one", "two"].map((file) => readFileSync(join(root, file), "utf8"))).toEqual(["before", "theirs"]);
  expect(existsSync(join(root, "services/new"))).toBe(false);
});

test("does not touch a folder that is there", () => {
  mkdirSync(join(root, "services/new"));
  writeFileSync(join(root, "services/new/mine"), "mine");
  expect(() => write(root, changes)).toThrow("EEXIST");
  expect(readFileSync(join(root, "services/new/mine"), "utf8")).toBe("mine");
});
