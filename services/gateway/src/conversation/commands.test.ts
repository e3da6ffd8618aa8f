import { describe, expect, test } from "@jest/globals";
import { commandBefore, commandOf, meansLatest } from "./commands.ts";

describe("a message that takes something back", () => {
  test.each([
    "undo",
    "Undo that.",
    "ok, undo the last change please",
    "no wait, take that back",
    "Actually, go back to how it was",
    "put it back",
    "roll that back",
    "never mind that",
    "back to the previous version",
    "cancel that last change",
    "hmm, go back one step",
    "I changed my mind about that",
    "Take that limit back please",
    "restore the earlier settings",
    "leave it as it was",
    "방금 거 취소해 줘",
    "되돌려 주세요",
    "원래대로 돌려놔",
    "One step back.",
    "and another step back",
    "Undo that once more",
    "could you revert the last edit",
    "아까 한 거 취소해 줘",
    "한 단계 더 되돌려 줘",
    "그 조건은 없던 걸로 해 줘",
    "방금 것 실행 취소",
    "withdraw the change I just made",
    "as before, please",
    "make it like it was earlier",
    "전처럼 해 줘",
    "한 단계 뒤로",
  ])("%s", (message) => expect(commandOf(message)).toBe("undo"));
});

describe("a message that starts over", () => {
  test.each([
    "start over",
    "Let's start from scratch",
    "reset everything",
    "scrap the whole thing, let's start over",
    "throw the whole lot away and begin again",
    "new conversation please",
    "처음부터 다시 시작해",
    "Wipe all the settings, we begin anew.",
    "Let's go again from zero and drop all the constraints",
    "erase everything we said so far",
    "clean slate please, start fresh",
    "조건 전부 초기화하고 새로 시작하자",
    "지금까지 설정한 거 싹 지워 줘",
    "ok wipe the slate clean",
    "forget everything, clean slate",
    "scrap all that I have told you",
    "forget everything we discussed so far",
    "여태 말한 거 다 잊어 줘",
  ])("%s", (message) => expect(commandOf(message)).toBe("start_over"));
});

test.each(["and another one", "the one before that too", "one more please", "그 전 것도", "하나 더", "또"])(
  "%s takes back more",
  (message) => expect(commandOf(message)).toBe("undo_more"),
);

test.each([
  ["undo my last change", true],
  ["cancel the change", true],
  ["방금 바꾼 한도 취소", true],
  ["cancel that limit", false],
  ["drop the change cap", false],
])("%s means what was done last: %s", (message, expected) => expect(meansLatest(message)).toBe(expected));

describe("the same words within another ask are no command", () => {
  test.each([
    "roll out the new prices",
    "what if we went back to last year's prices?",
    "reset the floor to 90",
    "why did we take back the discount on the pump?",
    "how do we start over with a new price list in Germany?",
    "취소된 주문 때문에 가격을 바꿔야 할까?",
    "undo the discount on VALVE-V7 and tell me what that does to profit",
    "cancel the order for the pump and reprice it",
    "take the pump back into the list and check it",
    "keep the last price for the valve but cut the rest",
    "what was that?",
    "start with EMEA",
    "drop all limits",
    "forget the region",
    "전체 다시 제안해 줘",
    "가격 한 번 더 제안해 줘",
    "one more item",
    "check the one before the pump",
    "everything we told the customer",
    "",
  ])("%s", (message) => expect(commandOf(message)).toBeUndefined());
});

test.each([
  ["Start over: optimise the pump", "start_over", "optimise the pump"],
  ["undo that, and explain the valve", "undo", "explain the valve"],
  ["Ditch all those restrictions and check everything", "lift_all", "check everything"],
  ["초기화하고 PUMP-C3 가격을 제안해 줘", "start_over", "PUMP-C3 가격을 제안해 줘"],
])("%s begins with a command", (message, command, rest) =>
  expect(commandBefore(message)).toEqual({ command, rest }),
);

test.each([
  "back to the prices: at most 5 %",
  "drop the pump, and check the rest",
  "check it, then undo that",
])("%s begins with none", (message) => expect(commandBefore(message)).toBeUndefined());
