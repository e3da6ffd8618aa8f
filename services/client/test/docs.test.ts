/** The examples of docs/client.md have valid types. That they print what the document shows is checked by `npm run docs:check`. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

const ROOT = resolve(import.meta.dirname, "../../..");
const EXAMPLES = [
  ...readFileSync(join(ROOT, "docs/client.md"), "utf8").matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, code = ""]) => code);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "interlock-docs-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program and returns its output; if it fails, its output and its errors. */
async function run(...args: string[]): Promise<string> {
  return await promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => `failed:\n${error.stdout}${error.stderr}`,
  );
}

test("there are examples", () => {
  expect(EXAMPLES.length).toBeGreaterThan(3);
});

test("the examples type-check", async () => {
  const files = EXAMPLES.map((code, index) => {
    const file = join(folder, `typed-${index}.ts`);
    writeFileSync(file, code);
    return file;
  });
  const types = [join(ROOT, "node_modules/@types")];
  const config = { extends: join(ROOT, "tsconfig.base.json"), compilerOptions: { typeRoots: types }, files };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  expect(await run(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder)).toBe("");
});
