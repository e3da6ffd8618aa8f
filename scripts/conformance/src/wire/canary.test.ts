import { describe, expect, test } from "@jest/globals";
import { LeakScanner, leakSearch, newCanary } from "./canary.ts";

const canary = newCanary((below) => Math.floor(below * 0.37));
const search = leakSearch(canary);
const [word = ""] = canary.words;
function each(text: string, write: (code: number) => string): string {
  return [...text].map((char) => write(char.charCodeAt(0))).join("");
}
function hex(code: number, length: number): string {
  return code.toString(16).padStart(length, "0");
}

describe("a canary is found", () => {
  test.each([
    ["as it is", `bad value ${canary.text}`],
    ["in JSON", JSON.stringify({ message: JSON.stringify(canary.text) })],
    ["in upper case", canary.text.toUpperCase()],
    ["as a key", `unknown field ${canary.key}`],
    ["as a number", `${canary.number} is not a string`],
    ["cut short, as parsers quote it", `Unexpected token, "...${word.slice(3, 12)}" is not valid JSON`],
    ["escaped as \\u", each(word, (code) => `\\u${hex(code, 4)}`)],
    ["escaped as \\x", each(word, (code) => `\\x${hex(code, 2)}`)],
    ["URL-encoded", each(word, (code) => `%${hex(code, 2)}`)],
    ["URL-encoded twice", each(word, (code) => `%25${hex(code, 2)}`)],
    ["as HTML", each(word, (code) => `&#${code};`)],
    ["as HTML, hexadecimal", each(word, (code) => `&#x${hex(code, 2)};`)],
    ["in hexadecimal", Buffer.from(word).toString("hex").toUpperCase()],
    ...["", "a", "ab"].map((before) => [
      `in base64 after "${before}"`,
      Buffer.from(`${before}${word} xyz`).toString("base64"),
    ]),
    ["in base64url", Buffer.from(`??>${word}`).toString("base64url")],
  ])("%s", (_, text) => {
    expect(search(text)).toBeDefined();
  });

  test("across chunks", () => {
    const scanner = new LeakScanner(search);
    for (const byte of Buffer.from(`{"message":"${"x".repeat(3000)}${canary.text}"}`))
      scanner.push(Uint8Array.of(byte));
    expect(scanner.found).toBe("plain");
  });
});

test("is not found where it is not", () => {
  expect(
    search(
      JSON.stringify({ code: "INVALID_INPUTS", message: "inputs.items must be a list", at: Date.now() }),
    ),
  ).toBeUndefined();
  expect(search("K")).toBeUndefined();
});
