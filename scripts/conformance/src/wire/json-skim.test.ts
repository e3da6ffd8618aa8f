import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type JsonSeen, JsonSkimmer } from "./json-skim.ts";

const skim = (text: string, chunk = text.length + 1): JsonSeen => {
  const bytes = Buffer.from(text);
  const skimmer = new JsonSkimmer();
  for (let at = 0; at < bytes.length; at += chunk) skimmer.push(bytes.subarray(at, at + chunk));
  return skimmer.end();
};

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("a text is well formed exactly when JSON.parse says so", () => {
  const nearJson = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom(...'{}[]",:\\0123eE+-.tfn \n\u0001é'),
      fc.constantFrom(0, 1, 2),
    )
    .map(([text, at, char, cut]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + char + text.slice(place + cut);
    });
  const pieces = fc.array(
    fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', "-0.5e+1", "01", "true", "nul", " ", "\\"),
  );

  test.each([
    ["JSON", fc.json()],
    ["nearly JSON", nearJson],
    ["pieces of JSON", pieces.map((parts) => parts.join(""))],
  ])("%s, in chunks of any size", (_, texts) => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (text, chunk) => {
        expect(skim(text, chunk).root !== undefined).toBe(parses(text));
      }),
      { numRuns: 1500 },
    );
  });
});

describe("what is kept", () => {
  test("the fields that rules ask for, with texts decoded", () => {
    const seen = skim(
      '{"x":[{"ok":1}],"request_id":"\\u0061\\n","ok":true,"outputs":{"ok":false},"error":{"code":"C"}}',
    );
    expect(seen.root).toBe("object");
    expect(Object.fromEntries(seen.fields)).toEqual({
      request_id: { kind: "string", text: "a\n" },
      ok: { kind: "boolean", value: true },
      outputs: { kind: "object" },
      error: { kind: "object" },
      "error.code": { kind: "string", text: "C" },
    });
  });

  test("of two equal names the last, with what was inside the first forgotten", () => {
    const seen = skim('{"error":{"code":"C"},"error":"none"}');
    expect(Object.fromEntries(seen.fields)).toEqual({ error: { kind: "string", text: "none" } });
  });

  test("no name of an agent's own that looks like a path", () => {
    expect(skim('{"error.code":"C"}').fields.size).toBe(0);
  });

  test("a long text is a string whose text is unknown", () => {
    expect(skim(`{"status":"${"x".repeat(5000)}"}`).fields.get("status")).toEqual({
      kind: "string",
      text: undefined,
    });
  });
});

test("a nesting deeper than any parser takes is not well formed", () => {
  expect(skim("[".repeat(20_000) + "]".repeat(20_000)).root).toBeUndefined();
});
