import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { ordinaryWords, WordFilter } from "../../services/understanding/src/text/word-filter.ts";
import { randomFrom } from "./understanding/random.ts";
import { formatWords } from "./words.ts";

test("the words that ship are those that the script makes", () => {
  const shipped = readFileSync(new URL("../../services/understanding/models/words.bin", import.meta.url));
  expect(shipped.equals(formatWords())).toBe(true);
});

test("every word of a filter is found, and of others the share that its size allows", () => {
  const random = randomFrom(7);
  const word = (): string =>
    Array.from({ length: 9 }, () => String.fromCharCode(97 + random.below(26))).join("");
  const words = Array.from({ length: 5_000 }, word);
  const filter = WordFilter.of(words, 10);
  expect(words.every((one) => filter.has(one))).toBe(true);
  const others = Array.from({ length: 20_000 }, word).filter((one) => filter.has(one)).length;
  expect(others / 20_000).toBeLessThan(0.015);
});

test("words of every day are frequent, and rare ones are words", () => {
  const { frequent, all } = ordinaryWords();
  expect(["because", "price", "month"].filter((word) => frequent.has(word))).toHaveLength(3);
  expect(frequent.has("sextant")).toBe(false);
  expect(all.has("sextant")).toBe(true);
});
