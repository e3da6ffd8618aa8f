import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { JsonText } from "../json-text.ts";
import { type AsText, parseInPieces } from "./json-pieces.ts";

const ANY = { maxDepth: 32, maxValues: 1_000_000 };

/** Small pieces, so that a short text is put together from many. */
const read = async (text: string, pieceBytes: number): Promise<unknown> =>
  parseInPieces(Buffer.from(text), ANY, { pieceBytes }).then(
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
      parseInPieces(bytes, limits, { pieceBytes: 8 }).catch(({ code }) => code);
    expect(await refusal(Buffer.from('["é"]', "latin1"))).toBe("invalid_json");
    const deep = (levels: number) => Buffer.from("[".repeat(levels) + "]".repeat(levels));
    expect(await refusal(deep(32))).toEqual(JSON.parse(deep(32).toString()));
    expect(await refusal(deep(33))).toBe("invalid_request");
    const five = Buffer.from('{"a":[1,",,,[[[",3]}');
    expect(await refusal(five, { maxDepth: 3, maxValues: 4 })).toEqual({ a: [1, ",,,[[[", 3] });
    expect(await refusal(five, { maxDepth: 3, maxValues: 3 })).toBe("invalid_request");
  });
});

describe("what may stay text", () => {
  const kept = (text: string, asText: AsText) =>
    parseInPieces(Buffer.from(text), ANY, { asText, pieceBytes: 8 }) as Promise<Record<string, unknown>>;

  test("is kept where it is a large object, with the names of its members", async () => {
    const inputs = '{"items" : [1, 2, 3, 4],\n"rest":{"é":"\\u00e9"} }';
    const body = await kept(`{"message":"hello","inputs": ${inputs} ,"more":[1,2,3,4,5,6]}`, ["inputs"]);
    expect(body).toEqual({ message: "hello", inputs: expect.any(JsonText), more: [1, 2, 3, 4, 5, 6] });
    const { text, names } = body.inputs as JsonText;
    expect([text, names]).toEqual([inputs, ["items", "rest"]]);
    const whole = await kept(` ${inputs} `, "body");
    expect(whole).toMatchObject({ text: inputs, names: ["items", "rest"] });
    // A member that is named has been read on the way, and gives that away once.
    const large = body.inputs as JsonText;
    const values = [large.take(), large.take(), (whole as unknown as JsonText).take()];
    expect(values).toEqual([JSON.parse(inputs), undefined, undefined]);
  });

  test("is built where it is small, or no object", async () => {
    expect(await kept('{"inputs":{"a":1},"b":[1,2,3]}', ["inputs"])).toEqual({
      inputs: { a: 1 },
      b: [1, 2, 3],
    });
    expect(await kept('{"inputs":[1,2,3,4,5,6]}', ["inputs"])).toEqual({ inputs: [1, 2, 3, 4, 5, 6] });
    expect(await kept("[1,2,3,4,5,6]", "body")).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test("is refused exactly where JSON.parse refuses it", async () => {
    const broken = fc.record({
      at: fc.nat(60),
      put: fc.constantFrom("", ",", ":", "[", "}", '"', "\\", "1"),
    });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), broken, async (value, { at, put }) => {
        const whole = JSON.stringify({ inputs: { value, "and more": [1, 2, 3] } });
        const text = whole.slice(0, at) + put + whole.slice(at + 1);
        const read = await kept(text, ["inputs"]).then(
          ({ inputs }) => ({ inputs: inputs instanceof JsonText ? inputs.value : inputs }),
          ({ code }) => code,
        );
        const same = Object(parsed(text));
        expect(read).toEqual("value" in same ? { inputs: Object(same.value).inputs } : "invalid_json");
      }),
      { numRuns: 500 },
    );
  });
});
