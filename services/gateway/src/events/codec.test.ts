import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { decodeEvent, encodeEvent, isRest, packEvents, relayEvent, unpackEvents } from "./index.ts";

const AT = "2026-01-15T09:30:00.000Z";
const progress = (seq: number, data: Record<string, unknown>) =>
  encodeEvent("run1", seq, AT, { type: "progress", node: "step", data });

describe("an event", () => {
  test("is one line of JSON that says what it is", () => {
    const event = progress(7, { text: "line\nfeed\r\u2028", nested: { type: "run_finished" } });
    expect(event.json).not.toMatch(/[\n\r]/);
    expect(decodeEvent(event.json)).toEqual({
      run_id: "run1",
      seq: 7,
      type: "progress",
      node: "step",
      at: AT,
      data: { text: "line\nfeed\r\u2028", nested: { type: "run_finished" } },
    });
  });

  test("that is relayed as the agent wrote it is the same event", () => {
    const data = { step: 1, text: 'a "quoted" grüße 🙂' };
    const relayed = relayEvent({ runId: "run1", seq: 3, at: AT, node: "step", data: JSON.stringify(data) });
    expect(relayed).toEqual(progress(3, data));
  });
});

test("events that are packed into one entry come out as they went in, whatever they hold", () => {
  const data = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(
      fc.array(data, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 1e9 }),
      (all, from) => {
        const events = all.map((one, index) => progress(from + index, one));
        const last = events.at(-1)?.seq ?? 0;
        expect(unpackEvents(last, packEvents(events))).toEqual(events);
      },
    ),
    { numRuns: 200 },
  );
});

test("a run rests at its end, at a pause, and where it is left for a person", () => {
  const resting = ["run_finished", "run_failed", "run_cancelled", "run_paused", "run_parked"];
  expect(resting.every((type) => isRest({ type }))).toBe(true);
  expect(["run_started", "progress", "approval_decided", ""].some((type) => isRest({ type }))).toBe(false);
});
