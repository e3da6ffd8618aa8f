import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { learnExamples } from "./examples-model.ts";

const ROOMS = [
  "book a meeting room for six people",
  "I need a room on Thursday at ten",
  "reserve the big room for the workshop",
  "is there a free room this afternoon",
  "we need a room with a projector",
  "book the small room for tomorrow",
  "회의실 예약해줘",
  "내일 오후에 회의실 잡아줘",
  "열 명 들어가는 회의실 예약하고 싶어요",
  "오늘 빈 회의실 있어?",
];
const LEAVE = [
  "I want to take a day off",
  "request leave from Monday to Wednesday",
  "how many holidays do I have left",
  "take next Friday off please",
  "can I get some leave in August",
  "휴가 신청할게요",
  "연차가 며칠 남았어?",
  "남은 연차 알려줘",
  "다음 주에 휴가 쓰고 싶어",
];

async function learnt(examples: Record<string, readonly string[]>) {
  const model = await learnExamples(new Map(Object.entries(examples)));
  return (message: string): [string | undefined, number] => {
    const [best] = [...(model?.classify(message) ?? [])].sort(([, one], [, other]) => other - one);
    return best && best[1] >= 0.5 ? best : [undefined, best?.[1] ?? 0];
  };
}

describe("a handful of examples", () => {
  test.each([
    ["please book a room for the workshop on Friday", "rooms"],
    ["회의실 예약하고 싶어요", "rooms"],
    ["can I take Tuesday off please", "leave"],
    ["연차 남은 거 알려줘", "leave"],
    ["hello", undefined],
    ["thank you", undefined],
    ["what is the weather on Thursday", undefined],
    ["send me the report", undefined],
    ["안녕하세요", undefined],
    ["내일 비 와?", undefined],
    ["", undefined],
    ["\ud800 𒀀 %%% 0x1F", undefined],
  ])("%s → %s", async (message, expected) => {
    const classify = await learnt({ rooms: ROOMS, leave: LEAVE });
    expect([message, classify(message)[0]]).toEqual([message, expected]);
  });

  test("and their own sentences are theirs", async () => {
    const classify = await learnt({ rooms: ROOMS, leave: LEAVE });
    for (const message of ROOMS) expect([message, classify(message)[0]]).toEqual([message, "rooms"]);
    for (const message of LEAVE) expect([message, classify(message)[0]]).toEqual([message, "leave"]);
  });
});

test("the likelihoods of the classes leave a rest, which is that of none of them", async () => {
  const model = await learnExamples(new Map([...Object.entries({ rooms: ROOMS, leave: LEAVE, empty: [] })]));
  const likelihoods = model?.classify("book a room or take a day off, I do not know");
  expect([...(likelihoods?.keys() ?? [])]).toEqual(["rooms", "leave"]);
  const sum = [...(likelihoods?.values() ?? [])].reduce((one, other) => one + other, 0);
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(1);
});

test("the same examples make the same model", async () => {
  const [one, other] = [await learnt({ rooms: ROOMS }), await learnt({ rooms: ROOMS })];
  expect(one("a room for two")).toEqual(other("a room for two"));
});

test("without examples there is no model", async () => {
  expect(await learnExamples(new Map([["rooms", []]]))).toBeUndefined();
});

test("learning a thousand examples leaves the event loop to others in between", async () => {
  const many = (words: string) => Array.from({ length: 500 }, (_, at) => `${words} number ${at} on day ${at % 31}`);
  let turns = 0;
  let done = false;
  const counting = (async () => {
    for (; !done; turns++) await nextTurn();
  })();
  const classify = await learnt({ rooms: many("book a meeting room"), leave: many("take some leave") });
  done = true;
  await counting;
  expect(turns).toBeGreaterThan(100);
  expect(classify("book a meeting room on day 99")[0]).toBe("rooms");
  expect(classify("hello there")[0]).toBeUndefined();
});
