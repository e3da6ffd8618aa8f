import { FILLING, type Sentence, type Slots, usd, won } from "./sentences.ts";

const READY = { stage: "READY" };

/** One first message and what comes after it, as rows of their own. */
function after(first: string, rows: readonly (readonly [string, Slots])[], rest = READY): Sentence[] {
  return rows.map(([message, slots]) => [`${first} / ${message}`, slots, rest]);
}

const TITLES: readonly Sentence[] = [
  ...[
    "박지훈 과장님께",
    "박지훈 씨에게",
    "박지훈님한테",
    "박지훈팀장님한테",
    "박지훈 대표님께",
    "박지훈 사장님께",
    "박지훈 선생님에게",
    "박지훈 교수님께",
    "박지훈 부장에게",
    "박지훈 대리한테",
    "박지훈 이모님께",
    "박지훈 변호사님께",
    "박지훈 과장 님께",
    "박지훈 실장님",
    "박지훈 원장님에게",
    "박지훈 매니저님한테",
  ].map((to): Sentence => [`${to} 3만원`, won("박지훈", 30000)]),
  ["5만원 보내줘 / 오세훈 부장님이요", won("오세훈", 50000)],
  ["Minsu 팀장님한테 만원", won("Minsu", 10000)],
  ["김 과장님께 만원", won("김 과장님", 10000)],
  ["선생님께 3만원", won("선생님", 30000)],
  ["우리 아빠한테 3만원", won("우리 아빠", 30000)],
  ["이모한테 3만원", won("이모", 30000)],
  ...["Mr. Hall", "Mr Hall", "Mrs. Hall", "Ms. Hall", "Dr. Hall", "Dr Hall", "Prof. Hall", "Miss Hall"].map(
    (to): Sentence => [`send 20 dollars to ${to}`, usd("Hall", 20)],
  ),
  ["send 20 dollars to mr. hall", usd("hall", 20)],
  ["send Dr. Anna Bell 20 dollars", usd("Anna Bell", 20)],
  ["send 20 dollars to Prof. Dr. Bell", usd("Bell", 20)],
  ["send 20 dollars to my doctor", usd("my doctor", 20)],
];

const NO_TRANSFER_TALK: readonly Sentence[] = [
  ...after(
    "하준에게 보내줘",
    [
      "오늘 날씨 좋네요",
      "내일 시험이라 바빠",
      "어제 잠을 못 잤어",
      "오늘 너무 덥다",
      "이번 주 금요일에 약속 있어",
      "12월 25일은 크리스마스지",
      "모레 여행 가",
      "내일 비 온대",
    ].map((message) => [message, { target: "하준" }] as const),
    FILLING,
  ),
  ...after(
    "send money to Leo",
    [
      "it's raining today",
      "i have an exam tomorrow",
      "what a week, it's only monday",
      "my birthday is on friday",
      "yesterday was fun",
      "we met last monday",
      "I'm so tired today",
      "tomorrow is a holiday",
    ].map((message) => [message, { target: "Leo" }] as const),
    FILLING,
  ),
  ["하준에게 보내줘 / 내일이요", { target: "하준", date: "2026-11-19" }, FILLING],
  ["하준에게 보내줘 / 금요일에 보내줘", { target: "하준", date: "2026-11-20" }, FILLING],
  ["send money to Leo / tomorrow please", { target: "Leo", date: "2026-11-19" }, FILLING],
  ["send money to Leo / schedule it for friday", { target: "Leo", date: "2026-11-20" }, FILLING],
  ["오늘 비 오네, 하준에게 만원 보내줘", won("하준", 10000)],
  ["it's cold today, send Leo 5 dollars", usd("Leo", 5)],
  ["5만원 보내줘 / 죄송해요, 7만원이요", { amount: 70000, currency: "KRW" }, FILLING],
  ["5만원 보내줘 / 앗 미안 3만원", { amount: 30000, currency: "KRW" }, FILLING],
  ["5만원 보내줘 / 아 아니 하준한테", won("하준", 50000)],
  ["하준에게 5만원 / 죄송합니다 6만원이에요", won("하준", 60000)],
  ["하준에게 5만원 / 아 실수했어요, 4만원", won("하준", 40000)],
  ["send 5 dollars / sorry, 6 dollars", { amount: 6, currency: "USD" }, FILLING],
  ["send 5 dollars / hey, Leo", usd("Leo", 5)],
  ["send 5 dollars to Leo / oops, 7", usd("Leo", 7)],
  ["pls sned 5 dollars to Ann", usd("Ann", 5)],
  ["plz trasnfer 5 dollars to Ann", usd("Ann", 5)],
  ["tranfer 5 dollars to Ann", usd("Ann", 5)],
  ["transfre 5 dollars to Ann", usd("Ann", 5)],
  ["hey, snd Ann 5 dollars", usd("Ann", 5)],
  ["hey send Sena 5 dollars", usd("Sena", 5)],
  ["send 5 dollars to sena", usd("sena", 5)],
];

