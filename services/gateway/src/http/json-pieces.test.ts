import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseInPieces } from "./json-pieces.ts";

const ANY = { maxDepth: 32, maxValues: 1_000_000 };

/** Small pieces, so that a short text is put together from many. */
const read = async (text: string, pieceBytes: number): Promise<unknown> =>
  parseInPieces(Buffer.from(text), ANY, pieceBytes).then(
    (value) => ({ value }),
    (error) => error.code,
  );

function parsed(text: string): unknown {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return "invalid_json";
  }
}

const PIECE = fc.integer({ min: 1, max: 40 });

describe("a text that is parsed in pieces", () => {
  test("is the value that JSON.parse makes of it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), PIECE, fc.nat(3), async (value, piece, space) => {
        const text = JSON.stringify(value, undefined, space);
        const { value: same } = Object(await read(text, piece));
        expect(JSON.stringify(same)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  test("is refused exactly where JSON.parse refuses it", async () => {
    const mutation = fc.record({
      at: fc.nat(200),
      cut: fc.nat(2),
      put: fc.constantFrom("", ",", ":", "[", "]", "{", "}", '"', "\\", " ", "1", "null", "[[]]", '"a":'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 5 }),
        fc.array(mutation, { minLength: 1, maxLength: 3 }),
        PIECE,
        async (value, mutations, piece) => {
          let text = JSON.stringify(value);
          for (const { at, cut, put } of mutations) {
            const place = at % (text.length + 1);
            text = text.slice(0, place) + put + text.slice(place + cut);
          }
          expect(await read(text, piece)).toEqual(parsed(Buffer.from(text).toString()));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  test.each([
    '{"__proto__":[1,2,3,4],"constructor":{"a":[1,2,3]},"a":1,"a":2}',
    `[${" ".repeat(50)}]`,
    `{${" ".repeat(50)}}`,
    `[1,2,3${" ".repeat(50)},]`,
    `[${" ".repeat(50)},1]`,
    '{"a":1[1,2,3,4]}',
    '{"a":[1,2,3,4] 1}',
    '{"a":[1,2,3,4}]',
    "[[1,2,3,4][1,2,3,4]]",
    "{[1,2,3,4]}",
    '["\\"[[[[","\\\\",["]"]]',
    '"é grüße 🙂"',
    "\ufeff[1,2,3]",
    "",
  ])("reads %j as JSON.parse does", async (text) => {
    for (const piece of [1, 4, 16]) expect(await read(text, piece)).toEqual(parsed(text));
  });

  test("does not reach a prototype", async () => {
    const { value } = Object(await read('{"__proto__":{"polluted":[1,2,3]}}', 2));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(["__proto__"]);
  });

  test("is refused where it is not UTF-8, nests too deeply or has too many values", async () => {
    const refusal = (bytes: Buffer, limits = ANY) =>
      parseInPieces(bytes, limits, 8).catch(({ code }) => code);
    expect(await refusal(Buffer.from('["é"]', "latin1"))).toBe("invalid_json");
    const deep = (levels: number) => Buffer.from("[".repeat(levels) + "]".repeat(levels));
    expect(await refusal(deep(32))).toEqual(JSON.parse(deep(32).toString()));
    expect(await refusal(deep(33))).toBe("invalid_request");
    const five = Buffer.from('{"a":[1,",,,[[[",3]}');
    expect(await refusal(five, { maxDepth: 3, maxValues: 4 })).toEqual({ a: [1, ",,,[[[", 3] });
    expect(await refusal(five, { maxDepth: 3, maxValues: 3 })).toBe("invalid_request");
  });
});
