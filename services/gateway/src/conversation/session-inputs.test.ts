import { expect, test } from "@jest/globals";
import { JsonText } from "../json-text.ts";
import { SessionInputs } from "./session-inputs.ts";

const ANN = { tenant: "default", issuer: "test", subject: "ann", roles: [] };

/** Inputs of so many characters. */
const large = (name: string, length: number) =>
  new JsonText(JSON.stringify({ name, more: "x".repeat(length) }));

test("inputs are kept up to a total size, the latest first; others are read again", async () => {
  const stored = new Map<string, JsonText>();
  const read: string[] = [];
  const inputs = new SessionInputs(
    {
      async inputsOf(_, run) {
        read.push(run);
        return stored.get(run);
      },
    },
    async (text) => JSON.parse(text),
  );
  for (const run of ["one", "two", "three"]) {
    stored.set(run, large(run, 3 * 1024 * 1024));
    await inputs.given(ANN, run, large(run, 3 * 1024 * 1024));
  }
  // Larger than all that may be kept: it is kept as long as it is the latest.
  await inputs.given(ANN, "huge", large("huge", 10 * 1024 * 1024));
  expect((await inputs.find(ANN, "huge")).plain.name).toBe("huge");
  await inputs.given(ANN, "small", { name: "small" });
  for (const run of ["three", "small", "two", "three"])
    expect((await inputs.find(ANN, run)).plain.name).toBe(run);
  expect(read).toEqual(["three", "two"]);
});

test("a large object that was read already is not read again", async () => {
  const inputs = new SessionInputs({ inputsOf: async () => undefined }, () =>
    Promise.reject(new Error("read again")),
  );
  const read = { items: [1] };
  const given = new JsonText('{"items":[1]}', ["items"], read);
  // Nor is it copied: it may have many members.
  expect((await inputs.given(ANN, "one", given)).plain).toBe(read);
  expect(given.take()).toBeUndefined();
});