const CURRENCIES: readonly Sentence[] = [
  ...after(
    "유나에게 100달러",
    [
      "달러 말고 유로로",
      "아니 유로",
      "유로로 바꿔줘",
      "아 유로로요",
      "통화를 유로로 변경해줘",
      "죄송해요 유로예요",
      "달러 대신 유로로 해줘",
      "유로로 보내줘, 달러 말고",
      "달러 아니고 유로",
      "음 그냥 유로로 할게요",
      "유로로 해주세요",
      "달러가 아니라 유로예요",
      "no, euros",
      "I meant euros",
      "sorry, euros not dollars",
      "in euros please",
      "change it from dollars to euros",
      "euros instead of dollars",
      "make that euros",
      "actually EUR",
      "not dollars, euros",
      "change the currency to euros",
      "oops, i meant euros",
      "i want euros instead",
      "should be in euros",
      "wait, euro",
    ].map((message) => [message, { target: "유나", amount: 100, currency: "EUR" }] as const),
  ),
  ["유나에게 5천원 / 원 말고 달러로", usd("유나", 5000)],
  ["유나에게 5천원 / 엔화로 바꿔줘", { target: "유나", amount: 5000, currency: "JPY" }],
  ["send Leo 50 dollars / I meant won", won("Leo", 50)],
  ["send Leo 50 dollars / no, pounds", { target: "Leo", amount: 50, currency: "GBP" }],
  ["send Leo 50 dollars / 원화로", won("Leo", 50)],
];

const DESTINATIONS: readonly Sentence[] = [
  ...["송금해줘", "이체 부탁드립니다", "보내주세요", "입금해줘"].flatMap((verb): Sentence[] => [
    [`삼성물산으로 30만원 ${verb}`, won("삼성물산", 300_000)],
    [`30만원 대한전기로 ${verb}`, won("대한전기", 300_000)],
    [`LG전자로 30만원 ${verb}`, won("LG전자", 300_000)],
    [`한빛학원으로 30만원 ${verb}`, won("한빛학원", 300_000)],
    [`신한 110-222-333444 로 30만원 ${verb}`, won("신한 110-222-333444", 300_000)],
    [`하나은행 110-222-333444로 30만원 ${verb}`, won("하나은행 110-222-333444", 300_000)],
    [`30만원 바로 ${verb}`, { amount: 300_000, currency: "KRW" }, FILLING],
    [`30만원 그대로 ${verb}`, { amount: 300_000, currency: "KRW" }, FILLING],
  ]),
  ["푸른유통에 30만원 보내줘", won("푸른유통", 300_000)],
];

const MEMOS: readonly Sentence[] = [
  ...after(
    "유나에게 만원",
    [
      "메모에 간식 써줘",
      "메모에 간식 넣어주세요",
      "메모에 간식이라고 적어줘",
      "메모는 간식으로",
      "메모는 간식으로 해줘",
      "메모는 간식",
      "메모: 간식",
      "메모 추가: 간식",
      "메모로 간식 남겨줘",
      "메모에다가 간식 적어주세요",
      "간식이라고 메모해줘",
      "간식으로 메모 남겨줘",
      "간식 이라고 메모 남겨줘",
      '메모 "간식"',
      "메모를 간식으로 바꿔줘",
    ].map((message) => [message, won("유나", 10000, { memo: "간식" })] as const),
  ),
  ...after(
    "send Leo 5 dollars",
    [
      "put parking as the memo",
      "put parking in the memo",
      "note: parking",
      "memo: parking",
      "memo - parking",
      "the memo is parking",
      "the memo should say parking",
      "make the memo parking",
      "change the memo to parking",
      'add "parking" as a note',
      "write parking in the note",
      "use parking as memo",
      "can you add the memo parking",
      "memo parking please",
      "with a note saying parking",
    ].map((message) => [message, usd("Leo", 5, { memo: "parking" })] as const),
  ),
  ["유나에게 만원 보내고 메모에 택시비 적어줘", won("유나", 10000, { memo: "택시비" })],
];

