import { describe, expect, test } from "@jest/globals";
import { REPORT, RESULTS } from "../../../test/support/pricing-results.ts";
import {
  ATTACKS,
  FALSE_IN_WORDS,
  FORGED_SENTENCES,
  TRUE_SENTENCES,
} from "../../../test/support/sentences.ts";
import { shippedMesh } from "../../../test/support/shipped-mesh.ts";
import { JsonText } from "../../json-text.ts";
import { compileSlots } from "../../language/index.ts";
import { declareSlots } from "../../mesh/compile-slots.ts";
import { factsOf } from "./facts.ts";
import { truthOf } from "./holds.ts";
import { leadOf } from "./lead.ts";
import { otherNamesOf } from "./other-names.ts";

const facts = await factsOf(REPORT, RESULTS);
const { pricing = {} as never } = shippedMesh("http://127.0.0.1:1").flows ?? {};
const otherNames = otherNamesOf([compileSlots(declareSlots(pricing))]);
const isShown = truthOf(facts, otherNames);

/** Without what names hold. */
const digitsOf = (sentence: string) => sentence.replace(/[A-Z]+-[A-Z]\d/gu, "").match(/\d/gu) ?? [];

describe("sentences on a proposal that breaks rules", () => {
  test("of a hundred false ones without a digit none is shown", () => {
    expect(new Set(FALSE_IN_WORDS).size).toBeGreaterThanOrEqual(100);
    expect(FALSE_IN_WORDS.flatMap(digitsOf)).toEqual([]);
    expect(FALSE_IN_WORDS.filter(isShown)).toEqual([]);
  });

  test("of those that forge numbers, or what they are of, none is shown", () => {
    expect(new Set([...FORGED_SENTENCES, ...ATTACKS]).size).toBeGreaterThanOrEqual(150);
    expect([...FORGED_SENTENCES, ...ATTACKS].filter(isShown)).toEqual([]);
  });

  test("of true ones nine in ten are shown", () => {
    expect(new Set(TRUE_SENTENCES).size).toBeGreaterThanOrEqual(40);
    expect(TRUE_SENTENCES.filter(isShown).length / TRUE_SENTENCES.length).toBeGreaterThan(0.9);
  });

  test("a true one is shown no more with another number of the report, another item or another tier", () => {
    const numbers = [...new Set(REPORT.match(/(?<![\w.,-])\d[\d,.]*\d/gu))];
    const swaps = TRUE_SENTENCES.filter(isShown).flatMap((sentence) => [
      ...Array.from(sentence.matchAll(/(?<![\w.,-])\d[\d,.]*\d/gu), ({ 0: own, index }) =>
        numbers
          .filter((number) => numberOf(number).toFixed(decimalsOf(own)) !== own.replaceAll(",", ""))
          .map((number) => sentence.slice(0, index) + number + sentence.slice(index + own.length)),
      ).flat(),
      ...swapped(sentence, ["VALVE-V7", "MOTOR-M2", "CONTROLLER-K8"]),
      ...swapped(sentence, ["new", "exchange", "repair"]),
      ...swapped(sentence, ["신품", "교환", "수리"]),
      ...swapped(sentence, ["Profit", "Revenue"]),
      ...swapped(sentence, ["이익", "매출", "가격"]),
    ]);
    expect(swaps.length).toBeGreaterThan(1_000);
    expect(swaps.filter(isShown)).toEqual([]);
  });
});

const numberOf = (printed: string): number => Number(printed.replaceAll(",", ""));
const decimalsOf = (printed: string): number => printed.split(".")[1]?.length ?? 0;

/** A sentence with one of the words in place of another. */
function swapped(sentence: string, words: readonly string[]): string[] {
  const own = words.filter((word) => sentence.includes(word));
  return own.flatMap((word) =>
    words.filter((other) => other !== word).map((other) => sentence.replaceAll(word, other)),
  );
}

describe("what a text says ahead of a report", () => {
  const TOLD = "Profit rises to 287,428.";
  const FORGED = "Profit rises to 287,824.";

  test("each sentence stands or falls alone", async () => {
    const text = `1. first\n- ${TOLD} ${FORGED}\n\n* The expected profit is 287,428.`;
    expect(await leadOf(text, { facts, otherNames, most: 5 })).toEqual({
      lead: `${TOLD} The expected profit is 287,428.`,
      leftOut: 3,
    });
  });

  test("is as long as it may be, and says nothing twice", async () => {
    const text = [TOLD, TOLD, "Revenue falls to 899,038.", "The expected profit is 287,428."].join("\n");
    const { lead } = await leadOf(text, { facts, otherNames, most: 2 });
    expect(lead).toBe(`${TOLD} Revenue falls to 899,038.`);
  });
});

test("names that flows give to different things are left out", () => {
  const { pricing: flow = {} as never } = shippedMesh("http://127.0.0.1:1").flows ?? {};
  const { objective, ...rest } = flow.slots ?? {};
  const values = { earnings: ["이익"], revenue: ["매출"] };
  const slots = objective && { ...rest, objective: { ...objective, values } };
  const other = compileSlots(declareSlots({ ...flow, ...(slots ? { slots } : {}) }));
  const names = otherNamesOf([compileSlots(declareSlots(flow)), other, undefined]);
  expect([names.get("매출"), names.get("이익")]).toEqual(["revenue", undefined]);
});

describe("facts", () => {
  test("two rows that call different numbers the same bear out neither", async () => {
    const twice = await factsOf(`${REPORT}\nLast year: profit 285,184 → 285,184.`, RESULTS);
    expect(twice.filter(({ words }) => words.includes("profit"))).toHaveLength(2);
    expect(truthOf(twice, otherNames)("Profit rises to 287,428.")).toBe(false);
  });

  test("a row whose numbers the results do not have under its names is none", async () => {
    const forged = REPORT.replace("115.00 → 126.87", "115.00 → 126.88").replace(
      "VALVE-V7, repair",
      "VALVE-V8, repair",
    );
    expect(await factsOf(forged, RESULTS)).toHaveLength(facts.length - 2);
  });

  test("an id that is called like a member cannot pass for what is measured", async () => {
    const items = [{ item_id: "revenue", profit: 12.5, revenue: 90.25 }];
    const results = { step: { outputs: { items }, warnings: [] } };
    expect(await factsOf("- revenue: 12.50", results)).toEqual([]);
  });

  test("a part of a name is no name, and a name that reads as a number hides none", async () => {
    const items = [{ item_id: "5", name: "Safe Valve", price: 12 }];
    const named = await factsOf("- Safe Valve: 12.00", { step: { outputs: { items }, warnings: [] } });
    const told = [
      "The price of Safe Valve is 12.00.",
      "Safe Valve is safe at 12.00.",
      "Safe Valve is 12.00 by 5.",
    ];
    expect(told.map(truthOf(named, otherNames))).toEqual([true, false, false]);
  });

  test("of results that are too many to look at there are none", async () => {
    const rest = Array.from({ length: 70_000 }, (_, at) => at);
    const more = { ...RESULTS, more: { outputs: { rest }, warnings: [] } };
    expect(await factsOf(REPORT, more)).toEqual([]);
    const large = new JsonText(JSON.stringify({ rest: "x".repeat(600_000) }));
    expect(await factsOf(REPORT, { ...RESULTS, more: { outputs: large, warnings: [] } })).toEqual([]);
  });
});
