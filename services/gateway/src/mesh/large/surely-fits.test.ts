import { compileForeignSchema } from "@interlock/contracts";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { JsonText } from "../../json-text.ts";
import { LargeValues } from "./large-values.ts";
import { surelyFits } from "./surely-fits.ts";

const names = fc.constantFrom("a", "b", "constructor", "__proto__");
const small = fc.integer({ min: -1, max: 3 });
const scalar = fc.oneof(
  fc.constantFrom<unknown>("", "a", "b", "ab", "😀", "😀😀", "2026-01-01", null, true, false, 0, 1, 1.5, 2),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const types = fc.constantFrom("object", "array", "string", "number", "integer", "boolean", "null");
const schemas = fc.letrec<{ schema: object | boolean }>((tie) => {
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    title: fc.constant("a title"),
    const: scalar,
    enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
    minimum: small,
    maximum: small,
    exclusiveMinimum: small,
    exclusiveMaximum: small,
    minLength: fc.nat(3),
    maxLength: fc.nat(3),
    minItems: fc.nat(2),
    maxItems: fc.nat(2),
    items: tie("schema"),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    properties: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
    additionalProperties: tie("schema"),
    anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
    allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }),
    // None of these can be told at once.
    not: tie("schema"),
    pattern: fc.constantFrom("^a", "b$"),
    format: fc.constantFrom("date", "email"),
    uniqueItems: fc.boolean(),
  };
  const rules = Object.entries(keywords).map(([name, value]) => value.map((value) => ({ [name]: value })));
  const some = fc.array(fc.oneof(...rules), { minLength: 1, maxLength: 3, depthIdentifier: "rules" });
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.boolean(),
      some.map((rules): object => Object.assign({}, ...rules)),
    ),
  };
}).schema;

test("what surely fits a schema is what the validator accepts, too", () => {
  let told = 0;
  fc.assert(
    fc.property(schemas, values, (schema, value) => {
      if (typeof schema === "boolean" || !surelyFits(schema, value)) return;
      told += 1;
      expect(compileForeignSchema({ ...schema })(value)).toMatchObject({ ok: true });
    }),
    { numRuns: 1_000 },
  );
  expect(told).toBeGreaterThan(50);
});

const SALES = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  title: "Arguments",
  properties: {
    month: { type: "integer", minimum: 1, maximum: 12, description: "Of the year." },
    region: { anyOf: [{ enum: ["EMEA", "NA"] }, { type: "null" }], default: null },
    items: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 3 },
  },
  required: ["month"],
  additionalProperties: false,
};

describe("it is told at once", () => {
  const nobody = new LargeValues({ largeTimeoutMs: 1, largeMemoryMb: 16 });
  const judged = (schema: object, value: unknown) => nobody.judge(schema, value);

  test.each<[object]>([
    [{ month: 3 }],
    [{ month: 12, region: null, items: ["valve", "😀"] }],
    [{ month: 1, region: "NA", items: [] }],
  ])("that %j fits, without a process", async (value) => {
    await nobody.close();
    expect(await judged(SALES, value)).toBeUndefined();
  });

  test.each<[what: string, schema: object, value: unknown]>([
    ["is wrong", SALES, { month: 13 }],
    ["has a name that is not allowed", SALES, { month: 1, year: 2026 }],
    ["has no value where one is required", { required: ["a"] }, { a: undefined }],
    ["is no value of JSON", { type: "number" }, Number.NaN],
    ["is written as something else", { required: ["a"] }, new JsonText("{}")],
    ["has such a member", { properties: { a: { minLength: 1 } } }, { a: new JsonText('""') }],
    ["has a pattern", { type: "string", pattern: "^(a+)+$" }, `${"a".repeat(60)}!`],
    ["has a reference", { $ref: "#" }, {}],
    ["is large", { items: { type: "integer" } }, Array.from({ length: 100_000 }, () => 1)],
    ["branches without end", branching(24), { a: {} }],
  ])("of none that %s", (_what, schema, value) => {
    expect(surelyFits(schema, value)).toBe(false);
  });
});

/** Doubles with each level. */
function branching(levels: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level++) schema = { anyOf: [schema, schema] };
  return { properties: { a: schema } };
}
