import { describe, expect, test } from "@jest/globals";
import { consentOf } from "./consent.ts";

const YES = [
  "그래 그대로 보내",
  "ㅇㅋ 보내줘",
  "ㅇㅇㅋㅋ",
  "네 그 금액 맞아요",
  "네ㅎㅎ",
  "응 그렇게 해줘",
  "ㄱㄱㄱ",
  "고고",
  "넵 이체해 주세요~",
  "웅 쏴줘",
  "오키 진행해",
  "그럼요, 보내도 돼요",
  "어 그 사람 맞아",
  "금액도 맞아",
  "완벽해요 진행시켜 주세요",
  "가즈아",
  "예쓰",
  "네 다 맞습니다",
  "보내버려",
  "얼른 보내",
  "네보내주세요",
  "콜 ㄱㄱ",
  "👍🏽",
  "🙆‍♀️",
  "넵 👌",
  "yep, thats right",
  "bet",
  "bet do it",
  "aight go for it",
  "yessir 🚀",
  "sure thing, send it over",
  "do it",
  "go go go",
  "everything looks good",
  "the amount is correct",
  "lgtm, ship it",
  "uh huh",
  "hell yeah",
  "okie dokie",
  "lets do it",
  "yeahhh send it now",
  "that's the right person",
  "mhm",
  "✅",
];

const NO = [
  "ugh no",
  "nah, forget it",
  "nvm",
  "scratch that",
  "i'll pass",
  "hard no",
  "i changed my mind lol",
  "dont send it anymore",
  "i dont want to send it",
  "let's not",
  "nope 👎",
  "no need, thanks",
  "nah, that's all",
  "on second thought, no",
  "아냐 취소",
  "ㄴㄴㅋㅋ",
  "노노",
  "에이 됐다",
  "마음이 바뀌었어",
  "보내지 말자",
  "안 보낼 거야",
  "취소취소",
  "❌",
];

const ALL = [
  "drop the other two",
  "skip the rest of them",
  "cancel the remaining ones too",
  "ugh, nevermind, don't send anything",
  "forget about the others",
  "cancel whatever's left",
  "don't send anything else",
  "나머지 다 취소해줘",
  "나머지는 됐어요",
  "나머진 안 보낼래",
  "남은 건 필요 없어",
  "나머지들은 전부 그만",
  "남은 사람들은 보내지 마",
  "나머지는 없던 걸로 해줘",
  "아무것도 보내지 마",
  "다 됐어",
];

/** Questions, conditions, contradictions, and answers to something else. */
const UNCLEAR = [
  "맞아요?",
  "그 금액이 맞아요?",
  "맞나요",
  "맞죠?",
  "보낼까?",
  "네?",
  "야",
  "요",
  "아니 그 금액이 맞나",
  "그 금액은 안 맞아요",
  "그 금액이 아니야",
  "네 근데 나중에",
  "네 아직 보내지 말고",
  "응 아니",
  "ㅇㅇ ㄴㄴ",
  "민수가 주면 보내",
  "is that right",
  "is that right?",
  "that right?",
  "send it?",
  "bet?",
  "are you sure",
  "that is not right yet",
  "yes but not now",
  "yes, no, wait",
  "ok 👎",
  "👍?",
  "don't cancel",
  "don't send it yet",
  "do it if he pays",
  "put it off",
  "push it to friday",
  "the amount isn't right",
  "not the right person",
  "🤔",
  "🚀🚀",
  "ㅋㅋㅋ",
  "lol",
  "hmm ok",
  "wait, yes",
  "",
];

describe("what a message answers to a question", () => {
  test.each(YES)("%s: yes", (message) => expect(consentOf(message)).toBe("yes"));
  test.each(NO)("%s: no", (message) => expect(consentOf(message)).toBe("no"));
  test.each(ALL)("%s: no to all", (message) => expect(consentOf(message)).toBe("cancel_all"));
  test.each(UNCLEAR)("%s: nothing", (message) => expect(consentOf(message)).toBeUndefined());

  test.each(YES)("%s, negated, conditional or asked, is no yes", (message) => {
    expect(consentOf(`don't ${message}`)).not.toBe("yes");
    expect(consentOf(`${message} 하지 마`)).not.toBe("yes");
    expect(consentOf(`${message} unless it is late`)).toBeUndefined();
    expect(consentOf(`${message}?`)).toBeUndefined();
    expect(consentOf(`${message} 맞나요?`)).toBeUndefined();
  });
});
