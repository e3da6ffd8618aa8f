import { describe, expect, test } from "@jest/globals";
import {
  AGENT_ERRORS,
  type AgentErrorKind,
  agentContract,
  agentErrorKind,
  compileSchema,
  loadRules,
  schemas,
} from "./index.ts";

const CANARY = "canary-4711";

const items = compileSchema({
  type: "object",
  required: ["items"],
  additionalProperties: false,
  properties: {
    items: {
      type: "array",
      items: {
        type: "object",
        properties: {
          tiers: { type: "object", additionalProperties: { type: "object", required: ["current_price"] } },
          demand: {
            type: "object",
            required: ["model"],
            discriminator: { propertyName: "model" },
            oneOf: [
              { properties: { model: { const: "logit" }, intercept: { type: "number" } } },
              { properties: { model: { const: "fit" }, dataset: { type: "string" } } },
            ],
          },
        },
      },
    },
  },
});

describe("a problem", () => {
  test("points with the schema's names and array indexes, and hides names of the sender's", () => {
    const value = { items: [{}, { tiers: { [CANARY]: {} } }] };
    const checked = items(value);
    expect(checked).toEqual({
      ok: false,
      problem: {
        path: "/items/1/tiers/*/current_price",
        rule: "required",
        message: "/items/1/tiers/*/current_price is required",
      },
    });
  });

  test.each<[string, unknown, string, string]>([
    ["an unknown field", { items: [], [CANARY]: 1 }, "/*", "additionalProperties"],
    ["a wrong type", { items: CANARY }, "/items", "type"],
    ["a wrong root", CANARY, "", "type"],
    ["an unknown variant", { items: [{ demand: { model: CANARY } }] }, "/items/0/demand", "discriminator"],
    [
      "a field of a variant",
      { items: [{ demand: { model: "logit", intercept: CANARY } }] },
      "/items/0/demand/intercept",
      "type",
    ],
  ])("of %s never quotes it", (_, value, path, rule) => {
    const checked = items(value);
    expect(checked).toMatchObject({ ok: false, problem: { path, rule } });
    expect(JSON.stringify(checked)).not.toContain(CANARY);
  });
});

test("an inherited name is not a field", () => {
  expect(items(Object.create({ items: [] })).ok).toBe(false);
  expect(agentContract.token(JSON.parse('{"__proto__": {"text": "a"}}')).ok).toBe(false);
});

test("a mistake in a schema is found when it is declared", () => {
  expect(() => compileSchema({ type: "object", propertees: {} })).toThrow(/propertees/);
});

test("two schemas may carry the same id", () => {
  const schema = { $id: "https://interlock.example/same", type: "string" };
  expect(compileSchema(schema)("a").ok).toBe(true);
  expect(compileSchema({ ...schema, type: "number" })(1).ok).toBe(true);
});

test("the raw schemas are there by name", () => {
  expect(schemas.agent?.runRequest).toMatchObject({ title: "RunRequest" });
  expect(Object.keys(schemas.agent ?? {})).toEqual(Object.keys(agentContract));
});

test("codes are upper case and have a status", () => {
  for (const [code, kind] of Object.entries(AGENT_ERRORS)) {
    expect(code).toMatch(/^[A-Z_]+$/);
    expect(kind.status).toBeGreaterThanOrEqual(200);
  }
});

test("a code that agents do not share is of the inputs", () => {
  expect(agentErrorKind("INTERNAL")).toEqual(AGENT_ERRORS.INTERNAL);
  expect(agentErrorKind("UNBOUNDED")).toMatchObject({ status: 422, caller: true, retryable: false });
  expect(agentErrorKind("constructor")).toMatchObject({ status: 422 });
});

test("what a caller is at fault for is a 4xx, and no use trying again", () => {
  for (const { status, caller, retryable } of Object.values<AgentErrorKind>(AGENT_ERRORS)) {
    if (caller) expect([Math.floor(status / 100), retryable]).toEqual([4, false]);
  }
});

test("the rules have unique ids", () => {
  const ids = loadRules().map((rule) => rule.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("without its file there are no rules", () => {
  expect(loadRules(new URL("file:///nowhere/rules.yaml"))).toEqual([]);
});

test("a problem repeats the hint that its schema gives beside the rule", () => {
  const share = compileSchema({
    type: "object",
    properties: { share: { type: "number", maximum: 1, hint: "0.05 is 5%" } },
  });
  expect(share({ share: 5 })).toEqual({
    ok: false,
    problem: { path: "/share", rule: "maximum", message: "/share must be at most 1: 0.05 is 5%" },
  });
});
