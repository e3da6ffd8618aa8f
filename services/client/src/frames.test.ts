import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Frame, FrameReader, type FramesEnd } from "./frames.ts";

const MAX_EVENT_BYTES = 4_096;

/** Reads a body that consists of these chunks to its end. */
async function read(chunks: readonly Uint8Array[]): Promise<{
  frames: Frame[];
  end: FramesEnd;
  hints: number[];
}> {
  const hints: number[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const onRetryHint = (ms: number) => hints.push(ms);
  const options = { maxEventBytes: MAX_EVENT_BYTES, onRetryHint };
  const reader = new FrameReader(body, options, new AbortController().signal);
  const frames: Frame[] = [];
  try {
    for (;;) {
      const next = await reader.read(1_000);
      if ("kind" in next) return { frames, end: next, hints };
      frames.push(...next);
    }
  } finally {
    reader.close();
  }
}

function bytes(text: string) {
  return new TextEncoder().encode(text);
}

function frame(data: string, id?: string, event?: string): Frame {
  return { id, event, data };
}

/** Text of any script, with all characters and fields that have a meaning in an event stream. */
const text = fc
  .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("\r", ":", " ", "id: 9", "\u2028", "🙂")))
  .map((parts) => parts.join("").replaceAll(/[\0\uFEFF]/g, ""));
const lines = fc.array(
  text.map((line) => line.replaceAll(/[\r\n]/g, "")),
  { minLength: 1, maxLength: 3 },
);
const block = fc.record({
  id: fc.option(fc.nat(1e6).map(String), { nil: undefined }),
  event: fc.option(fc.constantFrom("reset", "run_started"), { nil: undefined }),
  lines,
  comment: fc.boolean(),
});

describe("frames", () => {
  test("are the same for any chunk boundaries and any line ending", async () => {
    const cases = fc.record({
      blocks: fc.array(block, { maxLength: 6 }),
      eol: fc.constantFrom("\n", "\r\n", "\r"),
      mark: fc.boolean(),
      cuts: fc.array(fc.nat(10_000), { maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ blocks, eol, mark, cuts }) => {
        const stream = blocks.map(({ id, event, lines, comment }) =>
          [
            ...(comment ? [": keepalive"] : []),
            ...(id === undefined ? [] : [`id: ${id}`]),
            ...(event === undefined ? [] : [`event: ${event}`]),
            ...lines.map((line) => `data: ${line}`),
            "",
            "",
          ].join(eol),
        );
        const whole = bytes((mark ? "\uFEFF" : "") + stream.join(""));
        const offsets = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
        const chunks = [0, ...offsets].map((from, index) => whole.subarray(from, offsets[index]));
        const { frames, end } = await read(chunks);
        expect(end).toEqual({ kind: "ended" });
        expect(frames).toEqual(blocks.map(({ id, event, lines }) => frame(lines.join("\n"), id, event)));
      }),
      { numRuns: 300 },
    );
  });

  test("without their final blank line are dropped", async () => {
    expect((await read([bytes("data: 1\n\ndata: 2\n")])).frames).toEqual([frame("1")]);
    expect((await read([bytes("data: 1\n\ndata: 2")])).frames).toEqual([frame("1")]);
  });

  test("may be cut off in the middle of a character without a protocol error", async () => {
    const cut = bytes("data: 1\n\ndata: 🙂").subarray(0, -2);
    expect(await read([cut])).toMatchObject({ frames: [frame("1")], end: { kind: "ended" } });
  });

  test("before a defect are returned before it", async () => {
    const result = await read([bytes("data: 1\n\n"), new Uint8Array([0xc3, 0x28])]);
    expect(result).toMatchObject({ frames: [frame("1")], end: { kind: "defect", reason: "not_utf8" } });
  });

  test.each([
    ["overlong", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["beyond Unicode", [0xf4, 0x90, 0x80, 0x80]],
    ["a lone continuation", [0x80]],
  ])("are strict UTF-8: %s is a defect", async (_, sequence) => {
    const chunk = new Uint8Array([...bytes("data: "), ...sequence, ...bytes("\n\n")]);
    expect((await read([chunk])).end).toMatchObject({ kind: "defect", reason: "not_utf8" });
  });

  test("may be exactly as large as the limit, but not larger", async () => {
    const fits = await read([bytes(`data: ${"x".repeat(MAX_EVENT_BYTES)}\n\n`)]);
    expect([fits.frames.length, fits.end.kind]).toEqual([1, "ended"]);
    const more = await read([bytes(`data: ${"x".repeat(MAX_EVENT_BYTES + 1)}\n\ndata: 2\n\n`)]);
    expect(more).toMatchObject({ frames: [], end: { kind: "defect", reason: "event_too_large" } });
  });

  test("that never end are given up at the size limit", async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(bytes(pulled++ === 0 ? "data: x" : "x".repeat(1_024)));
      },
    });
    const options = { maxEventBytes: MAX_EVENT_BYTES, onRetryHint: () => undefined };
    const reader = new FrameReader(body, options, new AbortController().signal);
    expect(await reader.read(1_000)).toEqual({ kind: "defect", reason: "event_too_large" });
    expect(pulled).toBeLessThan(10);
    reader.close();
  });

  test("may carry a retry hint; one that is not a number is ignored", async () => {
    expect((await read([bytes("retry: 250\n\nretry: soon\n\nretry: -1\n\n")])).hints).toEqual([250]);
  });
});
