import { asksNothing, type SlotReading } from "../language/index.ts";

/** Between the clauses of a message. A comma within a number has no space behind it. */
const BETWEEN_CLAUSES =
  /(?:(?:(?<=[.!?;。])|[,;:]|\s[-\u2013\u2014]+)\s+)(?:(?:and|but|then|also|plus|그리고)\s+)*|(?:\s+(?:and|but|then|also|plus|그리고))+\s+/u;

const EACH_BETWEEN = new RegExp(BETWEEN_CLAUSES, "gu");

export const clausesIn = (message: string): readonly string[] => message.split(BETWEEN_CLAUSES);

/**
 * The clauses that ask for something of their own, beside others that only change a constraint: "why?" of "now at most 2 %, and why?".
 * @returns undefined where the message has not both
 */
export function askedBeside(
  message: string,
  read: (clause: string) => SlotReading,
  changes: (reading: SlotReading) => boolean,
): string | undefined {
  const asked: string[] = [];
  let changed = false;
  for (const clause of message.split(BETWEEN_CLAUSES)) {
    const reading = read(clause);
    if (!asksNothing(reading.rest)) asked.push(clause);
    else if (changes(reading)) changed = true;
  }
  return changed && asked.length > 0 ? asked.join(", ") : undefined;
}

const LEAD =
  "(?:(?:ok(?:ay)?|well|hm+|oh|ah|and|but|so|no|yes|then|now|also|still|actually|perhaps|maybe|sorry|honestly|by the way|on reflection|as i said)[\\s,]+)*";
const PERSON =
  "(?:i|we|he|she|they|nobody|everybody|somebody|no one|everyone|someone|what (?:i|we|he|she|they))";
const FINITE =
  "(?:is|are|was|were|isn't|aren't|does|doesn't|did|didn't|will|would|won't|can|cannot|can't|could|couldn't|may|might|must|mustn't|has|have|had|says?|said|told|thinks?|thought|finds?|found|" +
  "accepts?|accepted|allows?|allowed|tolerates?|agrees?|agreed|prefers?|insists?|hates?|loves?|wants?|matters?|counts?|comes?|came|gets?|got|goes|went)";
/** A clause that tells something: "the board accepts …", "I forgot …", "he mustn't …". */
const TELLS = new RegExp(
  `^[\\s"'(]*${LEAD}(?:let(?:'s| us) (?:be|stay|not|go)\\b|(?:it|that|this|there)['’]s\\b|${PERSON}(?:['’]|\\s)|(?!(?:what|who|which|how|why|where|when)\\b)(?:\\p{L}+\\s+){1,5}?${FINITE}\\b)`,
  "iu",
);
/** Words with which one asks for something by telling that one wants it, or what one does not know. */
const WISHES =
  /\?|(?<!\b(?:not|never|nobody)\s|n['’]t\s|\b(?:I|we|they|he|she)(?:['’]ll| will)\s)\b(?:wants?|needs?|like|love to|wonder\w*|curious|know|sure|tell|show|explain|interested|ask\w*|should|hope|how|why|which|whether|(?:could|can|would|will|may|might) (?:you|we|i))\b/i;

/** "Finally", "honestly". */
const ADVERB = /\b\p{L}+ly\b/giu;

/**
 * Whether a message only tells something, besides what it says of the slots: "the board would accept 6 %". Who tells something asks for
 * nothing.
 */
export function onlyTells(message: string, read: (clause: string) => SlotReading): boolean {
  if (WISHES.test(message)) return false;
  let tells = false;
  for (const clause of message.split(BETWEEN_CLAUSES)) {
    if (TELLS.test(clause)) tells = true;
    else if (!asksNothing(read(clause).rest.replace(ADVERB, " "))) return false;
  }
  return tells;
}

/** Between what is said and why: "leave it out because …". Behind "as" and "since" it has to tell something. */
const REASON = "(?:because|'?cause|cos|now that|given that|seeing (?:that|as)|otherwise|or else)";
const BEFORE_REASON = new RegExp(`\\s+(?=(?:${REASON}|since|as)\\s)`, "i");
const BECAUSE = new RegExp(`^\\s*(?:${REASON}|since(?=(?:\\s+\\S+){3}))[\\s,]+`, "i");
const AS = /^\s*(?:as|since)\s+/i;
/** What is asked of nobody, or for what is said already: "Petra is asking", "Tom needs it for his report". */
const NO_WISH =
  /\bask(?:s|ed|ing)?(?=[\s.!]*$)|\b(?:needs?|wants?|wanted|asked for|asking for|likes?) (?:it|them|that|this|those)\b(?! (?:to|\p{L}+ed)\b)/giu;
