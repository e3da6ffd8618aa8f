import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { Validator as OpenApiValidator } from "@seriousme/openapi-schema-validator";
import fc from "fast-check";
import { parse } from "yaml";
import { staleFiles } from "../scripts/generate.ts";
import { agentContract } from "./index.ts";
import { contractFolders } from "./schemas.ts";

test("what is generated is that of the schemas", async () => {
  expect(await staleFiles()).toEqual([]);
});

describe.each(contractFolders.map((folder) => ({ ...folder })))("$name/v1", ({ folder, files }) => {
  // A contract that only describes files, such as a report, has no paths.
  const check = existsSync(new URL("openapi.yaml", folder)) ? test : () => {};

  check("openapi.yaml is valid OpenAPI 3.1 and refers only to schemas that are there", async () => {
    const document = parse(readFileSync(new URL("openapi.yaml", folder), "utf8"));
    const validator = new OpenApiValidator();
    for (const { stem, schema } of files) {
      await validator.addSpecRef(structuredClone(schema), `${stem}.schema.json`);
    }
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(await validator.validate(document)).toEqual({ valid: true });
  });

  test("every schema's id ends in its file name, and its title is its own", () => {
    for (const { stem, schema } of files) expect(schema.$id).toMatch(new RegExp(`/${stem}\\.schema\\.json$`));
    expect(new Set(files.map(({ schema }) => schema.title)).size).toBe(files.length);
  });
});

describe("status, ok and success", () => {
  const success = new Set(["ok", "success"]);
  const failure = new Set(["error", "failed", "failure"]);

  test("never contradict each other in an accepted answer", () => {
    const answer = fc.record(
      {
        request_id: fc.constant("r"),
        task_type: fc.constant("T"),
        status: fc.constantFrom("ok", "success", "error", "failed", "failure", "completed", ""),
        ok: fc.boolean(),
        success: fc.boolean(),
        outputs: fc.constant({}),
        error: fc.constant({ code: "X", message: "x" }),
      },
      { requiredKeys: ["request_id", "task_type", "outputs"] },
    );
    const validators = [agentContract.runResult, agentContract.final];
    fc.assert(
      fc.property(answer, fc.constantFrom(...validators), (value, validate) => {
        if (!validate(value).ok) return true;
        // Only a terminal event may say it by `success`.
        const flags = [value.ok, ...(validate === agentContract.final ? [value.success] : [])];
        const saysSuccess = flags.includes(true) || success.has(value.status ?? "");
        const saysFailure = flags.includes(false) || failure.has(value.status ?? "");
        return saysSuccess !== saysFailure;
      }),
      { numRuns: 500 },
    );
  });
});
