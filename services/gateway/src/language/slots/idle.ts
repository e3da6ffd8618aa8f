/**
 * Words that a message may have beside a constraint when it asks for nothing of its own: "what about EMEA?", "now with at most 5 %",
 * "same for the pump, please", "그럼 EMEA는?".
 */
const IDLE = new Set(
  // Determiners, pronouns, prepositions, auxiliaries and the like ask for nothing by themselves.
  (
    "a about above across after again next all along also although am among an and another any anything are around as at be been before below both but " +
    "by can cannot cant could did do does doesnt dont each either else enough even every everything few first for from had has have he her here his " +
    "how i id if ill im in inside instead into is isnt it its ive just less lets little many may me might mine more most much must my neither no " +
    "none nor not nothing now of off often oh on once one ones only or other others our ours out over per quite rather really same she should so " +
    "some something still such than that thats the their theirs them then there these they this those though through throughout till to together " +
    "too toward towards try under until up upon us very was we well were what whatever whats when where which while whole will with within without " +
    "wont would yes yet you your yours " +
    "actually alright bit hey maybe ok okay perhaps please pls simply sorry thanks time true wait " +
    "change changes get give go kindly let limit look make makes prefer price prices put re redo repeat rerun run say see set show switch " +
    "use using want " +
    // What is done to a constraint, or has to keep to one.
    "add adding apply away back beyond drop further goal hold include including keep lift limits move moves moving remove replace stay stick swap " +
    "take taken further way either again anymore longer bring brings exclude excluding leave list selection substitute tighten loosen tight loose narrow wide " +
    "cap floor ceiling raise lower reduce increase relax small big strict throw cut hike down rise fall higher better tighter looser stricter max maximum min minimum least " +
    "그 그거 그것 그러면 그럼 그리고 근데 네 예 아니 아니요 이요 는 은 이 가 을 를 도 만 로 으로 에 의 에서 요 다시 같은 똑같이 이번 이번에는 이번엔 이제 지금 " +
    "해 해줘 해주세요 줘 주세요 보여 보여줘 어때 어때요 어떨까 어떻게 되나 되나요 돼 돼요 대해 대해서 대한 경우 경우는 하면 바꿔 바꿔줘 적용 적용해 적용해줘 좀 " +
    "이면 라면 이라면 면 보면 본다면 보자 볼까 볼까요 볼게요 따지면 좁히면 좁혀 한정하면 한정해 낮춰 높여 올려 내려 최대 최소 이하 이상 까지 까지만 바꾸면 바꿔요 조금 더 서 줄여 늘려 좋아 좋아요 좋습니다 좋네요 " +
    "추가 추가해 추가해줘 포함 포함해 포함해줘 반대로 대신"
  ).split(" "),
);

/** Sounds that only open a message: "hm", "er", "ah well", "lol", "haha", 음, 어, ㅋㅋ. */
const INTERJECTION =
  /^(?:h+m+|m{2,}|u+h+|u+m+|e+r+m*|e+h+|a+h+|o+h+|a+ch|hu+h|a+w+|wo+w|whoa|ye+a+h?|yep|yup|nah|nope|oops|ouch|phew|lo+l|(?:ha){2,}h?|(?:he){2,}h?|음+|흠+|어+|아+|앗|오+|와+|저+|ㅋ+|ㅎ+|하하|헤헤)$/u;

/** A comment before what is said: "good. now for EMEA". */
const COMMENT = /\b(?:good|great|nice|fine|perfect|excellent|cool|super|lovely|right|understood)\s*[.,;:!]/g;
/** "the same rise for EMEA", 같은 인하를 EMEA에: what is the same was asked before. */
const AS_BEFORE = /\bsame\s+\p{L}+|같은\s+\p{L}+/gu;

/**
 * Whether a message that says a constraint asks for nothing of its own, so that what was done last is done again with the constraint.
 * @param rest the message without what was read as constraints
 */
export const asksNothing = (rest: string): boolean => askingWords(rest).length === 0;

/** The words of a message that may ask for something. */
export function askingWords(rest: string): readonly string[] {
  const words =
    rest
      .toLowerCase()
      .replace(/['’]/g, "")
      .replace(COMMENT, " ")
      .replace(AS_BEFORE, " ")
      .match(/[\p{L}]+/gu) ?? [];
  return words.filter((word) => !isIdle(word));
}

const isIdle = (word: string): boolean =>
  IDLE.has(word) ||
  INTERJECTION.test(word) ||
  // 요 at the end of a word is politeness.
  (word.endsWith("요") && IDLE.has(word.slice(0, -1)));
