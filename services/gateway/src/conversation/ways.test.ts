import { describe, expect, test } from "@jest/globals";
import { keywordPattern } from "./router.ts";
import { leaves, takesUp } from "./ways.ts";

const named = keywordPattern(["transfer money", "이체", "transfer", "wire", "송금"]);

describe("a message leaves a dialogue", () => {
  test.each([
    "something else",
    "Let's do something else",
    "Can we talk about something else first?",
    "I'd like to ask something else, please",
    "another question",
    "change the subject",
    "never mind the transfer",
    "Forget about the transfer for now",
    "leave it for later",
    "pause the transfer",
    "do it later",
    "later, please",
    "another time",
    "Not now.",
    "exit",
    "다른 거 할래",
    "다른 거 하고 싶어요",
    "이체 말고 다른 거",
    "잠깐 다른 얘기 하자",
    "우선 다른 것부터 해줘",
    "다른 질문 있어요",
    "딴 거 할게",
    "나중에",
    "나중에 할게요",
    "이체는 나중에 할래",
    "다음에 다시 할게요",
    "이체는 보류할게",
  ])("%s", (message) => {
    expect(leaves(message, named)).toBe(true);
  });

  test.each([
    "cancel",
    "cancel the transfer",
    "never mind",
    "stop",
    "no",
    "send it to someone else",
    "a different amount",
    "another 50,000 won",
    "send it later today",
    "transfer it another day, say Friday",
    "make it something else: 30,000 won",
    "취소",
    "이체 취소해줘",
    "그만",
    "다른 사람한테 보내줘",
    "다른 계좌로 해줘",
    "나중에 보내줘",
    "내일 이체해줘",
    "아니 3만원",
  ])("but not: %s", (message) => {
    expect(leaves(message, named)).toBe(false);
  });
});

describe("a message takes a dialogue up again", () => {
  test.each([
    ["continue the transfer", "this"],
    ["Please continue with the transfer now.", "this"],
    ["OK, let's go back to the transfer", "this"],
    ["resume my transfer", "this"],
    ["finish the wire transfer", "this"],
    ["Continue: Transfer money", "this"],
    ["continue the transfer, but make it 30,000 won", "this and more"],
    ["이체 계속", "this"],
    ["계속: 이체", "this"],
    ["이체 계속할게요", "this"],
    ["아까 하던 이체 이어서 해줘", "this"],
    ["이체를 마저 할래", "this"],
    ["이체 다시 하자", "this"],
    ["continue", "any"],
    ["go on please", "any"],
    ["계속", "any"],
    ["계속해 줘", "any"],
    ["아까 하던 거 계속할래", "any"],
  ])("%s (%s)", (message, how) => {
    expect(takesUp(message, named)).toBe(how);
  });

  test.each([
    "transfer 50,000 won to Minsu",
    "go back to the price before",
    "undo that",
    "이체해줘",
    "다시 말해줘",
    "what is a transfer?",
    `continue the transfer ${"x".repeat(100)}`,
  ])("but not: %s", (message) => {
    expect(takesUp(message, named)).toBeUndefined();
  });
});
