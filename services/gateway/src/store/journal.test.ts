import { describe, expect, test } from "@jest/globals";
import { JsonText, LARGE_TEXT } from "../json-text.ts";
import {
  begunField,
  decisionField,
  emptyJournal,
  readJournal,
  writeDecision,
  writeResult,
  writeUsed,
} from "./journal.ts";
import { NO_USAGE } from "./usage-store.ts";

test("a journal holds results, decisions and begun effects, each under its own name", () => {
  const result = { outputs: { total: 1 }, warnings: [] };
  const decision = { approval_id: "a", decision: "approved", by: "lee", proposal: [1] };
  const journal = readJournal({
    check: JSON.stringify(result),
    [decisionField("check")]: JSON.stringify(decision),
    [begunField("notify")]: "1",
  });
  expect(journal.results).toEqual({ check: result });
  expect(journal.decisions).toEqual({ check: decision });
  expect([...journal.begun]).toEqual(["notify"]);
});

test("a journal holds what models used, as an entry that older readers take for an empty result", () => {
  const used = { ...NO_USAGE, calls: 2, inputTokens: 110, nanoUsd: 5 };
  const [field, value] = writeUsed(used);
  expect(readJournal({ [field]: value })).toEqual({ ...emptyJournal(), used });
  expect(JSON.parse(value)).toMatchObject({ warnings: [] });
  expect(field).toContain(".");
});

test("no step's name can pass for a decision or an effect", () => {
  // Step names have no dot.
  expect(decisionField("x")).toContain(".");
  expect(begunField("x")).toContain(".");
  expect(decisionField("x")).not.toBe(begunField("x"));
  expect(readJournal({})).toEqual(emptyJournal());
});

describe("a result whose large members are text", () => {
  const large = (mark: string) => new JsonText(JSON.stringify({ mark, more: "é\n😀}".repeat(100_000) }));
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

  test.each([
    ["outputs", { outputs: large("outputs"), warnings: [] }],
    ["what it keeps", { outputs: { a: 1 }, warnings: ["late"], kept: large("kept"), rounds: 2 }],
    ["both", { outputs: large("outputs"), warnings: [], rounds: 1, kept: large("kept") }],
    ["a small text", { outputs: new JsonText('{"a":1}'), warnings: [] }],
  ])("is read as it was written: %s", (_, result) => {
    const written = writeResult(result).join("");
    const read = readJournal({ check: written }).results.check;
    expect(plain(read)).toEqual(plain(result));
    // For whoever reads the store, it is JSON.
    expect(JSON.parse(written)).toMatchObject(plain(result));
    for (const member of ["outputs", "kept"] as const) {
      const text = Reflect.get(result, member);
      const isLarge = text instanceof JsonText && text.text.length > LARGE_TEXT;
      expect([member, read?.[member] instanceof JsonText]).toEqual([member, isLarge]);
    }
  });

  test("likewise of a decision", () => {
    const decision = {
      approval_id: "a",
      decision: "approved",
      by: "lee",
      proposal: large("proposal"),
    } as const;
    const written = writeDecision(decision).join("");
    const read = readJournal({ [decisionField("publish")]: written }).decisions.publish;
    expect(read?.proposal).toBeInstanceOf(JsonText);
    expect(plain(read)).toEqual(plain(decision));
    expect(JSON.parse(written)).toMatchObject(plain(decision));
  });
});