const AMOUNTS: readonly Sentence[] = [
  ...(
    [
      ["thirteen hundred dollars", 1300],
      ["twelve hundred bucks", 1200],
      ["one hundred and twenty dollars", 120],
      ["a thousand dollars", 1000],
      ["five hundred bucks", 500],
      ["$2.5k", 2500],
      ["a hundred bucks", 100],
      ["forty five dollars", 45],
      ["three and a half thousand dollars", 3500],
    ] as const
  ).map(([words, amount]): Sentence => [`send ${words} to Leo`, usd("Leo", amount)]),
  ...(
    [
      ["70k won", 70000],
      ["25 k won", 25000],
      ["two and a half thousand won", 2500],
      ["one and a half million won", 1_500_000],
      ["1.5 mil won", 1_500_000],
      ["a grand", 1000],
      ["3 grand", 3000],
      ["six thousand won", 6000],
      ["ninety thousand won", 90000],
    ] as const
  ).map(([words, amount]): Sentence => [`send ${words} to Leo`, won("Leo", amount)]),
  ...(
    [
      ["천오백원", 1500],
      ["이천삼백 원", 2300],
      ["백만 원", 1_000_000],
      ["삼백만원", 3_000_000],
      ["만오천원", 15000],
      ["15만", 150_000],
      ["5천", 5000],
      ["2백5십만원", 2_500_000],
      ["십이만 원", 120_000],
      ["육천원", 6000],
      ["1만2천원", 12000],
      ["오십만 원", 500_000],
    ] as const
  ).map(([words, amount]): Sentence => [`유나한테 ${words} 보내줘`, won("유나", amount)]),
  ["유나랑 지호한테 15만원씩", won("유나", 150_000), { queue: [won("지호", 150_000)] }],
];

const ko3 = { queue: [won("지호", 10000), won("하린", 10000)] };
const en3 = { queue: [usd("Ida", 10), usd("Max", 10)] };
const LISTS: readonly Sentence[] = [
  ...[
    "세 명한테 만원씩: 유나, 지호, 하린",
    "유나, 지호, 하린 세 명한테 만원씩",
    "유나, 지호, 하린 세 명에게 각각 만원 보내줘",
    "유나 지호 하린한테 만원씩",
    "유나 지호 하린에게 만원씩 보내줘",
    "유나랑 지호랑 하린한테 만원씩",
    "유나, 지호, 하린한테 만원씩 이체해줘",
    "유나 지호 하린 세 사람에게 각자 만원씩",
    "만원씩 보내줘: 유나, 지호, 하린",
    "유나, 지호, 하린 3명에게 만원씩 송금",
    "유나와 지호와 하린에게 각각 만원",
    "유나한테 지호한테 하린한테 만원씩",
    "3명에게 만원씩 보내줘: 유나, 지호, 하린",
    "유나 지호 하린 셋한테 만원씩 쏴줘",
    "만원씩 유나, 지호, 하린에게 보내줘",
  ].map((message): Sentence => [message, won("유나", 10000), ko3]),
  ...[
    "send Leo, Ida and Max 10 dollars each",
    "send 10 dollars each to Leo, Ida and Max",
    "send 10 dollars each: Leo, Ida, Max",
    "send 10 dollars to Leo, Ida and Max each",
    "Leo, Ida and Max, 10 dollars each",
    "pay Leo, Ida, Max 10 bucks each",
    "give Leo and Ida and Max 10 dollars each",
    "give 10 dollars to each of Leo, Ida and Max",
    "transfer $10 each to Leo, Ida, and Max",
    "please send 10 dollars apiece to Leo, Ida and Max",
    "send $10 to Leo, $10 to Ida and $10 to Max",
    "send Leo $10, Ida $10 and Max $10",
  ].map((message): Sentence => [message, usd("Leo", 10), en3]),
  ["엄마 아빠한테 10만원씩", won("엄마", 100_000), { queue: [won("아빠", 100_000)] }],
  ["send 20 bucks to hannah", usd("hannah", 20)],
  ["send hannah 20 bucks", usd("hannah", 20)],
  ["pay leo and hannah 10 bucks each", usd("leo", 10), { queue: [usd("hannah", 10)] }],
  ["유나한테 만원, 지호한테 2만원 / 네 / 나머지는 다 취소", won("유나", 10000), { stage: "CANCELLED" }],
];

const NOBODY: Slots = { amount: 10000, currency: "KRW" };
const NAMES: readonly Sentence[] = [
  ["Anna Petrov에게 만원 보내줘", won("Anna Petrov", 10000)],
  ["만원을 Luis de Souza한테 보내줘", won("Luis de Souza", 10000)],
  ["2만원 John Smith 님께 이체", won("John Smith", 20000)],
  ["가을이한테 5천원 보내줘", won("가을", 5000)],
  ["하늘이에게 만원만 부쳐줘", won("하늘", 10000)],
  ["별한테 삼천원", won("별", 3000)],
  ...after("만원 보내줘", [["Anna Petrov에게요", won("Anna Petrov", 10000)]]),
  ...after(
    "만원 보내줘",
    [
      ["아 잠만요", NOBODY],
      ["어라 그게", NOBODY],
      ["하늘이 맑네", NOBODY],
    ],
    FILLING,
  ),
];

/** In the ways that people write: slang, small talk in between, titles, lists without commas. */
export const MORE_SENTENCES: readonly Sentence[] = [
  ...TITLES,
  ...NO_TRANSFER_TALK,
  ...CURRENCIES,
  ...DESTINATIONS,
  ...MEMOS,
  ...AMOUNTS,
  ...LISTS,
  ...NAMES,
];
