import { describe, expect, test } from "@jest/globals";
import { chosenOption } from "./questions.ts";

const options = [
  { label: "PUMP-P1 (Feed pump)", sets: { items: ["PUMP-P1"] } },
  { label: "PUMP-P2 (Well pump)", sets: { items: ["PUMP-P2"] } },
  { label: "All pumps", sets: { items: ["PUMP-P1", "PUMP-P2"] } },
];

describe("an answer is taken", () => {
  test.each([
    ["PUMP-P1 (Feed pump)", 0],
    ["pump-p2 (well pump)", 1],
    ["2", 1],
    ["#3", 2],
    ["the first one", 0],
    ["second please", 1],
    ["the last", 2],
    ["option 2", 1],
    ["pump-p1", 0],
    ["I mean the well pump", 1],
    ["all", 2],
    ["2번이요", 1],
    ["두 번째", 1],
    ["the former", 0],
  ])("%s", (message, index) => expect(chosenOption(message, options)).toBe(options[index]));
});

test.each(["both", "both of them, please", "둘 다요"])("%s: takes all that is offered", (message) => {
  const offered = options.slice(0, 2);
  expect(chosenOption(message, offered)?.sets).toEqual({ items: ["PUMP-P1", "PUMP-P2"] });
});

test("amounts are not taken together", () => {
  const amounts = [
    { label: "3 %", sets: { limit: 0.03 } },
    { label: "5 %", sets: { limit: 0.05 } },
  ];
  expect(chosenOption("both", amounts)).toBeUndefined();
});

describe("what is no answer", () => {
  test.each([
    ["fits several", "the pump"],
    ["fits none", "the gearbox"],
    ["has no such number", "4"],
    ["is something new", "never mind, show me all violations of the hierarchy in EMEA instead"],
    ["is empty", "   "],
    ["is filler", "yes please"],
  ])("%s", (_, message) => expect(chosenOption(message, options)).toBeUndefined());
});
