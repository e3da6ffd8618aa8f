import { describe, expect, test } from "@jest/globals";
import { slot } from "../../test/slot.ts";
import { compileSlots, indexEntities } from "../index.ts";
import { deniedWays } from "../ledger/ways.ts";
import { sizeFor } from "../tagger/size.ts";
import { readAmount } from "../text/amounts.ts";
import { tokenize } from "../text/tokens.ts";
import { TYPES } from "./mention.ts";
import { unitsOf } from "./units.ts";

/** Ferries: a domain that nothing is trained on. */
const slots = [
  slot("ships", { kind: "entity", from: ["ships"], names: ["name"], nouns: ["ship", "호"] }),
  slot("port", { kind: "enum", from: ["ships.port"], nouns: ["port", "항"] }),
  slot("day", { kind: "choice", values: { tuesday: [], february: ["second month"], tomorrow: [] } }),
  slot("fare", { kind: "money", reads: "most", nouns: ["fare"] }),
];
const reader = compileSlots({ slots, words: { unsupported: [], neutral: [], decoys: [] } });
const inputs = {
  currency: "KRW",
  ships: [
    { id: "ALBATROSS", port: "Helsinki", name: "northern star" },
    { id: "PELICAN", port: "Tallinn", name: "southern cross" },
  ],
};
const index = indexEntities(slots, inputs);
const read = (message: string, from = index) => unitsOf(message, reader, from).units;
const idsIn = (message: string) =>
  read(message).flatMap(({ mention }) => mention?.entity?.positions.map((at) => inputs.ships[at]?.id) ?? []);
const valuesIn = (message: string) =>
  read(message).flatMap(({ mention }) => mention?.values.map(({ value }) => value) ?? []);

describe("a name in Hangul is one in Latin letters that sounds so", () => {
  test.each([
    ["앨버트로스 요금", ["ALBATROSS"]],
    ["펠리컨호만 보여 줘", ["PELICAN"]],
    ["펠리칸과 앨버트로스", ["PELICAN", "ALBATROSS"]],
  ])("%s", (message, ids) => expect(idsIn(message)).toEqual(ids));

  test.each([
    ["헬싱키에서", ["Helsinki"]],
    ["탈린항 출발", ["Tallinn"]],
  ])("%s", (message, values) => expect(valuesIn(message)).toEqual(values));

  test.each(["요금을 정리해 줘", "폐기 현황을 비교해 줘", "전체를 다시 계산해 줘"])(
    "%s names nothing",
    (message) => {
      expect([...idsIn(message), ...valuesIn(message)]).toEqual([]);
    },
  );
});

test.each([
  ["fares for tues", ["tuesday"]],
  ["the feb fares", ["february"]],
  ["sailing tmrw", ["tomorrow"]],
])("months and weekdays have short names: %s", (message, values) =>
  expect(valuesIn(message)).toEqual(values),
);

test.each([
  ["fares in the current month", ["this_month"]],
  ["preceding qtr", ["last_quarter"]],
  ["당월 요금", ["this_month"]],
])("a span of time has other names: %s", (message, values) => {
  const spans = { this_month: ["this month", "이번 달"], last_quarter: ["last quarter"] };
  const period = slot("period", { kind: "choice", values: spans });
  const own = compileSlots({ slots: [period], words: { unsupported: [], neutral: [], decoys: [] } });
  const found = unitsOf(message, own, indexEntities([period], {})).units;
  expect(found.flatMap(({ mention }) => mention?.values.map(({ value }) => value) ?? [])).toEqual(values);
});

test.each([
  ["the ns", []],
  ["scs only", []],
  ["the PXs, please", ["PIXIE"]],
  ["harbor express", ["HARBOUR-1"]],
  ["the four of them", []],
])("a name goes by initials without a vowel, and in the spelling of the other side: %s", (message, ids) => {
  const ships = [
    { id: "PIXIE", name: "polar xenon" },
    { id: "HARBOUR-1", name: "harbour express" },
    { id: "A", name: "northern star" },
    { id: "B", name: "new sun" },
    { id: "C", name: "south coast star" },
    { id: "D", name: "silver crest sun" },
    { id: "E", name: "chapel for sailors" },
  ];
  const found = unitsOf(message, reader, indexEntities(slots, { ships })).units;
  expect(found.flatMap(({ mention }) => mention?.entity?.positions.map((at) => ships[at]?.id) ?? [])).toEqual(
    ids,
  );
});

test.each(["leave at 5:30", "be there by 17:05", "between 2am and 5am"])(
  "a time of the clock is no number: %s",
  (message) => {
    const amounts = read(message).flatMap(({ mention }) => mention?.amount ?? []);
    expect(amounts.map(({ unit }) => unit)).toEqual(["time"]);
  },
);

