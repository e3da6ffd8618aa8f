import { expect, test } from "@jest/globals";
import { FIXED_LIMITS } from "./body-limits.ts";
import { parseInPieces } from "./json-pieces.ts";

const limits = { ...FIXED_LIMITS, maxValues: 500_000 };

const outcome = (text: string): Promise<unknown> =>
  parseInPieces(Buffer.from(text), limits).then(
    () => "read",
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  );

const members = (count: number): string =>
  `{"inputs":{${Array.from({ length: count }, (_, n) => `"k${n}":0`).join(",")}}}`;

test.each([
  ["20,000 members", members(20_000), "read"],
  ["20,001 members", members(20_001), "invalid_request: An object in the body has more than 20000 members."],
  [
    "one member 30,000 times",
    `{"inputs":{${'"a":0,'.repeat(30_000)}"a":1}}`,
    "invalid_request: An object in the body has more than 20000 members.",
  ],
  [
    "a long name",
    `{"${"k".repeat(2_000)}":0}`,
    "invalid_request: The name of a member in the body is longer than 1024 bytes.",
  ],
  ["a text of 2 MiB", `["${"a".repeat(2 * 1024 * 1024)}"]`, "read"],
  [
    "a text of 3 MiB",
    `["${"a".repeat(3 * 1024 * 1024)}"]`,
    "invalid_request: A text in the body is longer than 2097152 bytes.",
  ],
  [
    "100,000 blanks",
    `[${" ".repeat(100_000)}]`,
    "invalid_request: The body has more than 65536 blanks or digits in one place.",
  ],
  [
    "a number of 100,000 digits",
    `[${"7".repeat(100_000)}]`,
    "invalid_request: The body has more than 65536 blanks or digits in one place.",
  ],
])("%s: %#", async (_, text, expected) => {
  expect(await outcome(text)).toBe(expected);
});
