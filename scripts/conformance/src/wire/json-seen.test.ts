import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { JsonObserver, type JsonSeen, seenIn } from "./json-seen.ts";

function observe(text: string, chunk = 1, limitBytes = 1024 * 1024): JsonSeen {
  const bytes = Buffer.from(text);
  const observer = new JsonObserver(limitBytes);
  for (let at = 0; at < bytes.length; at += chunk)
    observer.push(bytes, at, Math.min(bytes.length, at + chunk));
  return observer.end();
}

test("a text says the same in chunks of any size as in one piece", () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 7 }), (text, chunk) => {
      expect(observe(text, chunk)).toEqual(seenIn(text));
    }),
  );
});

describe("what is kept", () => {
  test("the fields that rules ask for", () => {
    const seen = observe(
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
    const seen = observe('{"error":{"code":"C"},"error":"none"}');
    expect(Object.fromEntries(seen.fields)).toEqual({ error: { kind: "string", text: "none" } });
  });

  test("no name of an agent's own that looks like a path, and nothing of a prototype", () => {
    expect(observe('{"error.code":"C","__proto__":{"status":"ok"}}').fields.size).toBe(0);
  });

  test("a long text is a string whose text is unknown", () => {
    const field = observe(`{"status":"${"x".repeat(5000)}"}`).fields.get("status");
    expect(field).toEqual({ kind: "string", text: undefined });
  });
});

test("past the limit there is nothing to see, and the next text is read again", () => {
  const observer = new JsonObserver(8);
  observer.push(Buffer.from('{"a":[1,2]'));
  observer.push(Buffer.from("}"));
  expect(observer.end().root).toBeUndefined();
  observer.push(Buffer.from('{"a":12}'));
  expect(observer.end().root).toBe("object");
});

test("a nesting deeper than an honest agent's is not read", () => {
  expect(seenIn("[".repeat(20_000) + "]".repeat(20_000)).root).toBeUndefined();
});

test("a text that would grow far beyond its size is not read", () => {
  const many = Buffer.from(`[${"[],".repeat(2_000_001)}[]]`);
  const observer = new JsonObserver(many.length);
  observer.push(many);
  expect(observer.end().root).toBeUndefined();
});
