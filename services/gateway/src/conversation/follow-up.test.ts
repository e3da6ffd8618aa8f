import { describe, expect, test } from "@jest/globals";
import { isFollowUp } from "./follow-up.ts";

describe("without its constraints, a message that only changes one has nothing left to say", () => {
  test.each([
    "what about ?",
    "and for ?",
    "now with",
    "ok, same but please",
    "try instead",
    "그럼 는?",
    "로 다시 해줘",
    "",
  ])("%s", (rest) => expect(isFollowUp(rest)).toBe(true));
});

describe("a message with an ask of its own is no follow-up", () => {
  test.each([
    "why is so expensive",
    "how robust is it for",
    "publish",
    "check the rules for",
    "왜 비싸",
    "위험은",
  ])("%s", (rest) => expect(isFollowUp(rest)).toBe(false));
});
