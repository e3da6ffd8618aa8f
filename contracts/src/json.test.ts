import { describe, expect, test } from "@jest/globals";
import { isDeeperThan, readJson } from "./index.ts";

function nested(levels: number): string {
  return `${'{"a":['.repeat(levels / 2)}1${"]}".repeat(levels / 2)}`;
}
function problemOf(input: string | Uint8Array, maxDepth = 512): string {
  const read = readJson(input, { maxDepth });
  return read.ok ? "none" : read.problem;
}

describe("readJson", () => {
  test("reads any JSON value, from text and from bytes", () => {
    for (const value of [{ a: "grüße 🙂" }, [1], "text", 1.5, true, null]) {
      const text = JSON.stringify(value);
      expect(readJson(text)).toEqual({ ok: true, value });
      expect(readJson(Buffer.from(text), { maxDepth: 1 })).toEqual({ ok: true, value });
      expect(readJson(new TextEncoder().encode(` ${text} `).subarray(1))).toEqual({ ok: true, value });
    }
  });

  test.each<[string, string | Uint8Array, string]>([
    ["a cut text", '{"a":', "not_json"],
    ["nothing", "", "not_json"],
    ["a byte order mark", Buffer.from("\ufeff{}"), "not_json"],
    ["Latin-1", Buffer.from('{"a":"é"}', "latin1"), "not_utf8"],
    ["half a character", Buffer.from('"é').subarray(0, 2), "not_utf8"],
    ["an unclosed nesting", "[".repeat(200_000), "not_json"],
  ])("refuses %s", (_, input, problem) => {
    expect(problemOf(input)).toBe(problem);
  });

  test("refuses a value that would overflow a stack, and takes one at the limit", () => {
    expect(problemOf(nested(512))).toBe("none");
    expect(problemOf(nested(514))).toBe("too_deep");
    expect(problemOf(nested(400_000))).toBe("too_deep");
    expect(problemOf("[[1]]", 1)).toBe("too_deep");
    expect(problemOf(JSON.stringify({ a: [[1], ...Array(1_000).fill([])] }), 3)).toBe("none");
  });

  test("does not take brackets in a text for depth", () => {
    expect(problemOf(JSON.stringify({ a: "[{".repeat(5_000), b: '\\"[['.repeat(2_000) }), 1)).toBe("none");
  });

  test("keeps a sender from reaching a prototype", () => {
    const read = readJson('{"__proto__":{"outputs":{}},"constructor":1}');
    if (!read.ok || typeof read.value !== "object" || read.value === null) throw new Error("not read");
    expect("outputs" in read.value).toBe(false);
    expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype);
  });

  test("says nothing of the text in its answer", () => {
    expect(JSON.stringify(readJson('{"secret":'))).not.toContain("secret");
  });
});

test("depth counts arrays and objects, own members alone", () => {
  expect(isDeeperThan(0, "text")).toBe(false);
  expect(isDeeperThan(1, { a: 1, b: null })).toBe(false);
  expect(isDeeperThan(1, { a: [] })).toBe(true);
  expect(isDeeperThan(1, JSON.parse('{"__proto__":[]}'))).toBe(true);
});
