import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import type { Mesh, Service } from "../../mesh/index.ts";
import { partsOf } from "../questions-in.ts";
import { asksState } from "./asks-state.ts";
import { vocabularyOf } from "./vocabulary.ts";

const service = (name: string, keywords: readonly string[], en: string, ko: string): Service => ({
  ...{ name, keywords, examples: [], label: { en, ko } },
  target: { kind: "flow", flow: "pricing", goals: [name] },
});
const PUBLISH = service("publish", ["publish", "roll out", "go live"], "Publish the proposal", "제안 게시");
const OPTIMIZE = service("optimizer", ["propose"], "Propose the best prices", "최적 가격 제안");
const services: Mesh["services"] = new Map([PUBLISH, OPTIMIZE].map((one) => [one.name, one]));
const VOCABULARY = vocabularyOf([PUBLISH], { services });

const isOfState = (message: string): boolean => partsOf(message).some((part) => asksState(part, VOCABULARY));

/** Written before there was anything to recognise them: what people ask of the state, and what else they say of the same things. */
const MESSAGES = readFileSync(new URL("../../../test/data/state-messages.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { text: string; language: "en" | "ko"; state: boolean });

test.each(["en", "ko"])(
  "%s: most questions of the state are recognised, and hardly anything else",
  (wanted) => {
    const own = MESSAGES.filter(({ language }) => language === wanted);
    const shareOf = (state: boolean): number => {
      const such = own.filter((message) => message.state === state);
      return such.filter(({ text }) => isOfState(text)).length / such.length;
    };
    expect(shareOf(true)).toBeGreaterThanOrEqual(0.9);
    expect(shareOf(false)).toBeLessThanOrEqual(0.02);
  },
);

test("what it asks of the effect is told by the words of the manifest", () => {
  const ship = service("ship", ["ship", "hand over"], "Ship the order", "주문 출고");
  const words = vocabularyOf([ship], { services: new Map([["ship", ship]]) });
  for (const message of ["Has it been shipped?", "who handed it over?", "출고됐나요?"]) {
    expect([message, asksState(message, words)]).toEqual([message, true]);
    expect([message, asksState(message, VOCABULARY)]).toEqual([message, false]);
  }
});

test("a long message is read in time that grows with its length alone", () => {
  const endless = `has ${"the approval of ".repeat(50_000)}`;
  const before = process.cpuUsage();
  isOfState(endless);
  isOfState("? ".repeat(100_000));
  isOfState("누가 ".repeat(50_000));
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(500);
});
