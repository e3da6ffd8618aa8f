import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readRulePack } from "./datasets.ts";
import { stated } from "./gap.ts";
import { parseRulePack, RulePackError, resolveGap, standardRulePack } from "./rule-pack.ts";
import { effectiveRules, settingsFor } from "./settings.ts";

function json(name: string) {
  return JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8"));
}

const minimal = { name: "house", version: "2", minimum_gap: { default: 0.1 } };

describe("the minimum gap of a pair", () => {
  const gap = (scope: Parameters<typeof resolveGap>[1], higher = "new", lower = "exchange") =>
    stated(resolveGap(standardRulePack, scope, higher, lower));

  test("is 3% by default, 4% in EMEA, 2% in APAC, 5% premium, 2% budget", () => {
    expect(gap({})).toBe(0.03);
    expect(gap({ region: "EMEA" })).toBe(0.04);
    expect(gap({ region: "apac" })).toBe(0.02);
    expect(gap({ segment: "Premium" })).toBe(0.05);
    expect(gap({ segment: "BUDGET" })).toBe(0.02);
    expect(gap({ segment: "fleet", region: "LATAM" })).toBe(0.03);
  });

  test("comes from the request's thresholds, then the segment, then the region; the pair precedes the level's default", () => {
    const scope = { segment: "premium", region: "EMEA" };
    expect(gap(scope)).toBe(0.05);
    expect(gap({ ...scope, segment: "unknown" })).toBe(0.04);
    expect(gap({ ...scope, thresholds: { default: 0 } })).toBe(0);
    expect(gap({ ...scope, thresholds: { default: 0.2, New_Exchange: 0.1 } })).toBe(0.1);
    expect(gap({ ...scope, thresholds: { exchange_repair: 0.1 } })).toBe(0.05);
  });

  test("ignores names that every object inherits, such as `constructor`", () => {
    expect(gap({ segment: "constructor", region: "__proto__", thresholds: {} })).toBe(0.03);
  });

  test("can be set per pair in the pack", () => {
    const pack = parseRulePack({
      ...minimal,
      minimum_gap: { default: 0.1, segments: { Fleet: { NEW_exchange: 0.2 } }, regions: { EMEA: 0.15 } },
    });
    const scope = { segment: "fleet", region: "emea" };
    expect(resolveGap(pack, scope, "New", "Exchange")).toEqual({ share: 0.2, amount: 0 });
    expect(resolveGap(pack, scope, "exchange", "repair")).toEqual({ share: 0.15, amount: 0 });
  });

  test("has an amount of money, a share or both; each comes from the first level that says it", () => {
    const pack = parseRulePack({
      ...minimal,
      minimum_gap: {
        default: { share: 0.1, amount: 2 },
        segments: { fleet: { amount: 5 }, van: { new_exchange: { share: 0.3 } } },
      },
    });
    const of = (scope: Parameters<typeof resolveGap>[1]) => resolveGap(pack, scope, "new", "exchange");
    expect(of({})).toEqual({ share: 0.1, amount: 2 });
    expect(of({ segment: "fleet" })).toEqual({ share: 0.1, amount: 5 });
    expect(of({ segment: "van" })).toEqual({ share: 0.3, amount: 2 });
    expect(of({ segment: "fleet", thresholds: { default: 0.2 } })).toEqual({ share: 0.2, amount: 5 });
    const both = { default: 0.2, New_Exchange: { amount: 7 } };
    expect(of({ thresholds: both })).toEqual({ share: 0.2, amount: 7 });
  });

  test("of a request's `min_gap` holds for all pairs without a threshold, and is in the effective rules", () => {
    const settings = settingsFor(
      { min_gap: { amount: 15 }, thresholds: { exchange_repair: { share: 0.2, amount: 1 } } },
      standardRulePack,
    );
    expect(effectiveRules([{ region: "EMEA" }], settings)[0]?.minimum_gaps).toEqual({
      new_exchange: { share: 0.04, amount: 15 },
      exchange_repair: { share: 0.2, amount: 1 },
      repair_usm: { share: 0.04, amount: 15 },
    });
  });
});

describe("a rule pack file", () => {
  test("enables the margin and change rules by `enabled`; the shipped pack has both off", () => {
    expect(standardRulePack).toMatchObject({
      name: "standard",
      minimumMargin: undefined,
      maximumChange: undefined,
    });
    const pack = parseRulePack({
      ...minimal,
      minimum_margin: { enabled: true, share_of_cost: 0.2 },
      maximum_change: { enabled: true, share_of_current: 0.1 },
    });
    expect(pack).toMatchObject({ name: "house", version: "2", minimumMargin: 0.2, maximumChange: 0.1 });
  });

  const broken: [string, unknown, string][] = [
    ["not an object", [], ""],
    ["no name", { ...minimal, name: " " }, "/name"],
    ["no version", { ...minimal, version: 2 }, "/version"],
    ["no default gap", { ...minimal, minimum_gap: {} }, "/minimum_gap/default"],
    ["a percentage for a share", { ...minimal, minimum_gap: { default: 3 } }, "/minimum_gap/default"],
    ["a negative gap", { ...minimal, minimum_gap: { default: -0.1 } }, "/minimum_gap/default"],
    ["a misspelt rule", { ...minimal, minimum_gaps: {} }, "/minimum_gaps"],
    ["a misspelt scope", { ...minimal, minimum_gap: { default: 0, region: {} } }, "/minimum_gap/region"],
    [
      "an empty scope",
      { ...minimal, minimum_gap: { default: 0, regions: { EMEA: {} } } },
      "/minimum_gap/regions/EMEA",
    ],
    [
      "a text for a gap",
      { ...minimal, minimum_gap: { default: 0, regions: { EMEA: "4%" } } },
      "/minimum_gap/regions/EMEA",
    ],
    [
      "a switch without a value",
      { ...minimal, minimum_margin: { enabled: true } },
      "/minimum_margin/share_of_cost",
    ],
    [
      "a value without a switch",
      { ...minimal, maximum_change: { share_of_current: 1 } },
      "/maximum_change/enabled",
    ],
    ["a description that is not a string", { ...minimal, description: 1 }, "/description"],
  ];

  test.each(broken)("with %s is refused, by the parser and by the schema", (_what, pack, path) => {
    expect(() => parseRulePack(pack)).toThrow(RulePackError);
    expect(() => parseRulePack(pack)).toThrow(expect.objectContaining({ code: "INVALID_RULE_PACK", path }));
    expect(schema(pack)).toBe(false);
  });

  test("that the parser accepts is valid under the schema too", () => {
    expect([schema(json("rule-pack.json")), schema(minimal)]).toEqual([true, true]);
  });

  test("may not name a region twice", () => {
    const pack = { ...minimal, minimum_gap: { default: 0, regions: { EMEA: 0.1, emea: 0.2 } } };
    expect(() => parseRulePack(pack)).toThrow(RulePackError);
  });

  const schema = new Ajv2020({ strict: true }).compile(json("rule-pack.schema.json"));
});

test.each([
  ["/nowhere.json", "RULE_PACK: the file /nowhere.json cannot be read."],
  [fileURLToPath(import.meta.url), "it is not JSON"],
  [fileURLToPath(new URL("../package.json", import.meta.url)), "is not a known rule"],
])("a rule pack file that cannot be used is named with what is wrong: %s", (file, message) => {
  expect(() => readRulePack(file)).toThrow(message);
});
