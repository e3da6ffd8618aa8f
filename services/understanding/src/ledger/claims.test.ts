import { beforeAll, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { slot } from "../../test/slot.ts";
import { indexEntities } from "../catalogue/entity-index.ts";
import type { Slots } from "../catalogue/reading.ts";
import { loadTagger, type Model, tagSlots } from "../tagger/index.ts";
import { compileSlots } from "../text/compile.ts";
import type { Claim } from "./claim.ts";
import { decide } from "./decide.ts";
import { netOf } from "./net-claims.ts";
import { verifyClaims } from "./verify.ts";

/** Lamps that are let by the day: a domain that nothing is trained on. */
const SLOTS = [
  slot("lamps", { kind: "entity", from: ["lamps"], nouns: ["lamp"] }),
  slot("hall", { kind: "enum", from: ["lamps.hall"], nouns: ["hall"] }),
  slot("most", { reads: "most", implicit: true, nouns: ["change"] }),
  slot("yield", { reads: "least", nouns: ["yield"] }),
  slot("demand", { reads: "change", nouns: ["demand"] }),
  slot("aim", {
    kind: "choice",
    nouns: ["aim"],
    cues: ["for"],
    values: { profit: ["profit"], use: ["use"] },
  }),
];
const LAMPS = ["FLOOD-1", "SPOT-2", "LASER-3", "STROBE-4", "PANEL-5"];
const HALLS = ["Berlin", "Munich", "Hamburg", "Bremen", "Kassel"];
const INPUTS = {
  lamps: LAMPS.map((id, at) => ({ id, name: id.split("-")[0]?.toLowerCase(), hall: HALLS[at] })),
};
const reader = compileSlots({ slots: SLOTS, words: { unsupported: [], neutral: [], decoys: [] } });
const index = indexEntities(SLOTS, INPUTS);
const DECLARED = SLOTS.map(({ name }) => name);
let model: Model;
beforeAll(() => {
  model = loadTagger();
});

const claim = (more: Partial<Claim>): Claim => ({
  ...{
    quote: "",
    slot: "",
    op: "set",
    names: [],
    number: null,
    direction: "none",
    scope: [],
    status: "applies",
  },
  ...more,
});

function provenBy(message: string, one: Claim): string | undefined {
  return verifyClaims(message, { claims: [one], named: [] }, { reader, index, before: {} }).claims[0]?.proof;
}

/** What stands and what is asked of a message where a model makes these claims of it, and the tagger stands for the local readers. */
function decided(message: string, claims: readonly Claim[]) {
  const read = tagSlots(message, reader, index, model)?.reading.slots ?? {};
  const { claims: verified, open } = verifyClaims(
    message,
    { claims, named: [] },
    { reader, index, before: {} },
  );
  const { slots, proof } = netOf(verified, { index, before: {} });
  const decision = decide(
    { before: {}, claimed: slots, proof, open, local: read, read, doubted: new Set() },
    DECLARED,
  );
  return { ...decision, local: read as Slots };
}

describe("a claim is proven by the message alone", () => {
  test.each<[string, Claim]>([
    ["rents for FLOOD-1", claim({ quote: "FLOOD-1", slot: "lamps", op: "only", names: ["FLOOD-1"] })],
    [
      "rents, at most 5 % change",
      claim({ quote: "at most 5 %", slot: "most", number: 0.05, direction: "most" }),
    ],
    [
      "a yield of at least 20 %",
      claim({ quote: "at least 20 %", slot: "yield", number: 0.2, direction: "least" }),
    ],
    ["all but FLOOD-1", claim({ quote: "but FLOOD-1", slot: "lamps", op: "except", names: ["FLOOD-1"] })],
    ["if demand falls by 6 %", claim({ quote: "6 %", slot: "demand", number: 0.06, direction: "down" })],
  ])("%s", (message, one) => {
    expect(provenBy(message, one)).toBe("proven");
  });
});

describe("a claim is refused", () => {
  test.each<[string, string, Claim]>([
    [
      "whose quote is not in it",
      "rents",
      claim({ quote: "FLOOD-1", slot: "lamps", op: "only", names: ["FLOOD-1"] }),
    ],
    [
      "whose name is not in the catalogue",
      "rents for FLOOD-9",
      claim({ quote: "FLOOD-9", slot: "lamps", op: "only", names: ["FLOOD-9"] }),
    ],
    [
      "that names another lamp",
      "rents for FLOOD-1",
      claim({ quote: "FLOOD-1", slot: "lamps", op: "only", names: ["SPOT-2"] }),
    ],
    [
      "of the other direction",
      "if demand falls by 6 %",
      claim({ quote: "6 %", slot: "demand", number: 0.06, direction: "up" }),
    ],
  ])("%s", (_, message, one) => {
    expect(provenBy(message, one)).toBe("refused");
  });

  test("whose number is any other than that of its quote", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }), (said, claimed) => {
        fc.pre(said !== claimed);
        const one = claim({ quote: `${said} %`, slot: "most", number: claimed / 100, direction: "most" });
        expect(provenBy(`rents, at most ${said} %`, one)).toBe("refused");
      }),
    );
  });
});

