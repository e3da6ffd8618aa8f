import { askingWords, type SlotReading } from "../language/index.ts";
import { type Hearing, saysSomething } from "./hearing.ts";

/** Words that may ask for something outvote those around them from this likelihood on: none of them is unknown, so that nothing is guessed. */
const SURE = 0.98;

/** What points at an answer of before: "is that a gamble?". */
const POINTS = /\b(?:it|this|that|these|those|there)\b/i;

/** "What happens if we do nothing?" */
const SUPPOSES = /\b(?:what|how)\b.*\bif\b|\b(?:imagine|suppose)\b/i;

/** "I'll take it to the board on Monday": what those who talk are going to do constrains nothing. */
const OWN_PLAN =
  /(?:^|[.,;!]\s*|\b(?:and|so|then|but)\s+)(?:I|we)(?:['’]ll| will|['’]m going to|['’]re going to| am going to| are going to)\s/i;

/** "What do you need from me to suggest a price?", "I heard you can publish, too?": what can be done is asked about, and not asked for. */
const ABOUT_ABILITY =
  /\bdo you need (?:from (?:me|us) )?(?:in order )?to\b.*\?|\b(?:told|tells|said|says|hear|heard|read) (?:me |us )?(?:that )?you (?:can|could|are able to)\b[^,;.]*\?\s*$/i;

const GOES_ON =
  "(?:continue|carry on|go on|keep (?:going|on)|resume|(?:pick|take) (?:\\p{L}+ )?(?:back )?up|finish|do the rest|wrap (?:\\p{L}+ )?up|stop|pause|talk|speak|meet|catch up|come back|get back)";
const DAY = "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekend)";
const WHEN = [
  "later(?: on| today)?|tomorrow(?: \\p{L}+)?|tonight|another (?:time|day)|(?:on |next |this )?(?:the )?(?:week|month|morning|afternoon|evening|time)",
  `(?:(?:on|next|by|this|until|till|over|at) )?(?:the )?${DAY}(?: \\p{L}+)?`,
  "(?:at|around|by|from|until|till) (?:about )?(?:\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]m)?|half(?: past)? \\p{L}+|noon|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: o['’]clock)?",
  "in (?:an?|the|a few|\\p{L}+|\\d+) (?:moments?|minutes?|hours?|bit|while|days?|weeks?|morning|afternoon|evening)",
  "for (?:now|today|(?:an? )?(?:moment|minute|second|bit|while))",
  "(?:after|before|until|till|during|over) (?:\\p{L}+ ){0,3}\\p{L}+",
].join("|");
const BREAK = "(?:have|take|need|make) (?:an?|another) (?:\\p{L}+ )?(?:break|pause|rest)";
/** "Can we continue after lunch?", "let's carry on at three": when those who talk go on, and when they do not. */
const GO_ON_THEN = new RegExp(
  `\\b(?:we|us|lets|let['’]s|i|me)(?:['’]\\p{L}+)?(?: \\p{L}+){0,2}? (?:${BREAK}|${GOES_ON}(?: \\p{L}+){0,3}? (?:${WHEN}))(?= then\\b|[\\s.,!?]*$|[,.;])`,
  "iu",
);

/** What those who talk are going to do, or when they go on: no constraint. */
export const isOwnPlan = (message: string, reading: SlotReading): boolean =>
  !saysSomething(reading) && (goesOnThen(message) || (OWN_PLAN.test(message) && !namesFigures(reading)));

const namesFigures = ({ unsupported }: SlotReading): boolean =>
  unsupported.some((phrase) => /\p{N}/u.test(phrase));

const goesOnThen = (message: string): boolean => GO_ON_THEN.test(message);

/**
 * Whether a message speaks of nothing that there is here, in whatever words it is asked: "did you see the match?". How it is asked may sound
 * like the question for reasons; the words that ask for something do not.
 */
export function isSmallTalk(
  message: string,
  reading: SlotReading,
  { talk, threshold, byRules }: Hearing,
): boolean {
  if (saysSomething(reading)) return false;
  if (ABOUT_ABILITY.test(message)) return true;
  if (byRules(message).length > 0) return false;
  if (goesOnThen(message)) return true;
  const asking = askingWords(reading.rest).join(" ");
  if (asking === "" || namesFigures(reading) || SUPPOSES.test(message) || talk.isOfDomain(message))
    return false;
  const { category, confidence } = talk.classify(asking);
  if (!talk.isGeneral(category)) return false;
  if (talk.isGeneral(talk.classify(message).category)) return confidence >= threshold;
  return confidence >= SURE && !POINTS.test(message);
}
