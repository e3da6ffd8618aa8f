import { describe, expect, test } from "@jest/globals";
import { Defect } from "./defect.ts";
import { parseObject } from "./json.ts";

const reasonOf = (text: string): string => {
  try {
    parseObject(text);
  } catch (error) {
    if (error instanceof Defect) return error.reason;
    throw error;
  }
  return "none";
};

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("parseObject", () => {
  test("takes objects as deep as any answer is, and none that would overflow a stack", () => {
    expect(reasonOf(nested(512))).toBe("none");
    expect(reasonOf(nested(513))).toBe("too_deep");
    expect(reasonOf(nested(200_000))).toBe("too_deep");
    expect(reasonOf(`{"a":${"[".repeat(100_000)}`)).toBe("too_deep");
  });

  test("does not take brackets in a text for depth", () => {
    expect(reasonOf(JSON.stringify({ a: "[{".repeat(5_000), b: '\\"[['.repeat(2_000) }))).toBe("none");
    expect(reasonOf(`{"a":"${"\\\\".repeat(2_000)}","b":${nested(600)}}`)).toBe("too_deep");
    expect(reasonOf(`{"a":"${"x".repeat(2_000)}`)).toBe("bad_json");
    expect(reasonOf(`{"a":[${"[],".repeat(2_000)}1]}`)).toBe("none");
  });

  test("keeps an agent from reaching a prototype", () => {
    const value = parseObject('{"__proto__":{"outputs":{}},"constructor":1}');
    expect(value.outputs).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("does not repeat the text in its error", () => {
    try {
      parseObject('{"secret":');
    } catch (error) {
      expect(JSON.stringify([String(error), (error as Error).cause ?? ""])).not.toContain("secret");
    }
  });
});
