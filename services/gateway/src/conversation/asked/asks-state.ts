import { asksStateInKorean } from "./asks-state-korean.ts";
import { spelled, type Vocabulary } from "./vocabulary.ts";

/** How a question begins before it comes to the point; what follows asks, whether it has a question mark or not. */
const LEAD =
  /^(?:(?:and|so|but|also|then|well|hi|hello|hey|ok(?:ay)?|please|pls|sorry|just|quick question)[\s,:.]+)+/;
const ASKING =
  /^(?:(?:can|could|would|will) (?:you|someone|somebody|anyone|i|we) (?:please |kindly |quickly |just )?(?:tell|remind|show|check|see|say|find out|look up|know|confirm)|do (?:you|we) (?:happen to )?know|does anyone know|(?:please |pls )?(?:tell|remind|show) (?:me|us)|let (?:me|us) know|(?:please |pls )?(?:check|confirm|find out)|i(?:'d| would) like to (?:know|see)|i (?:want|need) to (?:know|see)|i(?:'m| am)? (?:just )?(?:wonder(?:ing)?|asking|curious)|any idea|remind me)(?: (?:me|us|please|quickly))*[\s,:]+/;
/** Of another time than this or the past, of what might be, or of what would be good: no question of the state. */
const SUPPOSES =
  /\b(?:if|unless|suppose|supposing|imagine|assuming|should|shall|would|could|might|ought|let's|let us|how do|how to|how can|how does|how would|what happens|what does|better|wise|safe|okay to|ok to|good idea)\b/;

const PERSON =
  /^(?:who|whom|whose|which (?:\S+ )?(?:role|roles|person|people|team|one|ones|of us)|what roles?)\b/;
const TIME =
  /^(?:and )?(?:when|what time|at what time|what day|since when|until when|till when|by when|how long|how soon)(?: exactly)? (?:was|were|is|are|did|does|do|has|have|had|will|must|can)\b/;
/** Behind "tell me", a question has the order of a statement: "tell me when it was approved". */
const TIME_TOLD = /^(?:when|since when|until when|how long)\b/;
const HAVE = /^(?:why )?(?:has|have|had|hasn'?t|haven'?t|hadn'?t)\b/;
const BE = /^(?:why )?(?:is|are|was|were|isn'?t|aren'?t|wasn'?t|weren'?t)\b/;
const DO = /^(?:why )?(?:did|didn'?t)\b/;
/** "Do I need an approval?", "does Lee have to approve it?" */
const DOES = /^(?:do|does|don't|doesn't|must)\b/;
const NEEDS = /\b(?:needs?|requires?|have|has|get|missing|lacks?|left|needed|required)\b/;
const APPROVAL = /\b(?:approvals?|approve|sign-?off|sign (?:\S+ )?off|decisions?|decide|approver)\b/;
const MUST = /\b(?:has|have|had|needs?|supposed|allowed|required) to (?:be )?(?:approve|sign|decide)/;
const WHETHER = /^(?:whether|if)\b/;
const THING = /^(?:what(?:'s| is|s)?|which|how many|anything|any|is there|are there|nothing)\b/;
const STATUS =
  /\b(?:status|state|progress|news|update|outcome|result|latest|history|log|queue|stand|stands|happened)\b/;
const WAITS =
  /\b(?:wait|waits|waiting|awaits|awaiting|pending|outstanding|open|held up|stuck|in the queue)\b/;
const LISTS = /^(?:list|show|see|display|give|get)\b/;
/** "The published prices": which ones they are, and not what became of them. */
const ATTRIBUTE =
  /\b(?:the|a|an|our|my|your|their|its|this|these|those|all|only|currently) (?:\S+ed)\b(?= \p{L})/u;
const TO_DO = /\bto (?=\p{L})/u;
const NEED = /\bneeds?(?: an?| my| your| his| her| their)? (?:approv|sign|decision)/;

/**
 * Whether a part of a message asks how something with effects stands: what waits for whom, who decided it, when it took effect. By
 * structure: the form of a question, and in the place that the form has for it a word of approving, waiting or the effect. Unsure, it
 * says no: then whatever else reads the message goes on with it.
 */
export function asksState(part: string, vocabulary: Vocabulary): boolean {
  if (/\p{Script=Hangul}/u.test(part)) return asksStateInKorean(part, vocabulary);
  const text = spelled(plain(part), vocabulary);
  const said = text.replace(LEAD, "");
  const asked = said.replace(ASKING, "");
  const told = asked !== said;
  if (told && asked.replace(LEAD, "") === "") return false;
  return asks(asked.replace(LEAD, ""), { told, marked: /[?？]/u.test(part) }, vocabulary);
}

function plain(part: string): string {
  return part
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .replace(/[^\p{L}\p{N}'\s,:.-]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/[\s.,:]+$/, "")
    .trim();
}

type Form = { told: boolean; marked: boolean };

function asks(text: string, { told, marked }: Form, { any, done, becomes }: Vocabulary): boolean {
  const hasAny = any.test(text);
  const waits = WAITS.test(text);
  if (PERSON.test(text)) return hasAny && !/\b(?:if|when|would)\b/.test(text) && isNear(text, any, 8);
  if (/\bby who(?:m|se)?\b/.test(text)) return hasAny && (marked || told || BE.test(text));
  const open = told ? text.replace(WHETHER, "") : text;
  if (SUPPOSES.test(open)) return false;
  const happened = done.test(text) && !ATTRIBUTE.test(text);
  if (TIME.test(text) || (told && TIME_TOLD.test(text)))
    return happened || waitsFor(text, hasAny) || isEnd(text, any);
  if (told && WHETHER.test(text)) return happened || waits || isBecome(text, becomes);
  if (HAVE.test(text)) return hasAny && !TO_DO.test(text);
  if (DO.test(text)) return hasAny && !TO_DO.test(text);
  if (DOES.test(text)) return NEEDS.test(text) && APPROVAL.test(text);
  if (BE.test(text) && MUST.test(text)) return true;
  if (/^how (?:far|is|are)\b/.test(text)) return APPROVAL.test(text) && !/ing\b/.test(text);
  if (BE.test(text))
    return (happened || waitsFor(text, hasAny) || isBecome(text, becomes)) && !TO_DO.test(text);
  if (THING.test(text))
    return (
      NEED.test(text) ||
      waitsFor(text, hasAny) ||
      (hasAny && (STATUS.test(text) || /\b(?:missing|left|needed|required)\b/.test(text))) ||
      (happened && !TO_DO.test(text))
    );
  if (/^where\b/.test(text)) return hasAny && (STATUS.test(text) || /^where(?:'s| is| are)\b/.test(text));
  if (LISTS.test(text) || told)
    return (waits && /\b(?:for|approvals?|requests?|decisions?)\b/.test(text)) || isHistory(text, any);
  return marked && isShort(text) && (happened || waits || hasAny) && BARE.test(text);
}

/** "Approved yet?", "still pending?": nothing but the state. */
const BARE =
  /^(?:still |already |any |now |is )*(?:\S+ed|pending|waiting|live|approval|approvals|signed off|decision|approval status|publication status)(?: yet| already| now| or not| by now| then)*$/;
const isShort = (text: string): boolean => text.split(" ").length <= 4;

/** Something waits for somebody, and is no "open question". */
const waitsFor = (text: string, hasAny: boolean): boolean =>
  /\b(?:pending|awaiting|outstanding)\b/.test(text) ||
  (WAITS.test(text) && (hasAny || /\b(?:requests?|still|anything|what|proposals?)\b/.test(text)));

/** "Is it live yet?": what something is by now stands last. */
const isBecome = (text: string, becomes: RegExp): boolean =>
  becomes.test(text) && text.split(" ").length <= 10;

/** How long there is left: "when does the approval run out?". */
const isEnd = (text: string, any: RegExp): boolean =>
  any.test(text) &&
  /\b(?:run|runs|expires?|end|ends|due|decide|approved?|approve|last|valid|over|took|take)\b/.test(text);

const isHistory = (text: string, any: RegExp): boolean =>
  any.test(text) && (/\b(?:approvals|decisions|publications)\b/.test(text) || STATUS.test(text));

/** Whether the word stands near the beginning, where what is asked stands. */
function isNear(text: string, word: RegExp, words: number): boolean {
  return word.test(text.split(" ").slice(0, words).join(" "));
}
