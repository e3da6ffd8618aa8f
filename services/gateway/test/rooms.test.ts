import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SOURCES = "services/gateway/src";

type Override = {
  includes: string[];
  linter: {
    rules: { style?: { noRestrictedImports?: { options: { patterns: { group: string[] }[] } } } };
  };
};
const CONFIG: { vcs: object; overrides: Override[] } = JSON.parse(
  readFileSync(join(ROOT, "biome.json"), "utf8"),
);

/** Room → the rooms whose index it may import, as biome.json says it. */
const ALLOWED = new Map(
  CONFIG.overrides.flatMap(({ includes, linter }) => {
    const [, room] = new RegExp(`^${SOURCES}/(\\w+)/\\*\\*$`).exec(includes[0] ?? "") ?? [];
    const group = linter.rules.style?.noRestrictedImports?.options.patterns[0]?.group ?? [];
    const allowed = group.flatMap((pattern) => /^!\*\*\/(\w+)\/index\.ts$/.exec(pattern)?.[1] ?? []);
    return room === undefined ? [] : [[room, allowed] as const];
  }),
);
const ROOMS = [...ALLOWED.keys()];

/** A project with the lint rules of this one, whose rooms import what a test says. */
let project: string;
/** Found by the linter: `<file>:<line> <rule>`. */
let found: string[];

/** In every room a file that imports the index of each room and a file deep in it, one a line. */
const importsOf = (room: string): string[] => ROOMS.filter((other) => other !== room);
const WAYS = ["index", "deep"] as const;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "interlock-rooms-"));
  writeFileSync(join(project, "biome.json"), JSON.stringify({ ...CONFIG, vcs: {}, $schema: undefined }));
  for (const room of ROOMS) {
    for (const way of WAYS) {
      const lines = importsOf(room).map((other) => `import "../${other}/${way}.ts";`);
      write(`${SOURCES}/${room}/${way}-imports.ts`, `${lines.join("\n")}\n`);
    }
    write(`${SOURCES}/${room}/composition.ts`, `import "../app.ts";\nimport "../config.ts";\n`);
    write(`${SOURCES}/${room}/outside.ts`, `import "@interlock/pricing";\n`);
  }
  write(`${SOURCES}/mesh/one.ts`, `import type { Two } from "./two.ts";\nexport type One = { two?: Two };\n`);
  write(`${SOURCES}/mesh/two.ts`, `import type { One } from "./one.ts";\nexport type Two = { one?: One };\n`);
  found = lint();
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

function lint(): string[] {
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  const args = [biome, "lint", "--reporter=github", "--max-diagnostics=none", SOURCES];
  const { stdout } = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  return [...stdout.matchAll(/title=lint\/(?:\w+)\/(\w+),file=([^,]+),line=(\d+)/g)].map(
    ([, rule, file = "", line]) => `${file.replace(`${project}/`, "")}:${line} ${rule}`,
  );
}

const isRefused = (file: string, line: number): boolean =>
  found.includes(`${SOURCES}/${file}:${line} noRestrictedImports`);

test("every room of the gateway has its wall", () => {
  expect(ROOMS.toSorted()).toEqual([
    "agents",
    "approvals",
    "audit",
    "callees",
    "console",
    "conversation",
    "dialects",
    "egress",
    "events",
    "http",
    "identity",
    "language",
    "limits",
    "mesh",
    "models",
    "peers",
    "runs",
    "store",
    "telemetry",
    "tools",
    "webhooks",
  ]);
});

const LEAVES = ["events", "telemetry"];

describe.each([...ALLOWED])("%s", (room, allowed) => {
  // Every room but the leaf rooms may import `events`.
  const open = LEAVES.includes(room) ? [] : [...allowed, "events"];

  test.each(importsOf(room).map((other, index) => ({ other, line: index + 1 })))(
    "imports $other by its index where it may, and never deeper",
    ({ other, line }) => {
      expect(isRefused(`${room}/index-imports.ts`, line)).toBe(!open.includes(other));
      expect(isRefused(`${room}/deep-imports.ts`, line)).toBe(true);
    },
  );

  test("imports neither the composition nor a domain", () => {
    expect([1, 2].map((line) => isRefused(`${room}/composition.ts`, line))).toEqual([true, true]);
    expect(isRefused(`${room}/outside.ts`, 1)).toBe(true);
  });
});

test("what the rooms may import makes no circle", () => {
  const above = (room: string, path: readonly string[]): void => {
    expect(path).not.toContain(room);
    for (const other of ALLOWED.get(room) ?? []) above(other, [...path, room]);
  };
  for (const room of ROOMS) above(room, []);
});

test("a circle of types within a room is refused too", () => {
  expect(found).toContain(`${SOURCES}/mesh/one.ts:1 noImportCycles`);
});
