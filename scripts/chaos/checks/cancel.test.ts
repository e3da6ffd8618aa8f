import { expect, test } from "@jest/globals";
import { checkCancel } from "./cancel.ts";
import type { Event } from "./log.ts";

const event = (type: string, ms: number, node?: string): Event => ({
  type,
  at: new Date(ms).toISOString(),
  data: {},
  ...(node === undefined ? {} : { node }),
});

const CANCELLED = { scenario: "cancelled" };
const MIDDLE = [event("step_started", 1_000, "prepare"), event("run_cancelled", 1_500)];

test("an agent that heard of the cancel in time", () => {
  expect(checkCancel(CANCELLED, MIDDLE, { begunAt: 1_010, abortedAt: 1_700 })).toEqual([]);
});

test("an agent that heard late, never, or of something before, is found", () => {
  for (const at of [3_600, undefined, 900]) {
    expect(checkCancel(CANCELLED, MIDDLE, { begunAt: 1_010, abortedAt: at })).toHaveLength(1);
  }
});

test("a step that was over, or about to be, has nobody to be told", () => {
  const over = MIDDLE.toSpliced(1, 0, event("step_finished", 1_400, "prepare"));
  expect(checkCancel(CANCELLED, over, { begunAt: 1_010, abortedAt: undefined })).toEqual([]);
  const nearly = [event("step_started", 1_000, "prepare"), event("run_cancelled", 2_450)];
  expect(checkCancel(CANCELLED, nearly, { begunAt: 1_010, abortedAt: undefined })).toEqual([]);
});

test("a step that no worker has begun has nobody to be told either", () => {
  expect(checkCancel(CANCELLED, MIDDLE, { begunAt: 500, abortedAt: undefined })).toEqual([]);
});
