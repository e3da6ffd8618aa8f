import { expect, test } from "@jest/globals";
import type { StoredEvent } from "./run-event.ts";
import { slices } from "./slices.ts";

const event = (seq: number, length: number): StoredEvent => ({
  seq,
  type: "progress",
  json: "x".repeat(length),
});
const sizes = (lengths: readonly number[]) =>
  [...slices(lengths.map((length, index) => event(index + 1, length)))].map((slice) =>
    slice.map(({ json }) => json.length),
  );

const K = 1024;

test.each([
  [[], []],
  [[10, 20, 30], [[10, 20, 30]]],
  [
    [40 * K, 40 * K, 10 * K],
    [[40 * K], [40 * K, 10 * K]],
  ],
  [
    [500 * K, 1, 500 * K],
    [[500 * K], [1], [500 * K]],
  ],
])("a batch of events of %j characters is cut where a slice is full", (lengths, expected) => {
  expect(sizes(lengths)).toEqual(expected);
});
