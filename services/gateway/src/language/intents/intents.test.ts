import { expect, test } from "@jest/globals";
import { shippedModel } from "../../../../../scripts/eval/shipped-model.ts";
import { setOf } from "../../../../../scripts/train/intents/sets.ts";
import { loadIntentModel } from "../index.ts";

const pricing = shippedModel(setOf("pricing"));
const cloud = shippedModel(setOf("cloud-cost"));

test("the probabilities of the categories add up to one, and the confidence is the highest", () => {
  for (const text of ["What should the compressor cost?", "asdf", "가격을 왜 올렸나요?", ""]) {
    const { category, confidence, probabilities } = pricing.classify(text);
    const values = Object.values(probabilities);
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1);
    expect(confidence).toBe(Math.max(...values));
    expect(probabilities[category]).toBe(confidence);
  }
});

test("an answer does not depend on the messages before it", () => {
  const text = "Explain the hydraulic seal's increase and how risky it is";
  const first = pricing.classify(text);
  for (const other of ["x".repeat(4_000), "publish", "", "가격"]) pricing.classify(other);
  expect(pricing.classify(text)).toEqual(first);
});

test("goals come in the order in which the message says them", () => {
  expect(pricing.classify("explain the change, and how robust is it?").goals).toEqual([
    "explainer",
    "sensitivity",
  ]);
  expect(pricing.classify("how robust is it, and explain the change").goals).toEqual([
    "sensitivity",
    "explainer",
  ]);
});

test("a review that names no goal has the goals of the set, in the set's order", () => {
  const { category, goals } = pricing.classify("full review for the leadership meeting");
  expect(category).toBe("plan");
  expect(goals).toEqual(["optimizer", "policy", "explainer", "sensitivity"]);
});

test("what a message denies is no goal", () => {
  for (const text of [
    "check the rules, but don't explain",
    "check compliance without any explanation",
    "skip the reasons, check the rules",
  ])
    expect([text, pricing.classify(text).goals]).toEqual([text, ["policy"]]);
});

test.each([
  ["why did the price go up", "wyh did the pirce go up"],
  ["check the violations", "chekc the voilations"],
  ["publish the new prices", "pubilsh the nwe prcies"],
  ["how robust is the proposal", "how robusst is the propsal"],
])("slips of the fingers leave the category of %s as it is", (right, misspelt) => {
  expect(pricing.classify(misspelt).category).toBe(pricing.classify(right).category);
});

test("case, accents, full-width letters and invisible characters make no difference", () => {
  const plain = pricing.classify("publish the price list").probabilities;
  for (const text of [
    "PUBLISH THE PRICE LIST",
    "püblish the price list",
    "ｐublish the price list",
    "pub\u200blish the price list",
  ])
    expect(pricing.classify(text).probabilities).toEqual(plain);
});

test("the names and figures of a message do not decide", () => {
  const one = pricing.classify("raise VALVE-V7 by 5% to $120").probabilities;
  expect(pricing.classify("raise PUMP-X19 by 7.5% to $1,340").probabilities).toEqual(one);
});

test("Korean has a model of its own", () => {
  expect(pricing.classify("이 가격이 왜 추천됐는지 설명해 주세요").category).toBe("explainer");
  expect(pricing.classify("VALVE-V7 최적 가격을 추천해 줘").category).toBe("optimizer");
  expect(cloud.classify("지난달 S3 비용이 얼마였어?").category).toBe("cost_query");
});

test.each(["", "   ", "🎉🎉🎉", "?!…", "\u0000\u0001"])("nothing to read in %j is no request", (text) => {
  expect(pricing.classify(text).category).toBe("general");
  expect(cloud.classify(text).category).toBe("unknown");
});

test("words that nobody knows are no confident request", () => {
  for (const text of ["zxqv plomk wert", "blorf gnarl tivvy sploon", "qqqqwwww eeee"]) {
    const { category, confidence } = pricing.classify(text);
    expect(category === "general" || confidence < 0.7).toBe(true);
  }
});

test("very long and repetitive messages are read in bounded work and give finite probabilities", () => {
  const texts = [
    "a".repeat(100_000),
    "why ".repeat(25_000),
    "가".repeat(50_000),
    "\ud800".repeat(9_000),
    "1,".repeat(9_000),
  ];
  for (const text of texts) {
    const { probabilities } = pricing.classify(text);
    expect(Object.values(probabilities).every((value) => value >= 0 && value <= 1)).toBe(true);
    // Beyond the limit nothing is read any more.
    expect(pricing.classify(`${text} publish publish publish`).probabilities).toEqual(probabilities);
  }
});

test("repeating a word does not raise the confidence without limit", () => {
  const once = pricing.classify("publish").confidence;
  expect(pricing.classify("publish ".repeat(500)).confidence).toBeLessThanOrEqual(Math.max(once, 0.99));
});

test.each([{}, null, [], "model", { language: "en" }])("%j is refused as a model", (value) => {
  expect(() => loadIntentModel([value])).toThrow("This is no intent model");
});

test("what stands around a message hardly changes what it asks for", () => {
  const plain = [
    "What should the compressor cost?",
    "Propose new prices for the gaskets",
    "Are the exchange prices in line with our rules?",
    "Does any price break the policy?",
    "Why did the starter get more expensive?",
    "Explain the change of the repair price",
    "How sensitive is the result to the elasticity?",
    "Would the proposal hold if demand fell by a fifth?",
  ];
  const frames = [
    "Good morning, … Many thanks, Ines",
    "I have been asked about it twice today. …",
    "… The workshop wants to hear it before noon.",
    "If it is no trouble: …",
    "hey folks - …",
    "… I am off to the airport soon, so a line will do.",
  ];
  const framed = frames.flatMap((frame) =>
    plain.map((text) => ({ text, framed: frame.replace("…", () => text) })),
  );
  const kept = framed.filter(
    ({ text, framed }) => pricing.classify(framed).category === pricing.classify(text).category,
  );
  expect(kept.length / framed.length).toBeGreaterThanOrEqual(0.9);
});

test("a greeting alone stays a greeting", () => {
  for (const text of ["hello", "Hi there!", "good morning everyone", "hey team"])
    expect([text, pricing.classify(text).category]).toEqual([text, "general"]);
});
