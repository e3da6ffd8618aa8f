import { expect, test } from "@jest/globals";
import { encoded, JsonText, LARGE_TEXT, textInPieces, utf8InPieces } from "./json-text.ts";

test("a text that is encoded in pieces has the bytes that it has as a whole, wherever a piece ends", async () => {
  for (const before of ["", "x", "xy"]) {
    const text = before + "é😀\ud800".repeat(LARGE_TEXT);
    const bytes = await utf8InPieces(text, "", "é", text);
    expect(bytes.equals(Buffer.from(`${text}é${text}`))).toBe(true);
  }
});

test("bytes that are decoded in pieces are the text that they are as a whole, wherever a piece ends", async () => {
  for (const before of ["", "x", "xy", "xyz"]) {
    const text = before + "é→😀".repeat(LARGE_TEXT / 4);
    expect(await textInPieces(Buffer.from(text))).toBe(text);
  }
  expect(await textInPieces(Buffer.alloc(0))).toBe("");
});

test("a short text stays text", () => {
  expect(encoded("sh", "ort")).toBe("short");
});

test("the names of an object's members are known, or found", () => {
  expect(new JsonText('{"a":1,"b":2}').names).toEqual(["a", "b"]);
  expect(new JsonText("{}", ["a"]).names).toEqual(["a"]);
});
