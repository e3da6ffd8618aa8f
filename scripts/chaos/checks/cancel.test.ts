import { expect, test } from "@jest/globals";
import { checkCancel, HEARD_MS, type Task } from "./cancel.ts";
import type { Event } from "./log.ts";

const event = (type: string, ms: number, node?: string): Event => ({
  type,
  at: new Date(ms).toISOString(),
  data: {},
  ...(node === undefined ? {} : { node }),
});

const CANCELLED = { scenario: "cancelled" };
const MIDDLE = [event("step_started", 1_000, "prepare"), event("run_cancelled", 1_500)];

const of = (task: Partial<Task>) => () => ({
  begunAt: undefined,
  abortedAt: undefined,
  endedAt: undefined,
  ...task,
});

test("an agent that heard of the cancel in time", () => {
  expect(checkCancel(CANCELLED, MIDDLE, of({ begunAt: 1_010, abortedAt: 1_700 }))).toEqual([]);
});

test("an agent that heard late, never, or of something before, is found", () => {
  for (const abortedAt of [1_600 + HEARD_MS, 900]) {
    expect(checkCancel(CANCELLED, MIDDLE, of({ begunAt: 1_010, abortedAt }))).toHaveLength(1);
  }
  expect(checkCancel(CANCELLED, MIDDLE, of({ begunAt: 1_010, endedAt: 2_510 + HEARD_MS }))).toHaveLength(1);
});

test("a worker of which nothing more is known proves nothing", () => {
  expect(checkCancel(CANCELLED, MIDDLE, of({ begunAt: 1_010 }))).toEqual([]);
  expect(checkCancel(CANCELLED, MIDDLE, of({ begunAt: 1_010, endedAt: 1_600 }))).toEqual([]);
});

test("each step under way has an agent of its own to be told", () => {
  const both = MIDDLE.toSpliced(1, 0, event("step_started", 1_000, "left"));
  const told = { begunAt: 1_010, abortedAt: 1_700, endedAt: undefined };
  const taskOf = (node: string) =>
    node === "left" ? { ...told, abortedAt: undefined, endedAt: 2_510 + HEARD_MS } : told;
  expect(checkCancel(CANCELLED, both, taskOf)).toHaveLength(1);
});

test("a step that was over, or about to be, has nobody to be told", () => {
  const over = MIDDLE.toSpliced(1, 0, event("step_finished", 1_400, "prepare"));
  expect(checkCancel(CANCELLED, over, of({ begunAt: 1_010, endedAt: 4_600 }))).toEqual([]);
  const nearly = [event("step_started", 1_000, "prepare"), event("run_cancelled", 2_450)];
  expect(checkCancel(CANCELLED, nearly, of({ begunAt: 1_010, endedAt: 4_600 }))).toEqual([]);
});

test("a step that no worker has begun, or that was given up before, has nobody to be told either", () => {
  expect(checkCancel(CANCELLED, MIDDLE, of({ begunAt: 500, endedAt: 4_600 }))).toEqual([]);
  expect(checkCancel(CANCELLED, MIDDLE, of({ begunAt: 1_010, abortedAt: 1_300 }))).toEqual([]);
});
