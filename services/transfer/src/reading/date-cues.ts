/** What a sentence about sending has: verbs, and words for the day itself. */
const CUE =
  /\b(?:send|sends|sending|sent|pay|paying|paid|transfer|wire|remit|give|schedule|scheduled|execute|submit|date|day|postpone|delay|due|deliver|process|do it|make it|move it|set it|go out)\b|보내|보낼|보냈|송금|이체|입금|부쳐|부치|쏴|넣어|예약|날짜|일자|지급|실행|처리|진행/i;
/** What may stand around a day that is all a clause says. */
const AROUND =
  /^(?:[\s.,!?~]|no|nope|nah|not|ok|okay|yes|yeah|oh|uh|um|hmm|wait|sorry|actually|then|rather|instead|but|and|just|make|change|it|that|this|the|to|for|on|by|at|is|be|should|would|could|can|you|we|let'?s|i|mean|meant|want|how|about|please|pls|thanks|maybe|now|again|아니[요다야]?|아뇨|아|어|음|그럼|그러면|그냥|네|응|말고|대신|로|으로|에|은|는|이|가|부터|까지|날|자|일|쯤|바꿔(?:줘|주세요)?|변경(?:해줘|해주세요)?|해(?:줘|요|주세요)?|할게요?|할래요?|하자|부탁해요?|부탁드려요|부탁드립니다|줘|주세요|요|이요|이에요|예요|입니다|죄송해요|미안)+$/i;
const BOUNDARY =
  /[.,!?;~…]+(?=\s|$)|(?<=[가-힣](?:는데|은데|인데|던데|거든|지만|라서|해서|니까))\s|\s(?:because|since|so|but|although|while)\s/gi;

const BLANK = "\u0000";

type Place = { readonly start: number; readonly end: number };

/**
 * Whether a day says when to send: its clause is about sending, has something else of a transfer in it, or says nothing but the day. "The
 * weather is nice today" is about today, and no date. `text` has what was recognised blanked.
 */
export function isWhenToSend(date: Place, others: readonly Place[], text: string): boolean {
  let from = 0;
  let to = text.length;
  for (const { index, 0: mark } of text.matchAll(BOUNDARY)) {
    if (index + mark.length <= date.start) from = index + mark.length;
    else if (index >= date.end) {
      to = index;
      break;
    }
  }
  const clause = text.slice(from, to);
  return others.some(({ start }) => start >= from && start < to) || CUE.test(clause) || isBare(clause);
}

function isBare(clause: string): boolean {
  return (
    clause.length <= 60 &&
    clause
      .replaceAll(BLANK, " ")
      .split(/\s+/)
      .every((word) => word === "" || AROUND.test(word))
  );
}
