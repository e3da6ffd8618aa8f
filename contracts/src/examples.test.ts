import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { contractFolders } from "./schemas.ts";
import { contractValidators, type Validator } from "./validate.ts";

type Example = { readonly file: string; readonly value: unknown };

function examples(folder: URL): Example[] {
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({ file, value: JSON.parse(readFileSync(new URL(file, folder), "utf8")) }));
}

for (const contract of contractFolders) {
  const validators: Readonly<Record<string, Validator<unknown>>> = contractValidators(contract.name);

  for (const { stem, name } of contract.files) {
    describe(`${contract.name}/v1 ${stem}`, () => {
      const folder = new URL(`examples/${stem}/`, contract.folder);
      const valid = examples(new URL("valid/", folder));
      const invalid = examples(new URL("invalid/", folder));
      const validate = validators[name];

      test("has examples of both kinds", () => {
        expect([valid.length, invalid.length]).not.toContain(0);
      });

      for (const { file, value } of valid) {
        test(`accepts ${file}`, () => expect(validate?.(value)).toEqual({ ok: true, value }));
      }

      for (const { file, value } of invalid) {
        test(`refuses ${file}`, () => expect(validate?.(value)).toMatchObject({ ok: false }));
      }
    });
  }

  test(`${contract.name}/v1 has no examples of a schema that it has not`, () => {
    const stems = new Set(contract.files.map((file) => file.stem));
    const folders = readdirSync(new URL("examples/", contract.folder));
    expect(folders.filter((folder) => !stems.has(folder))).toEqual([]);
  });
}