/** "The workshop changed its mind", "it kills the margin": a subject, and what looks like a verb. */
const SUBJECT_AND_VERB = new RegExp(
  `^[\\s"'(]*${LEAD}(?:(?:the|our|its|their|his|her|my|some|most|many|all)\\s+(?:\\p{L}+\\s+){0,2}?)?\\p{L}+\\s+(?:\\p{L}+ly\\s+)?\\p{L}+(?:s|ed)\\s+\\p{L}`,
  "iu",
);
/** What has to be, beside what only is. */
const HAS_TO = /\b(?:must|have to|has to|needs? to|should|shall|may not|cannot|can't)\b|\p{N}/iu;

const wishes = (clause: string): boolean => WISHES.test(clause.replace(NO_WISH, " "));

/** "It kills the margin", "too hard on the dealers": no order begins like that. */
const IT_DOES = new RegExp(
  `^[\\s"'(]*${LEAD}(?:(?:it|that|this)\\s+(?:\\p{L}+ly\\s+)?\\p{L}+(?:s|ed)|(?:(?:way|far|much|a bit)\\s+)?too\\s+\\p{L}+)\\b`,
  "iu",
);

const telling = (clause: string): boolean =>
  !wishes(clause) && (BECAUSE.test(clause) || IT_DOES.test(clause) || TELLS.test(clause.replace(AS, "")));

/** Where a message goes back to a value of before, or takes back one of a selection, in words that only tell it. */
const PLAINER: readonly (readonly [RegExp, string])[] = [
  [
    /(?<=^|[.,;:!?]\s+)(?:(?:ok(?:ay)?|so|but|well|hm+|oh|and|actually)[\s,]+)*((?:\S+ ){1,4}?)(?:was|were|is) (?:just |quite |the )?(?:right|better|best|correct|fine|good)(?: (?:one|aim|choice|idea))? (?:after all|all along)\b/gi,
    "back to $1",
  ],
  [
    /\b(?:forget about|never ?mind(?: about)?) (?!(?:it|that|this|them|those|these|what|how|why|if|the rest)\b)(?=\p{L})/giu,
    "drop ",
  ],
  [
    /(?<=^|[.,;:!?]\s+)((?:\S+ ){1,4}?)(?:can|may|could|should) (?:(?:come|go|be) )?(?:back in|in again|included again)\b/gi,
    "include $1again",
  ],
  [/(?<=^|[.,;:!?]\s+)((?:\p{L}+ ){1,4}?)(?:is|are) out again\b/giu, "leave out $1"],
  [
    /\b(?:forget|drop|lose|remove|scrap|take out|cancel) (?:about )?the (\d[\d.,]* ?(?:%|percent))(?=\s*(?:$|[.,;!]|again\b|now\b))/gi,
    "drop the $1 limit",
  ],
  [/(?<=n['’]t (?:need|want) (?:\p{L}+ ){1,4}?)after all\b/giu, "any more"],
];

/** A message in the words in which its constraints are read: "4 % was right after all" goes back to 4 %. */
export const saidPlainly = (message: string): string =>
  PLAINER.reduce((text, [pattern, plain]) => text.replace(pattern, plain), message);

/** Clauses that are heard one by one, so that a long text takes no longer than it has to. */
export const MOST_CLAUSES = 12;

/** A clause, and what stands between it and the one before. */
type Clause = { between: string; text: string };

/** How a clause is heard for what it does in a message. */
type ClauseHearing = {
  read: (clause: string) => SlotReading;
  /** Whether a clause asks for nothing that there is: "great news". */
  isTalk: (clause: string) => boolean;
  /** Whether a clause asks for something. */
  isAsk: (clause: string) => boolean;
  /** Slots that look at a part of what there is. */
  narrowing: ReadonlySet<string>;
};

/**
 * A message without the clauses that only tell why it constrains what it does: "drop the cap, the valve would never make it" says nothing of
 * the valve. Where a message asks for something besides, it stays whole.
 */
export function withoutReasons(message: string, hearing: ClauseHearing): string {
  const said = clausesOf(message);
  if (said.length > MOST_CLAUSES) return message;
  const clauses = said.map(({ between, text }) => ({
    between,
    text: reported(text, hearing) ?? text,
  }));
  return withoutTelling(clauses, hearing) ?? clauses.map(({ between, text }) => between + text).join("");
}

/** Who wants a constraint: "finance wants at least 20 %", "the board insists on EMEA". */
const REPORTS =
  /^(\s*(?:(?:and|but|so|ok(?:ay)?|well|now|hm+)[\s,]+)*(?:\p{L}+\s+){1,4}?)(?:wants?|wanted|needs?|prefers?|insists? on|insisted on|says?|said|suggests?|suggested|asks? for|asked for|is asking for|would (?:like|prefer|accept)|can live with)\s+(?=\S)/iu;

/** The constraint that somebody is said to want. */
function reported(clause: string, { read }: ClauseHearing): string | undefined {
  const [said, subject = ""] = REPORTS.exec(clause) ?? [];
  if (said === undefined || clause.includes("?") || saysSomething(read(subject))) return undefined;
  const constraint = clause.slice(said.length);
  const reading = read(constraint);
  return saysSomething(reading) && asksNothing(reading.rest) ? constraint : undefined;
}

/** @returns undefined where something is asked for, or nothing constrains */
function withoutTelling(
  clauses: readonly Clause[],
  { read, isTalk, isAsk, narrowing }: ClauseHearing,
): string | undefined {
  if (clauses.length < 2) return undefined;
  const kept: Clause[] = [];
  let constrained = false;
  for (const clause of clauses) {
    const reading = read(clause.text);
    const says = saysSomething(reading);
    const isReason =
      telling(clause.text) ||
      (SUBJECT_AND_VERB.test(clause.text) && !wishes(clause.text) && !isAsk(clause.text));
    if (asksNothing(reading.rest) && (says || !isReason)) {
      constrained ||= says;
      kept.push(clause);
      continue;
    }
    const names = [
      ...Object.keys(reading.slots),
      ...reading.cleared,
      ...reading.asks.map(({ slot }) => slot),
    ];
    if (!isReason && (says || !isTalk(clause.text))) return undefined;
    // What is named before the constraint may be what it is about.
    const isHeard = names.some((name) => !constrained || !narrowing.has(name));
    if (isHeard || (reading.unsupported.length > 0 && HAS_TO.test(clause.text))) kept.push(clause);
  }
  if (!constrained) return undefined;
  return kept.map(({ between, text }, at) => (at === 0 ? text : between + text)).join("");
}

function clausesOf(message: string): Clause[] {
  const clauses: Clause[] = [];
  let end = 0;
  let between = "";
  for (const { index, 0: mark } of message.matchAll(EACH_BETWEEN)) {
    clauses.push({ between, text: message.slice(end, index) });
    between = mark;
    end = index + mark.length;
  }
  clauses.push({ between, text: message.slice(end) });
  return clauses.flatMap(({ between, text }) => {
    const [first = "", ...others] = text.split(BEFORE_REASON);
    const reason = others.join(" ");
    return reason !== "" && telling(reason)
      ? [
          { between, text: first },
          { between: " ", text: reason },
        ]
      : [{ between, text }];
  });
}

/** The last clause of a message, and what stands before it; undefined where there is only one. */
export function lastClause(message: string): { before: string; last: string } | undefined {
  const between = [...message.matchAll(EACH_BETWEEN)].at(-1);
  if (!between) return undefined;
  return { before: message.slice(0, between.index), last: message.slice(between.index + between[0].length) };
}

/** Whether a message says anything of the slots. */
export function saysSomething({ slots, cleared, asks }: SlotReading): boolean {
  return Object.keys(slots).length > 0 || cleared.length > 0 || asks.length > 0;
}

const BEFORE_TOPIC = "(?:ok(?:ay)?|and|now|so|well|then|thanks|thank you|alright|hm+|oh|good|great)";
const TOPIC = "(?:question|topic|subject|matter|issue|request|thing|point|note|story)";
const OTHER_TOPIC = [
  `(?:(?:i have|there(?:'s| is)|here(?:'s| is)|let me ask|on to) )?(?:another|an? (?:other|different|new|separate|unrelated)|different|new|next) ${TOPIC}`,
  `on (?:another|a different) ${TOPIC}`,
  "something (?:else|different)(?: entirely| altogether| now)?",
  "chang(?:e of|ing the) (?:subject|topic)",
  "separately|unrelated(?:ly)?|by the way|btw|that aside|(?:apart|aside) from that",
].join("|");
/** How a message announces that it is about something else: "another question: …", 새로운 질문인데, …. */
const ANNOUNCED: readonly RegExp[] = [
  new RegExp(`^(?:${BEFORE_TOPIC}[\\s,.!]+)*(?:${OTHER_TOPIC})\\s*[:,.;!\\u2013\\u2014-]+\\s*(?=\\S)`, "i"),
  /^(?:(?:아|네|예|음|그럼|그리고|이제|고마워요?|고맙습니다|감사합니다)[\s,.!]+)*(?:(?:또 ?)?(?:다른|딴|새로운|별개의?|새) ?(?:질문|얘기|이야기|주제|문의|요청)\S*(?: (?:하나|있|드|할게)\S*)*|별개로|별도로|그건 그렇고|그와 별개로|(?:주제|화제)를? (?:바꿔서|바꾸면))[\s,.:!]+(?=\S)/,
];

/** What a message says behind the announcement that it is about something else; undefined where it announces nothing. */
export function behindAnnouncement(message: string): string | undefined {
  for (const announced of ANNOUNCED) {
    const [said] = announced.exec(message) ?? [];
    if (said !== undefined) return message.slice(said.length);
  }
  return undefined;
}

/** "Good, no, …": a bare "no" takes something back where a mark stands behind it, or what is meant instead; "no jargon" denies something. */
const NO =
  "no(?:pe)?(?:[,.!;:\\u2013\\u2014]+|(?=\\s+(?:wait|sorry|actually|only|just|rather|simply|let'?s)\\b))";
const CORRECTING =
  "(?:wait|actually|sorry|scratch that|strike that|on second thoughts?|i mean|i meant|or rather|better yet)\\b";
/** Where a message takes back what it has just asked for: "check and publish? no, just check it". "Wait, and …" adds something. */
const TAKEN_BACK = new RegExp(
  "(?:[.?!,;:]|\\s[-\\u2013\\u2014]+)\\s*(?:(?:hm+|oh|ah|um|well|but|or|아|음)[\\s,]+)*" +
    `(?:(?:${NO}|${CORRECTING}|아니[요다야지]?(?=[,.!\\s])|정정|잠깐만?)[\\s,.!:\\u2013\\u2014-]*)+` +
    "(?![\\s,.!:\\u2013\\u2014-]*(?:(?:and|also|add|plus)\\b|그리고))",
  "giu",
);

/** What a message says before and behind the last place where it takes back what it has just said; undefined where it does not. */
export function aroundCorrection(message: string): { before: string; behind: string } | undefined {
  const last = [...message.matchAll(TAKEN_BACK)].at(-1);
  return last && { before: message.slice(0, last.index), behind: message.slice(last.index + last[0].length) };
}

/** How a message says which of the earlier asks it goes on with: "back to the prices: …", 점검으로 돌아가서 …. */
const RETURNING: readonly RegExp[] = [
  new RegExp(
    `^(?:${BEFORE_TOPIC}[\\s,.!]+)*(?:(?:let'?s|we|i|can we|could we|now|please|go|going|get|getting|come|coming|want to|return|returning)\\s+)*` +
      "(?:back|return|returning) to (?:the |our |my |those |these )?(?<topic>\\p{L}+(?: \\p{L}+)?)\\s*(?:[:,.;!\\u2013\\u2014-]+\\s*(?<rest>\\S.*)?)?$",
    "isu",
  ),
  /^(?:(?:네|그럼|자|이제|다시)[\s,]+)*(?<topic>\p{L}+(?: \p{L}+)?)(?:으로|로) (?:다시 )?돌아가(?:서|면|자|자면|죠|요|볼까요?)?[\s,.:]*(?<rest>\S.*)?$/su,
];
/** Where one goes back to what was before, whatever it was, instead of to a topic: "back to the old prices". */
const FORMER =
  /\b(?:old|previous|former|earlier|prior|original|first|last|before|normal|start|beginning|scratch|then|where|how|what|when)\b|이전|원래|처음|아까|예전|직전|전$/iu;

/** The topic that a message goes back to, and what it says besides; undefined where it names none. */
export function returnedTo(message: string): { topic: string; rest: string } | undefined {
  for (const returning of RETURNING) {
    const { topic, rest = "" } = returning.exec(message.trim())?.groups ?? {};
    if (topic !== undefined && !FORMER.test(topic)) return { topic, rest };
  }
  return undefined;
}
