import { beforeAll, expect, test } from "@jest/globals";
import { framesOf } from "../../../../scripts/model-server/completion.ts";
import { callOf, drained, modelTests } from "./test/support.ts";

const shared = modelTests();
beforeAll(() => shared.start());

/** The stream as the server sends it; ids and times have the same length each time. */
const REQUEST = {
  stream: true,
  includesUsage: true,
  userMessage: "",
  round: 1,
  lastMessage: "hello you",
  promptBytes: 46,
};
const LAST = "data: [DONE]\n\n";

function lengthOf(model: string): number {
  return Buffer.byteLength(
    framesOf({ ...REQUEST, model }, {})
      .map(({ text }) => text)
      .join(""),
  );
}

/** A connection that breaks is one wherever it does, so that not every byte is tried. */
const STEPS = { "cut-at": 13, "end-at": 1 } as const;

/** The offsets, each with its number in the model's name, which is part of the stream. */
function offsets(kind: "cut-at" | "end-at"): { name: string; at: number; length: number }[] {
  const length = lengthOf(`${kind}-0000`);
  return Array.from({ length: Math.floor(length / STEPS[kind]) + 1 }, (_, n) => {
    const at = n * STEPS[kind];
    return { name: `${kind}-${String(at).padStart(4, "0")}`, at, length };
  });
}

test.each([
  ["a connection that breaks", "cut-at"],
  ["an end that looks like one to HTTP", "end-at"],
] as const)(
  "%s is an error wherever an OpenAI stream is cut",
  async (_, kind) => {
    const cuts = offsets(kind);
    expect(cuts.length * STEPS[kind]).toBeGreaterThan(500);
    const wrong: unknown[] = [];
    for (let from = 0; from < cuts.length; from += 16) {
      await Promise.all(
        cuts.slice(from, from + 16).map(async ({ name, at, length }) => {
          const { gateway } = shared.open({ only: { does: name } });
          const messages = [{ role: "user" as const, content: "hello you" }];
          const { answer, text, error } = await drained(gateway.stream(callOf({ messages })));
          // Whoever has the line [DONE] has all of it; without the blank line after it, nothing is missing.
          const isWhole = kind === "end-at" ? at > length - 2 : false;
          const isRight = isWhole
            ? answer?.text === "You said: hello you"
            : answer === undefined &&
              Error.isError(error) &&
              "code" in error &&
              error.code === (text === "" ? "AGT_002" : "model_interrupted");
          if (!isRight) wrong.push({ name, at, length, text, answer, error });
        }),
      );
    }
    expect(wrong).toEqual([]);
    expect(LAST).toHaveLength(14);
  },
  300_000,
);
