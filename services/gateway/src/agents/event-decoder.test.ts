import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { Defect } from "./defect.ts";
import { createEventDecoder } from "./event-decoder.ts";

function read(chunks: Iterable<Buffer>, limit = 1_000, longLine?: number): [string, string][] {
  const events: [string, string][] = [];
  const decoder = createEventDecoder(limit, (name, data) => events.push([name, data.toString()]), longLine);
  for (const chunk of chunks) decoder.push(chunk);
  decoder.end();
  return events;
}

function defectOf(chunks: Iterable<Buffer>, limit?: number): string {
  try {
    read(chunks, limit);
  } catch (error) {
    if (error instanceof Defect) return error.reason;
    throw error;
  }
  return "none";
}

function bytewise(bytes: Buffer): Buffer[] {
  return [...bytes].map((byte) => Buffer.of(byte));
}

const SAMPLES: [string, string, [string, string][]][] = [
  [
    "LF",
    "event: a\ndata: 1\n\ndata: 2\n\n",
    [
      ["a", "1"],
      ["message", "2"],
    ],
  ],
  [
    "CRLF",
    "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n",
    [
      ["a", "1"],
      ["message", "2"],
    ],
  ],
  [
    "CR",
    "event: a\rdata: 1\r\rdata: 2\r\r",
    [
      ["a", "1"],
      ["message", "2"],
    ],
  ],
  ["a BOM", "\uFEFFdata: 1\n\n", [["message", "1"]]],
  ["comments", ": keepalive\n\ndata: 1\n: more\n\n", [["message", "1"]]],
  ["several data lines", "data: {\ndata: }\n\n", [["message", "{\n}"]]],
  ["no space after the colon", "event:a\ndata:1\n\n", [["a", "1"]]],
  ["characters of 2, 3 and 4 bytes", "data: ß€🙂\n\n", [["message", "ß€🙂"]]],
  ["an unterminated last event", "data: 1\n\ndata: 2\n", [["message", "1"]]],
  ["an event without data", "event: a\n\ndata: 1\n\n", [["message", "1"]]],
];

describe("the event decoder", () => {
  test.each(SAMPLES)("reads %s, whole and byte by byte", (_, text, events) => {
    expect(read([Buffer.from(text)])).toEqual(events);
    expect(read(bytewise(Buffer.from(text)))).toEqual(events);
  });

  test.each([
    ["a stray continuation byte", [0x80]],
    ["an overlong form", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a lead byte without its tail", [0xe2, 0x82, 0x20]],
    ["a byte that is never UTF-8", [0xff]],
  ])("does not take %s for text", (_, bad) => {
    const bytes = Buffer.concat([Buffer.from("data: "), Buffer.from(bad), Buffer.from("\n\n")]);
    expect(defectOf([bytes])).toBe("invalid_utf8");
    expect(defectOf(bytewise(bytes))).toBe("invalid_utf8");
  });

  test("does not take a character that the end of the stream cuts", () => {
    expect(defectOf([Buffer.from("data: 1\n\n\xe2", "latin1")])).toBe("invalid_utf8");
  });

  test("counts the bytes of an event's data, not its characters or lines", () => {
    const euros = (count: number): Buffer => Buffer.from(`data: ${"€".repeat(count)}\n\n`);
    expect(defectOf([euros(10)], 30)).toBe("none");
    expect(defectOf([euros(11)], 30)).toBe("event_too_large");
    expect(defectOf(bytewise(Buffer.from(`data: ${"x".repeat(30)}\n\n`)), 30)).toBe("none");
    expect(defectOf([Buffer.from("data: 0123456789\ndata: 0123456789\n\n")], 20)).toBe("event_too_large");
  });

  test("gives up a line that does not end, whichever field it is of", () => {
    for (const field of ["data: ", "event: ", "id: ", "retry: "]) {
      const endless = [field, ...Array<string>(100).fill("x".repeat(100))].map((text) => Buffer.from(text));
      expect(defectOf(endless)).toBe("event_too_large");
    }
  });

  test("lets comments and unknown fields of any length pass, and keeps nothing of them", () => {
    const long = ["extra: ", "x".repeat(5_000), "\n:", "y".repeat(5_000), "\ndata: 1\n\n"];
    expect(read(long.map((text) => Buffer.from(text)))).toEqual([["message", "1"]]);
  });

  test("does not take a name that is a text", () => {
    expect(defectOf([Buffer.from(`event: ${"n".repeat(200)}\ndata: 1\n\n`)])).toBe("event_name_too_long");
  });

  test("reads the same of a line that is long, however the stream is cut", () => {
    const line = fc.oneof(
      fc.tuple(
        fc.constantFrom("data: ", "data:", "data", "datum: ", ": ", "event: "),
        fc.string({ unit: "grapheme" }),
      ),
      fc.constant(["", ""]),
    );
    const stream = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")), { maxLength: 30 });
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 8 });
    fc.assert(
      fc.property(stream, cuts, (lines, at) => {
        const bytes = Buffer.from(lines.map(([[field, text], end]) => field + text + end).join(""));
        const whole = read([bytes], 1_000, Number.POSITIVE_INFINITY);
        const places = [0, ...at.toSorted((one, other) => one - other), bytes.length];
        const chunks = places.slice(1).map((to, index) => bytes.subarray(places[index], to));
        expect(read(chunks, 1_000, 8)).toEqual(whole);
        expect(read(bytewise(bytes), 1_000, 8)).toEqual(whole);
      }),
    );
  });

  test("measures and checks a long line like any other", () => {
    const cut = (text: string, at: number) => [
      Buffer.from(text).subarray(0, at),
      Buffer.from(text).subarray(at),
    ];
    const of = (chunks: Buffer[], limit: number): string => {
      try {
        read(chunks, limit, 8);
        return "none";
      } catch (error) {
        return error instanceof Defect ? error.reason : "another";
      }
    };
    expect(of(cut(`data: ${"€".repeat(10)}\n\n`, 12), 30)).toBe("none");
    expect(of(cut(`data: ${"€".repeat(11)}\n\n`, 12), 30)).toBe("event_too_large");
    const bad = Buffer.concat([Buffer.from("data: 0123456789"), Buffer.of(0xff), Buffer.from("\n\n")]);
    expect(of([bad.subarray(0, 9), bad.subarray(9)], 100)).toBe("invalid_utf8");
  });
});
