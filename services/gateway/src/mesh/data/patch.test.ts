import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type PatchRule, patched } from "./patch.ts";

const RULE: PatchRule = { keys: ["item_id", "tiers.tier"], set: "price" };
const PROPOSAL = [
  { item_id: "A", name: "first", tiers: { new: { price: 10, cost: 4 }, used: { price: 5 } } },
  { item_id: "B", tiers: { new: { price: 20 } } },
];

test("each edit sets one member of the entry that its keys name, and all else stays", () => {
  const before = structuredClone(PROPOSAL);
  const edits = [
    { item_id: "B", tier: "new", price: 21 },
    { item_id: "A", tier: "used", price: 6 },
  ];
  expect(patched(PROPOSAL, edits, RULE)).toEqual([
    { item_id: "A", name: "first", tiers: { new: { price: 10, cost: 4 }, used: { price: 6 } } },
    { item_id: "B", tiers: { new: { price: 21 } } },
  ]);
  expect(PROPOSAL).toEqual(before);
});

test("without edits it is equal, and of two edits of one entry the later one counts", () => {
  expect(patched(PROPOSAL, [], RULE)).toEqual(PROPOSAL);
  const twice = [11, 12].map((price) => ({ item_id: "A", tier: "new", price }));
  expect(patched(PROPOSAL, twice, RULE)).toMatchObject([{ tiers: { new: { price: 12 } } }, {}]);
});

test("a list is patched by one key, and a map by its own members", () => {
  const list = { keys: ["id"], set: "n" };
  expect(patched([{ id: 1, n: 1 }], [{ id: 1, n: 2 }], list)).toEqual([{ id: 1, n: 2 }]);
  const map = { keys: ["limits.name"], set: "n" };
  expect(patched({ limits: { a: { n: 1 } } }, [{ name: "a", n: null }], map)).toEqual({
    limits: { a: { n: null } },
  });
});

const EDIT = { item_id: "A", tier: "new", price: 1 };
test.each([
  ["no list", EDIT],
  ["nothing", undefined],
  ["an edit that is no object", ["A"]],
  ["an entry that is not there", [EDIT, { ...EDIT, item_id: "C" }]],
  ["a member that is not there", [{ ...EDIT, tier: "refurbished" }]],
  ["what every object inherits", [{ ...EDIT, tier: "constructor" }]],
  ["a prototype", [JSON.parse('{"item_id":"A","tier":"__proto__","price":1}')]],
  ["a key too few", [{ item_id: "A", price: 1 }]],
  ["a member that the rule does not know", [{ ...EDIT, cost: 1 }]],
  ["nothing to set", [{ item_id: "A", tier: "new" }]],
])("edits are refused that have %s", (_, edits) => {
  expect(patched(PROPOSAL, edits, RULE)).toBeUndefined();
});

test("a member is changed and never added", () => {
  expect(patched([{ item_id: "A", tiers: { new: {} } }], [EDIT], RULE)).toBeUndefined();
});

test("a proposal of another form is refused", () => {
  for (const proposal of [null, 1, "A", {}, [[]], [{ item_id: "A" }], [{ item_id: "A", tiers: [] }]])
    expect(patched(proposal, [EDIT], RULE)).toBeUndefined();
});

test("whatever is edited, no more changes than is named", () => {
  const names = fc.constantFrom("A", "B", "C", "__proto__", "new", "used");
  const edits = fc.array(fc.record({ item_id: names, tier: names, price: fc.integer() }), { maxLength: 4 });
  fc.assert(
    fc.property(edits, (given) => {
      const whole = patched(PROPOSAL, given, RULE);
      if (whole === undefined) return;
      const named = new Map(given.map(({ item_id, tier, price }) => [`${item_id}.${tier}`, price]));
      const expected = PROPOSAL.map((item) => ({
        ...item,
        tiers: Object.fromEntries(
          Object.entries(item.tiers).map(([tier, own]) => [
            tier,
            { ...own, price: named.get(`${item.item_id}.${tier}`) ?? own.price },
          ]),
        ),
      }));
      expect(whole).toEqual(expected);
    }),
  );
});
