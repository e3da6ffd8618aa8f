import { expect, test } from "@jest/globals";
import type { Answer } from "../ledger.ts";
import { checkDecisions, type Verdict } from "./decisions.ts";

const ANN = { decision: "approved", by: "ann" };
const APPROVED: Verdict = { state: "approved", winner: ANN, decided: 1, runState: "finished" };

function answer(action: Answer["action"], user: string, status: number, body: object = {}): Answer {
  return { runId: "r", approvalId: "a", action, user, operation: user, status, body: { ...body } };
}

const kinds = (answers: Answer[], verdict = APPROVED) =>
  checkDecisions(answers, verdict).map(({ kind }) => kind);

test("one winner, losers who are told of it, and answers that never came are as it should be", () => {
  const lost = answer("reject", "bob", 409, { winner: ANN });
  expect(kinds([answer("approve", "ann", 200), lost, answer("approve", "eve", 0)])).toEqual([]);
});

test("the same operation may win as often as it is sent", () => {
  expect(kinds([answer("approve", "ann", 200), answer("approve", "ann", 200)])).toEqual([]);
});

test("two winners are found", () => {
  expect(kinds([answer("approve", "ann", 200), answer("reject", "bob", 200)])).toContain(
    "several decisions won",
  );
});

test("losers who are told of different winners, or of none, are found", () => {
  const told = (decision: string, by: string) => answer("reject", "bob", 409, { winner: { decision, by } });
  expect(kinds([told("approved", "ann"), told("rejected", "eve")])).toContain("contradictory answers");
  expect(kinds([answer("reject", "bob", 409, { winner: null })])).toEqual(["conflict without a winner"]);
});

test("a store that remembers another decision is found", () => {
  const eve = { ...APPROVED, winner: { decision: "approved", by: "eve" } };
  expect(kinds([answer("approve", "ann", 200)], eve)).toEqual(["answer and store differ"]);
  expect(kinds([], { ...APPROVED, state: "rejected" })).toEqual(["approval contradicts itself"]);
});

test("a decision that is not in the log, or is there though nobody decided, is found", () => {
  expect(kinds([], { ...APPROVED, decided: 0 })).toEqual(["approval and log differ"]);
  const pending = { state: "pending", winner: undefined, decided: 1, runState: "paused" };
  expect(kinds([], pending)).toEqual(["approval and log differ"]);
});

test("a cancel that was acknowledged and did not happen is found", () => {
  expect(kinds([answer("cancel", "ann", 200)])).toEqual(["acknowledged cancel lost"]);
  expect(kinds([answer("cancel", "ann", 409)])).toEqual([]);
});
