import { expect, test } from "@jest/globals";
import { checkEffects } from "./effects.ts";
import type { Event } from "./log.ts";

const done = (node: string): Event => ({ type: "step_finished", node, data: {} });
const paused: Event = { type: "run_paused", node: "release", data: {} };
const decided = (decision: string): Event => ({
  type: "approval_decided",
  node: "release",
  data: { decision },
});

const kinds = (events: Event[], published: number, applied: number) =>
  checkEffects(events, { published: Array(published).fill("{}"), applied }).map(({ kind }) => kind);

test("each effect once, as in the log, after its approval", () => {
  expect(kinds([paused, decided("approved"), done("release"), done("apply")], 1, 1)).toEqual([]);
  expect(kinds([paused, decided("rejected")], 0, 0)).toEqual([]);
});

test("an effect under way when its run was ended may stand alone", () => {
  expect(kinds([done("release")], 1, 1)).toEqual([]);
});

test("an effect that was taken twice is found, in either world", () => {
  expect(kinds([done("release"), done("apply")], 2, 1)).toContain("effect taken twice");
  expect(kinds([done("release"), done("apply")], 1, 2)).toEqual(["effect taken twice"]);
});

test("an effect that the log knows and the world does not, or the other way round, is found", () => {
  expect(kinds([done("release"), done("apply")], 1, 0)).toEqual(["effect lost"]);
  expect(kinds([done("release")], 0, 0)).toEqual(["effect and log differ"]);
  expect(kinds([], 1, 0)).toEqual(["effect and log differ"]);
});

test("an effect without its approval is found", () => {
  expect(kinds([paused, decided("rejected")], 0, 1)).toEqual(["effect without approval"]);
  expect(kinds([paused, done("release")], 1, 0)).toEqual(["effect without approval"]);
});
