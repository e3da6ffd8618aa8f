import { describe, expect, test } from "@jest/globals";
import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { EventStreamParser } from "./event-stream.ts";

type Dispatched = { readonly name: string | undefined; readonly data: string };

function parse(bytes: Uint8Array, chunk = bytes.length + 1) {
  const events: Dispatched[] = [];
  let parts: Buffer[] = [];
  const parser = new EventStreamParser({
    data: (chunk, from, to) => parts.push(Buffer.from(chunk.subarray(from, to))),
    dispatch: (name) => {
      events.push({ name, data: Buffer.concat(parts).toString("utf8") });
      parts = [];
    },
  });
  for (let at = 0; at < bytes.length; at += chunk) parser.push(bytes.subarray(at, at + chunk));
  return { events, parser };
}
function eventsOf(text: string, chunk?: number) {
  return parse(Buffer.from(text), chunk).events;
}

describe("WHATWG event streams", () => {
  test.each([
    ["LF", "event: a\ndata: 1\n\n", [{ name: "a", data: "1" }]],
    ["CRLF", "event: a\r\ndata: 1\r\n\r\n", [{ name: "a", data: "1" }]],
    ["lone CR", "event: a\rdata: 1\r\r", [{ name: "a", data: "1" }]],
    ["all three", "event: a\rdata: 1\r\ndata: 2\n\r\n", [{ name: "a", data: "1\n2" }]],
    ["a byte order mark", "\ufeffdata: 1\n\n", [{ name: "message", data: "1" }]],
    ["a second mark is a name of a field", "\ufeff\ufeffdata: 1\n\n", []],
    ["comments", ": hi\ndata: 1\n:\n\n", [{ name: "message", data: "1" }]],
    [
      "no space, and only one space taken",
      "data:1\n\ndata:  2\n\n",
      [
        { name: "message", data: "1" },
        { name: "message", data: " 2" },
      ],
    ],
    ["no data, no event", "event: final\n\ndata: 1\n\n", [{ name: "message", data: "1" }]],
    [
      "a data line without colon or value",
      "data\n\ndata:\n\n",
      [
        { name: "message", data: "" },
        { name: "message", data: "" },
      ],
    ],
    ["empty lines of data", "data\ndata\n\n", [{ name: "message", data: "\n" }]],
    ["the last name counts", "event: a\nevent: b\ndata: 1\n\n", [{ name: "b", data: "1" }]],
    ["unknown fields", "id: 4\nretry: x\nfoo: bar\nDATA: 9\ndata: 1\n\n", [{ name: "message", data: "1" }]],
    ["an event that is not ended", "data: 1\n\ndata: 2\n", [{ name: "message", data: "1" }]],
  ])("%s", (_, text, events) => {
    for (const chunk of [1, 2, 3, undefined]) expect(eventsOf(text, chunk)).toEqual(events);
  });

  test("agrees with the parser that others use, for any text and any cutting", () => {
    const line = fc.constantFrom(
      "data: {}",
      "data:x",
      "data",
      "event: final",
      "event",
      ": c",
      "id: 1",
      "",
      "",
      "\ufeff",
      "dat",
      "é: ü",
    );
    const end = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), fc.integer({ min: 1, max: 9 }), (lines, chunk) => {
        const text = lines.map((parts) => parts.join("")).join("");
        const expected: Dispatched[] = [];
        const peer = createParser({
          onEvent: ({ event, data }) => expected.push({ name: event ?? "message", data }),
        });
        peer.feed(text);
        expect(eventsOf(text, chunk)).toEqual(
          expected.map(({ name, data }) => ({ name: name || "message", data })),
        );
      }),
      { numRuns: 500 },
    );
  });
});

test("says how large the largest line or event is, also one that never ends", () => {
  expect(parse(Buffer.from(`: ${"x".repeat(98)}`)).parser.largest).toBe(100);
  expect(parse(Buffer.from("data: 1\ndata: 2\ndata: 3456789\n")).parser.largest).toBe(13);
});

test("says whether something is left that no empty line ended", () => {
  expect(parse(Buffer.from("data: 1\n\n")).parser.pending).toBe(false);
  expect(parse(Buffer.from("data: 1\n")).parser.pending).toBe(true);
  expect(parse(Buffer.from("data: 1")).parser.pending).toBe(true);
});
