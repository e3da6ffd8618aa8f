/** What a sentence says that is worth remembering. The words are quoted, never rephrased: a summary may leave out, but not change. */

/** A constraint that a user said. One of the same key takes the place of an earlier one. */
export type Phrase = { key: string; text: string };

/** Characters of one text that are looked at, of one sentence, and of one quotation. Patterns are tried at every place of a sentence. */
const LONGEST_TEXT = 16_384;
const LONGEST_SENTENCE = 400;
const LONGEST_QUOTE = 160;

/** Splits a text into sentences and lines, without the marks of lists and headings. What is too long for a sentence is cut. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, LONGEST_TEXT)
    .split(/\n|(?<=[.!?。])\s+/u)
    .map((sentence) =>
      sentence
        .replace(/^[\s#>*•|-]+/u, "")
        .slice(0, LONGEST_SENTENCE)
        .trim(),
    )
    .filter((sentence) => sentence !== "");
}

/** Cuts a quotation that is too long, between words where it has some. */
export function quote(text: string, most = LONGEST_QUOTE): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  const space = cut.lastIndexOf(" ");
  return `${space > most / 2 ? cut.slice(0, space) : cut}…`;
}

const AMOUNT = /\d[\d.,]*\s*(%|percent|퍼센트|프로|[$€£₩]|usd|eur|krw|원|달러|유로)?/iu;
const SOME_AMOUNT =
  /[\d%$€£₩]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty)\b/iu;

/** Words that bound a number, by the side on which they bound it. */
const BOUNDS = [
  [
    "max",
    /\b(?:at most|no more than|not more than|max(?:imum)?|up to|within|below|under|less than|cap(?:ped)?|ceiling|limit(?:ed)?)\b|이하|이내|미만|최대|상한|넘지/iu,
  ],
  ["min", /\b(?:at least|no less than|not less than|min(?:imum)?|above|over|floor)\b|이상|초과|최소|하한/iu],
] as const;

/** What a bound may be about. A bound without one of these is about the change that was asked for. */
const SUBJECT =
  /\b(margin|price|cost|budget|spend(?:ing)?|volume|revenue|profit|discount)s?\b|(마진|가격|비용|예산|매출|이익|할인)/iu;

const ONLY = /\b(?:only|just)\s+[^.;!?]+|[^\s,.]{1,40}(?<!지)만(?=[\s,.]|$)[^.;!?]*/iu;
const EXCEPT =
  /\b(?:except|excluding|exclude|without|leave out|other than|but not|do not touch|don['’]t touch|keep)\s+[^.;!?]+/iu;
const LIFTED =
  /\b(?:drop|remove|lift|forget|ignore)\b[^.;!?]*\b(?:limit|constraint|cap|floor|ceiling|restriction)s?\b/iu;
const OBJECTIVE = /\b(?:maximi[sz]e|minimi[sz]e)\s+[^.,;!?]+/iu;
/** Korean says these at the end of a clause, so that the whole clause is quoted. */
const KOREAN_EXCEPT = /제외|빼고/u;
const KOREAN_OBJECTIVE = /최대화|최소화|극대화/u;

const STARTED_OVER =
  /\b(?:start over|start again|forget everything|no (?:more )?(?:limits|constraints|restrictions)|without (?:any )?(?:limits|constraints|restrictions))\b|처음부터|(?:제한|제약|조건)\s*(?:없이|해제)/iu;
const UNDONE = /^\W*(?:please )?(?:undo|take (?:that|it) back|go back)\b|되돌려|되돌리|취소해/iu;

export function startsOver(message: string): boolean {
  return STARTED_OVER.test(message.slice(0, LONGEST_TEXT));
}

export function undoes(message: string): boolean {
  return UNDONE.test(message.slice(0, LONGEST_TEXT));
}

/** The constraints that a message says. */
export function constraintsIn(message: string): Phrase[] {
  return sentencesOf(message).flatMap((sentence) => [...boundsIn(sentence), ...othersIn(sentence)]);
}

function boundsIn(sentence: string): Phrase[] {
  // A comma within a number parts nothing.
  return sentence.split(/[;]|,(?!\d)|\b(?:and|but)\b|그리고|하지만/iu).flatMap((clause) => {
    const side = SOME_AMOUNT.test(clause) ? BOUNDS.find(([, words]) => words.test(clause))?.[0] : undefined;
    if (side === undefined) return [];
    const unit = AMOUNT.exec(clause)?.[1] ?? "";
    const subject = SUBJECT.exec(clause)?.[0] ?? "";
    const key = `${side} ${subject} ${/%|percent|퍼센트|프로/iu.test(unit) ? "%" : ""}`;
    return [{ key: key.toLowerCase(), text: quote(clause) }];
  });
}

function othersIn(sentence: string): Phrase[] {
  const clauses = sentence.split(/[,;]/u);
  const found = [ONLY, EXCEPT, LIFTED].flatMap((words) => words.exec(sentence)?.[0] ?? []);
  found.push(...clauses.filter((clause) => KOREAN_EXCEPT.test(clause)));
  const phrases = found.map((text) => ({ key: quote(text).toLowerCase(), text: quote(text) }));
  const objective = OBJECTIVE.exec(sentence)?.[0] ?? clauses.find((clause) => KOREAN_OBJECTIVE.test(clause));
  return objective === undefined ? phrases : [...phrases, { key: "objective", text: quote(objective) }];
}

const DECIDED =
  /\b(?:approved|rejected|declined|published|expired|cancelled|canceled|signed off|withdrawn|rolled back)\b|승인(?:됨|되|했|하였)|반려|거절(?:됨|되|했)|게시(?:됨|되|했)|발행(?:됨|되|했)|취소(?:됨|되|했)|만료/iu;

/** The sentences of an answer that tell of a decision. */
export function decisionsIn(answer: string): string[] {
  return sentencesOf(answer)
    .filter((sentence) => DECIDED.test(sentence))
    .map((sentence) => quote(sentence));
}

/** The sentences with numbers, with what these are about. */
export function numbersIn(answer: string): string[] {
  return sentencesOf(answer)
    .filter((sentence) => /\d/u.test(sentence) && /\p{L}{2}/u.test(sentence) && !DECIDED.test(sentence))
    .map((sentence) => quote(sentence));
}

const WORD = /[A-Za-z\d]+(?:[-_][A-Za-z\d]+)*/gu;
const LABELLED =
  /(?<![\p{L}\d_-])([\p{L}\d_-]{2,40})\s{1,3}(?:tier|segment|region)s?\b|(?<![\p{L}\d])([\p{L}\d]{2,20}?)\s?(?:등급|지역|세그먼트)/giu;
const COMMON = new Set(
  (
    "a an all and any api are but by can csv do each eur every for gbp how i id if in is it json jpy krw my no not of ok on or other our " +
    "per same so sum the these this that those to total url usd what which with you your q1 q2 q3 q4"
  ).split(" "),
);

/** The names of things: ids and words in capitals, such as VALVE-V7 and EMEA, and what is called a tier, a segment or a region. */
export function namesIn(text: string): string[] {
  const looked = text.slice(0, LONGEST_TEXT);
  const names = (looked.match(WORD) ?? []).filter(
    (word) => /[A-Z]/u.test(word) && word === word.toUpperCase(),
  );
  for (const [, english, korean] of looked.matchAll(LABELLED)) names.push(english ?? korean ?? "");
  return [...new Set(names)].filter(
    (name) => name.length > 1 && name.length <= 64 && !COMMON.has(name.toLowerCase()),
  );
}
