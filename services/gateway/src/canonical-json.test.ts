import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { proposalHash } from "./approvals/proposal.ts";
import { canonicalJson } from "./canonical-json.ts";

const SHUFFLED = fc.jsonValue().chain((value) => fc.tuple(fc.constant(value), shuffled(value)));

/** The same value with the names of its objects in another order. */
function shuffled(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map(shuffled));
  if (typeof value !== "object" || value === null) return fc.constant(value);
  const entries = Object.entries(value);
  return fc
    .tuple(
      fc.shuffledSubarray(entries, { minLength: entries.length }),
      fc.tuple(...entries.map(([, member]) => shuffled(member))),
    )
    .map(([order, members]) => {
      const byName = new Map(entries.map(([name], index) => [name, members[index]]));
      return Object.fromEntries(order.map(([name]) => [name, byName.get(name)]));
    });
}

describe("canonical JSON", () => {
  test("means the same value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("is one text for one value, whatever the order of names", () => {
    fc.assert(
      fc.property(SHUFFLED, ([value, other]) => {
        expect(canonicalJson(other)).toBe(canonicalJson(value));
      }),
    );
  });

  test("is the text that comes back after it was stored and read", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test("leaves out what JSON has no word for", () => {
    expect(canonicalJson({ b: undefined, a: () => 1, c: [undefined, () => 1], d: Number.NaN })).toBe(
      '{"c":[null,null],"d":null}',
    );
    expect(canonicalJson(undefined)).toBe("null");
  });
});

describe("the hash of a proposal", () => {
  test("is of the run, the step and every value in it", () => {
    const hash = proposalHash("run", "step", { prices: [{ id: "A", price: 12 }] });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    const others = [
      proposalHash("other", "step", { prices: [{ id: "A", price: 12 }] }),
      proposalHash("run", "other", { prices: [{ id: "A", price: 12 }] }),
      proposalHash("run", "step", { prices: [{ id: "A", price: 12.01 }] }),
      proposalHash("run", "step", { prices: [{ id: "A", price: "12" }] }),
      proposalHash("run", "step", { prices: [] }),
      proposalHash("run", "step", null),
    ];
    expect(new Set([hash, ...others]).size).toBe(others.length + 1);
    expect(proposalHash("run", "step", { prices: [{ price: 12, id: "A" }] })).toBe(hash);
  });
});
