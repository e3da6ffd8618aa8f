import { describe, expect, test } from "@jest/globals";
import { slot } from "../../test/slot.ts";
import { compileSlots, indexEntities } from "../index.ts";
import { deniedWays } from "../ledger/ways.ts";
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
  ])("%s", (message, amounts) => expect(amountsIn(message)).toEqual(amounts));

  test.each(["이 시간에는", "이 건은 빼고", "한 일이 뭐야", "만일의 경우"])("%s has none", (message) =>
    expect(amountsIn(message)).toEqual([]),
  );

  test.each(["done by 3/15", "number 1 in 2025"])("%s has no part of a whole", (message) =>
    expect(amountsIn(message).filter((value) => value < 1)).toEqual([]),
  );
});
