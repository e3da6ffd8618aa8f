import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { misspeltSettings, SETTING_NAMES } from "@interlock/contracts/settings";
import { expect, test } from "@jest/globals";
import { root } from "./paths.ts";
import { SERVICES } from "./services.ts";

/** So short that another program's variable is as near. */
const SHORT = new Set(["AUTH", "HOST", "PORT", "PATH", "TZ"]);
/** Of tests and of tools. */
const OTHERS = /^(?:TEST_|NO_COLOR$|INTERLOCK_SETUP$|CI$|REQUEST_)/;

const READS = [
  /\benv\.([A-Z][A-Z0-9_]+)/g,
  /\b(?:integer|share|textOf|wholeNumber|secretOf|fileOf)\(\s*(?:env,\s*)?"([A-Z][A-Z0-9_]+)"/g,
];

function sourcesIn(dir: string): string[] {
  const files = readdirSync(join(root, dir), { recursive: true, encoding: "utf8" });
  return files
    .filter((name) => /\/src\/.*(?<!\.test)\.ts$/.test(`/${name}`))
    .map((name) => join(root, dir, name));
}

test("every variable that a service reads is known", () => {
  const read = sourcesIn("services").flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return READS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  });
  const ports = SERVICES.map(({ portVariable }) => portVariable);
  const wanted = [...new Set([...read, ...ports])].filter((name) => !SHORT.has(name) && !OTHERS.test(name));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
});

test.each([
  ["REDIS_ULR", "REDIS_URL"],
  ["MESH_FLIE", "MESH_FILE"],
  ["MAX_CONCURENT", "MAX_CONCURRENT"],
  ["DATASET_DIR", "DATASETS_DIR"],
  ["SHUTDOWN_GRACE", "SHUTDOWN_GRACE_MS"],
  ["redis_url", "REDIS_URL"],
  ["AUHT", "AUTH"],
  ["AUTH", undefined],
  ["MAX_BODY", undefined],
  ["REDIS_PORT", undefined],
  ["HOSTNAME", undefined],
  ["npm_config_registry", undefined],
])("%s: %s", (variable, meant) => {
  expect(misspeltSettings({ [variable]: "x" }).map(({ did_you_mean }) => did_you_mean)).toEqual(
    meant === undefined ? [] : [meant],
  );
});

test("a manifest's variables are known, and are suggested", () => {
  const names = ["OPTIMIZER_URL"];
  expect(misspeltSettings({ OPTIMIZER_URL: "x", PATH: "y", HOME: "z" }, names)).toEqual([]);
  expect(misspeltSettings({ OPTIMZER_URL: "x" }, names)).toEqual([
    { variable: "OPTIMZER_URL", did_you_mean: "OPTIMIZER_URL" },
  ]);
});
