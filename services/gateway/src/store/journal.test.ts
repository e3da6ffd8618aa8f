import { expect, test } from "@jest/globals";
import { begunField, decisionField, emptyJournal, readJournal } from "./journal.ts";

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

test("no step's name can pass for a decision or an effect", () => {
  // Step names have no dot.
  expect(decisionField("x")).toContain(".");
  expect(begunField("x")).toContain(".");
  expect(decisionField("x")).not.toBe(begunField("x"));
  expect(readJournal({})).toEqual(emptyJournal());
});
