import { beforeAll, describe, expect, test } from "@jest/globals";
import { slot } from "../../test/slot.ts";
import { indexEntities } from "../catalogue/entity-index.ts";
import type { SlotReading, Slots } from "../catalogue/reading.ts";
import { loadTagger, type Model, tagSlots } from "../tagger/index.ts";
import { compileSlots } from "../text/compile.ts";

/** Lamps that are let by the day: a domain that nothing is trained on. */
const SLOTS = [
  slot("lamps", { kind: "entity", from: ["lamps"], nouns: ["lamp"] }),
  slot("hall", { kind: "enum", from: ["lamps.hall"], nouns: ["hall"] }),
  slot("most", { reads: "most", implicit: true, nouns: ["change", "변동"] }),
  slot("rent", { reads: "least", nouns: ["yield"] }),
];
const INPUTS = {
  lamps: [
    { id: "FLOOD-1", name: "flood light", hall: "Berlin" },
    { id: "SPOT-2", name: "spot light", hall: "Munich" },
    { id: "LASER-3", name: "laser", hall: "Hamburg" },
  ],
};
const reader = compileSlots({ slots: SLOTS, words: { unsupported: [], neutral: [], decoys: [] } });
const index = indexEntities(SLOTS, INPUTS);
let model: Model;
beforeAll(() => {
  model = loadTagger();
});

function read(message: string, before: Slots = {}): SlotReading {
  const tagged = tagSlots(message, reader, index, model, before);
  if (!tagged) throw new Error("The message is too long.");
  return tagged.reading;
}

describe("a direction that alone is allowed", () => {
  const up = {
    limits: [
      { value: 0.05, way: "up" },
      { value: 0, way: "down" },
    ],
  };
  test.each([
    ["new rents for all lamps, they may only go up, 5 % at most", up],
    ["new rents for all lamps, increases only, at most 5 %", up],
    ["모든 조명의 임대료 제안해 줘, 인상만, 최대 5 %", up],
    ["new rents, cuts only", { limits: [{ value: 0, way: "up" }] }],
    ["new rents for the laser only, up to 5 %", 0.05],
    ["new rents, and none may go up by more than 5 %", { limits: [{ value: 0.05, way: "up" }] }],
    ["no rent should drop by over 5 %", { limits: [{ value: 0.05, way: "down" }] }],
    [
      "new rents, up to 3 % down and 8 % up",
      {
        limits: [
          { value: 0.03, way: "down" },
          { value: 0.08, way: "up" },
        ],
      },
    ],
    ["new rents, 5 % at most, up or down", 0.05],
  ])("%s", (message, most) => {
    expect(read(message).slots.most).toEqual(most);
  });
});

describe("limits of parts", () => {
  test("each stands with its own part, and the rest is what no other names", () => {
    const { slots } = read("new rents: 5 % in Berlin, 3 % elsewhere");
    expect(slots.most).toEqual({
      limits: [
        { value: 0.05, scope: { hall: ["Berlin"] } },
        { value: 0.03, scope: { hall: ["Munich", "Hamburg"] } },
      ],
    });
    expect(slots).not.toHaveProperty("hall");
  });

  test("what is named for its limit alone is what is asked for", () => {
    const { slots } = read("Raise FLOOD-1 by at most 5 % and SPOT-2 by at most 10 %");
    expect(slots).toEqual({
      lamps: ["FLOOD-1", "SPOT-2"],
      most: {
        limits: [
          { value: 0.05, scope: { lamps: ["FLOOD-1"] } },
          { value: 0.1, scope: { lamps: ["SPOT-2"] } },
        ],
      },
    });
  });

  test("a limit of all is a number, and narrows what is asked for", () => {
    expect(read("Rents for the laser, at most 5 % change").slots).toEqual({ lamps: ["LASER-3"], most: 0.05 });
  });

  test("one is said anew, and the others stay", () => {
    const before = {
      most: {
        limits: [
          { value: 0.07, scope: { hall: ["Berlin"] } },
          { value: 0.02, scope: { hall: ["Munich"] } },
        ],
      },
    };
    expect(read("at most 4 % in Munich", before).slots.most).toEqual({
      limits: [
        { value: 0.07, scope: { hall: ["Berlin"] } },
        { value: 0.04, scope: { hall: ["Munich"] } },
      ],
    });
  });

  test("what was taken back is no limit of a part", () => {
    expect(
      read("max 6 % for FLOOD-1, no wait, make that 4 %, and SPOT-2 as well").slots.most,
    ).not.toHaveProperty("limits");
  });

  test("what they are made of is told, so that nobody names it as not applied", () => {
    const { limited, unsupported } = read("new rents: 5 % in Berlin, 3 % elsewhere");
    expect(limited).toEqual(["5 %", "3 %"]);
    expect(unsupported).toEqual([]);
  });
});

test("a name that is said again begins what is said of it", () => {
  const { slots } = read("rents for the laser and the spot light, laser max 3 % change, spot light max 8 %");
  expect(slots.most).toEqual({
    limits: [
      { value: 0.03, scope: { lamps: ["LASER-3"] } },
      { value: 0.08, scope: { lamps: ["SPOT-2"] } },
    ],
  });
});

test("another amount goes on in the one direction that is in force", () => {
  const before = {
    most: {
      limits: [
        { value: 0.05, way: "up" },
        { value: 0, way: "down" },
      ],
    },
  } as const;
  const limits = [
    { value: 0, way: "down" },
    { value: 0.06, way: "up" },
  ];
  expect(read("at most 6 % then", before).slots.most).toEqual({ limits });
});

describe("limits in one direction", () => {
  test.each([
    ["new rents, increases limited to 3 %", [{ value: 0.03, way: "up" }]],
    ["new rents, decreases limited to 2 %", [{ value: 0.02, way: "down" }]],
    ["new rents. No decreases at all", [{ value: 0, way: "down" }]],
    [
      "새 가격 제안해줘. 인하는 절대 안 되고 인상은 5%까지만",
      [
        { value: 0.05, way: "up" },
        { value: 0, way: "down" },
      ],
    ],
  ])("%s", (message, limits) => {
    expect(read(message).slots.most).toEqual({ limits });
  });

  test("one of all that is in force stands beside it", () => {
    expect(read("and no decreases please", { most: 0.05 }).slots.most).toEqual({
      limits: [{ value: 0.05 }, { value: 0, way: "down" }],
    });
  });

  test.each([
    "Why are there no increases for the laser?",
    "there were no cuts in Berlin last year",
    "at most 5 % either way, increases or cuts",
  ])("%s: none", (message) => {
    expect(read(message).slots.most ?? 0).not.toHaveProperty("limits");
  });
});