describe("an amount in another currency than that of the inputs is nothing that a slot takes", () => {
  const kinds = (message: string, from = index) =>
    read(message, from).flatMap(({ type, mention }) =>
      type === TYPES.unsupported ? ["unsupported"] : mention?.amount ? [mention.amount.unit] : [],
    );
  test.each([
    ["fares up to 80 euros", ["unsupported"]],
    ["fares up to $80", ["unsupported"]],
    ["5만 원까지", ["money"]],
    ["fares between 20 and 30 dollars", ["unsupported"]],
    ["fares up to 80", ["none"]],
  ])("%s", (message, found) => expect(kinds(message)).toEqual(found));

  test("a dollar may be that of any country that has one", () => {
    const inputsIn = (currency: string) => indexEntities(slots, { ...inputs, currency });
    expect(kinds("up to 80 dollars", inputsIn("CAD"))).toEqual(["money"]);
    expect(kinds("up to 80 US dollars", inputsIn("CAD"))).toEqual(["unsupported"]);
  });

  test("where the inputs name no currency, each is theirs", () => {
    expect(kinds("up to 80 euros", indexEntities(slots, { ships: inputs.ships }))).toEqual(["money"]);
  });
});

test.each([
  ["올리는 건 안 되고요", ["up"]],
  ["내리는 건 절대 금지", ["down"]],
  ["요금은 올리지 말고", ["up"]],
  ["인상 없이 계산해 줘", ["up"]],
  ["3% 넘게 올리지 마", []],
  ["요금을 올려 줘", []],
])("a verb denies a direction in Korean, too: %s", (message, ways) => {
  expect(deniedWays(read(message), []).map(({ way }) => way)).toEqual(ways);
});

test("between thousands a point is none of a share", () => {
  const [amount] = read("1.400").flatMap(({ mention }) => mention?.amount ?? []);
  if (!amount) throw new Error("It is an amount.");
  const sizes = (["money", "percent"] as const).map((kind) =>
    sizeFor(slot("x", { kind }), amount, amount.value),
  );
  expect(sizes).toEqual([1400, 0.014]);
});

test.each(["1k ", "1만 2천 ", "two fifty ", "a hundred ", "one in ", "half a ", "만 팔천 "])(
  "a text that is nothing but numbers is read in proportion to its length: %s",
  (said) => {
    const readsOf = (times: number): number => {
      let reads = 0;
      const tokens = new Proxy(tokenize(said.repeat(times), reader.lexicon.cut), {
        get: (list, name) => {
          reads++;
          return Reflect.get(list, name);
        },
      });
      for (let at = 0; at < tokens.length; at++) readAmount(reader.lexicon, tokens, at);
      return reads;
    };
    expect(readsOf(4_000)).toBeLessThan(2.1 * readsOf(2_000));
  },
);

const amountsIn = (message: string) =>
  read(message).flatMap(({ mention }) => (mention?.amount ? [mention.amount.value] : []));

describe("parts of a whole and numerals in words are amounts", () => {
  test.each([
    ["a twentieth at most", [0.05]],
    ["a 25th at most", [0.04]],
    ["one in twenty", [0.05]],
    ["max 1/20 of it", [0.05]],
    ["사분의 일 이하", [0.25]],
    ["4분의1 이상", [0.25]],
    ["삼 점 오 퍼센트까지", [0.035]],
    ["삼백오십 넘지 않게", [350]],
    ["마흔 시간 안에", [40]],
    ["a third less", [1 / 3]],
    ["half covered", [0.5]],
    ["all three quarters full", [0.75]],
    ["9 in 10", [0.9]],
    ["nine times out of ten", [0.9]],
    ["3할", [0.3]],
    ["1할 5푼", [0.15]],
    ["사분의 일만", [0.25]],
    ["반으로 줄면", [-0.5]],
    ["a hundred and forty", [140]],
    ["half a dozen", [6]],
    ["two dozen", [24]],
    ["two fifty", [250]],
    ["thirteen twenty five", [1325]],
    ["four and a half thousand", [4500]],
    ["13 thousand five hundred", [13_500]],
    ["1.5 lakh", [150_000]],
    ["1,20,000", [120_000]],
    ["만 팔천으로요", [18_000]],
    ["1만 2천 이하", [12_000]],
    ["천이백은 안 넘게", [1200]],
    ["백 개로요", [100]],
    ["70h", [70]],
  ])("%s", (message, amounts) => expect(amountsIn(message)).toEqual(amounts));

  test.each([
    "이 시간에는",
    "이 건은 빼고",
    "한 일이 뭐야",
    "만일의 경우",
    "만일 도착하면",
    "a quarter ago",
    "the first half",
    "a third party",
  ])("%s has none", (message) => expect(amountsIn(message)).toEqual([]));

  test.each(["done by 3/15", "number 1 in 2025"])("%s has no part of a whole", (message) =>
    expect(amountsIn(message).filter((value) => value < 1)).toEqual([]),
  );
});
