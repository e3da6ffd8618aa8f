import { asksNothing, type SlotReading } from "../language/index.ts";
import { type Clause, clausesIn, MOST_CLAUSES, piecesOf } from "./clauses.ts";
import { saysSomething } from "./hearing.ts";

const LEAD =
  "(?:(?:ok(?:ay)?|well|hm+|oh|ah|and|but|so|no|yes|then|now|also|still|actually|perhaps|maybe|sorry|honestly|by the way|on reflection|as i said)[\\s,]+)*";
const PERSON =
  "(?:i|we|he|she|they|nobody|everybody|somebody|no one|everyone|someone|what (?:i|we|he|she|they))";
const FINITE =
  "(?:is|are|was|were|isn't|aren't|does|doesn't|did|didn't|will|would|won't|can|cannot|can't|could|couldn't|may|might|must|mustn't|has|have|had|says?|said|told|thinks?|thought|finds?|found|" +
  "accepts?|accepted|allows?|allowed|tolerates?|agrees?|agreed|prefers?|insists?|hates?|loves?|wants?|matters?|counts?|comes?|came|gets?|got|goes|went)";
/** A clause that tells something: "the board accepts …", "I forgot …", "he mustn't …". */
const TELLS = new RegExp(
  `^[\\s"'(]*${LEAD}(?:let(?:'s| us) (?:be|stay|not|go)\\b|(?:it|that|this|there)['’]s\\b|${PERSON}(?:['’]|\\s)|(?!(?:what|who|which|how|why|where|when|if|unless)\\b)(?:[\\p{L}\\p{N}.,%€$]+\\s+){1,5}?${FINITE}\\b)`,
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
  for (const clause of clausesIn(message)) {
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
  return piecesOf(message).flatMap(({ between, text }) => {
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
