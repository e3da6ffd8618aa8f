/** Characters of a message within which questions are looked for one by one. */
const LONGEST = 4_000;
const MOST = 12;

/** What somebody else said, in quotes or behind the mark of a pasted mail, asks nothing here. */
const QUOTED = /["“”][^"“”]*["“”]|^\s*>.*$/gmu;

const WH = "who|whom|whose|what|which|when|where|why|how";
const AUXILIARY =
  "has|have|had|is|are|was|were|did|does|do|can|could|will|would|should|hasn['’]?t|haven['’]?t|isn['’]?t|aren['’]?t|wasn['’]?t|weren['’]?t|didn['’]?t|doesn['’]?t";

/** Sentences, and the questions within one: "are they in line with the rules, and who published them?". */
const BETWEEN = new RegExp(
  [
    "(?<=[.!?。…？])\\s+",
    "\\n+",
    `,?\\s+(?:and|but|also|plus)\\s+(?=(?:${WH}|${AUXILIARY})\\b)`,
    "(?:,\\s*)?(?:그리고|그런데|근데)\\s+",
    "(?<=고),?\\s+(?=(?:누가|누구|언제|왜|얼마나|어떤|어느|몇|무엇|뭐))",
  ].join("|"),
  "iu",
);

/** The parts of a message that may each ask something of their own, as they were written. */
export function partsOf(message: string): readonly string[] {
  const said = message.slice(0, LONGEST).replace(QUOTED, " ");
  const parts = said.split(BETWEEN).map((part) => part.trim());
  const some = parts.filter((part) => /\p{L}/u.test(part));
  return some.length <= MOST ? some : [...some.slice(0, MOST - 1), some.slice(MOST - 1).join(" ")];
}

const ASKS = new RegExp(`^(?:(?:and|so|but|also|then|ok(?:ay)?|well)[\\s,]+)*(?:${WH}|${AUXILIARY})\\b`, "i");
/** A Korean ending with which only questions end. */
const ASKS_KOREAN = /(?:나요|까요|가요|습니까|ㅂ니까|은지|는지|을까|ㄹ까)[\s.!…]*$/u;

/** Whether a part has the form of a question. */
export const isQuestion = (part: string): boolean =>
  /[?？]\s*$/u.test(part) || ASKS.test(part) || ASKS_KOREAN.test(part);
