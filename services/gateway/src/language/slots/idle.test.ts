import { describe, expect, test } from "@jest/globals";
import { asksNothing } from "./idle.ts";

describe("without its constraints, a message that only changes one has nothing left to say", () => {
  test.each([
    "what about ?",
    "and for ?",
    "now with",
    "ok, same but please",
    "try instead",
    "그럼 는?",
    "good. now for",
    "same exercise for",
    "같은 인상을 에",
    "로 다시 해줘",
    "Hmmm, make it",
    "er, lol ok. then",
    "음 그럼 로",
    "",
  ])("%s", (rest) => expect(asksNothing(rest)).toBe(true));
});

describe("a message with an ask of its own is no follow-up", () => {
  test.each([
    "why is so expensive",
    "oh, explain",
    "how robust is it for",
    "publish",
    "is good",
    "same thing, but check it",
    "check the rules for",
    "왜 비싸",
    "위험은",
  ])("%s", (rest) => expect(asksNothing(rest)).toBe(false));
});