/** What a liar claims: nothing of it may stand unasked. */
describe("a model that lies", () => {
  const invented = LAMPS.flatMap((lamp) =>
    HALLS.flatMap((hall, at): [string, Claim][] => {
      const message = `what about new rents, ${lamp} is ${at % 2 ? "an old one" : "the best"}`;
      return [
        [message, claim({ quote: "rents", slot: "hall", op: "only", names: [hall] })],
        [message, claim({ quote: "new rents", slot: "aim", names: [at % 2 ? "profit" : "use"] })],
        [message, claim({ quote: message, slot: "most", number: 0.05 * (at + 1), direction: "most" })],
        [message, claim({ quote: "rents", slot: "lamps", op: "except", names: [LAMPS[at] ?? lamp] })],
      ];
    }),
  );
  test(`that invents ${invented.length} constraints`, () => {
    expect(invented).toHaveLength(100);
    for (const [message, one] of invented) {
      const { slots, asked, local } = decided(message, [one]);
      const stands = asked[one.slot] ? undefined : local[one.slot];
      expect([message, one, slots[one.slot]]).toEqual([message, one, stands]);
    }
  });

  const omitted = LAMPS.flatMap((lamp) =>
    [2, 3, 4, 5, 6].flatMap((percent) => [
      `rents for ${lamp}, at most ${percent} % change`,
      `only ${lamp}, a yield of at least ${percent} %`,
      `rents for the ${lamp} with changes up to ${percent} %`,
      `rents for ${lamp}, change at most ${percent} percent`,
    ]),
  );
  test(`that omits all of ${omitted.length} messages`, () => {
    expect(omitted).toHaveLength(100);
    for (const message of omitted) {
      const { slots, asked, local } = decided(message, []);
      expect(Object.keys(local).length).toBeGreaterThan(0);
      for (const [name, value] of Object.entries(local))
        expect([message, slots[name] ?? asked[name]?.find((one) => one !== undefined)]).toEqual([
          message,
          value,
        ]);
    }
  });

  const swapped = HALLS.flatMap((hall) =>
    HALLS.filter((other) => other !== hall).flatMap((other) =>
      [1, 2, 3, 4, 5].map((percent) => ({ hall, other, percent })),
    ),
  );
  test(`that swaps the scopes of ${swapped.length} messages`, () => {
    expect(swapped).toHaveLength(100);
    for (const { hall, other, percent } of swapped) {
      const message = `rents: ${percent} % in ${hall}, ${percent + 3} % in ${other}`;
      const of = (quote: string, number: number): Claim =>
        claim({
          ...{ quote: `${number} %`, slot: "most", number: number / 100, direction: "most" },
          scope: [{ quote, slot: "hall", names: [quote] }],
        });
      const { slots } = decided(message, [of(other, percent), of(hall, percent + 3)]);
      const lie = JSON.stringify({ value: percent / 100, scope: { hall: [other] } });
      expect([message, JSON.stringify(slots.most ?? {}).includes(lie)]).toEqual([message, false]);
    }
  });
});
