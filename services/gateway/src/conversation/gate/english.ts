import { formsOf, type OrderForms } from "./order-forms.ts";
import { QUOTED, type Sentence } from "./own-words.ts";

const list = (words: string): string =>
  words
    .trim()
    .split(/\s*\|\s*|\s*\n\s*/)
    .join("|");

/** How a clause may begin before it comes to the point. */
const LEADS =
  list(`ok | okay | k | alright | all right | right | great | good | very good | fine | perfect | super | nice | cool | excellent | thanks | thanks a lot |
  thank you | thx | yes | yep | yeah | yup | sure | well | so | and | but | then | now | also | next | finally | hey | hi | hello | hm+ | oh | ah | done | agreed |
  approved | looks good | all good | sounds good | as i said | like i said`);
const LEAD = `(?:(?:${LEADS})\\s+)*`;
/** A clause that is nothing else. */
const ONLY_LEAD = new RegExp(
  `^(?:(?:${LEADS}|no|nope|go-ahead|please|next step|one more thing|do it)(?:\\s+|$))*$`,
  "u",
);
const ADVERBS = `(?:(?:please|kindly|now|just|also|then|finally|simply|immediately|directly|at once|quickly|really)\\s+)*`;
const AHEAD = `(?:(?:go-ahead(?: to)?|proceed to|make sure (?:to|you)|be sure to|do)\\s+)?`;
const REQUEST = "(?:can|could|will|would) you(?: be so kind as to)?\\s+|(?:can|could|may) i ask you to\\s+";
const WISH =
  "(?:i|we) (?:(?:really|just|now|also|still|do) )?(?:want|wish)(?: you)? to\\s+|(?:i|we)(?:'d| would)(?: really| also| now)? (?:like|love|prefer|want)(?: you)? to\\s+|(?:i|we) (?:now )?need you to\\s+|i (?:hereby )?(?:ask|order|request|instruct|tell) you to\\s+";

/** Verbs with which the clause before "and …" is an order itself. */
const VERBS =
  list(`propose | suggest | recommend | optimi[sz]e | maximi[sz]e | minimi[sz]e | compute | calculate | recalculate | check | recheck | test | verify |
  validate | explain | show | tell me | give | make | take | use | keep | set | raise | lower | cut | increase | decrease | reduce | find | run | rerun | do | redo | get |
  prepare | create | build | draft | update | review | list | compare | drop | remove | leave | exclude | include | apply | fix | repair | round | limit | cap | hold |
  freeze | price | reprice | go | go-ahead | proceed | finish | accept | select | pick | choose | change | adjust | add | put | send | save | start | repeat | analy[sz]e |
  summari[sz]e | describe | plan | work out | figure out | come up with | continue | switch | turn | move | bring | restore | undo | skip | try | look at`);
const IS_ORDER = new RegExp(
  `^(?:please )?${LEAD}(?:please )?(?:let's |don't |do not )?(?:${VERBS})(?=\\s|$)`,
  "u",
);
/** Whether a clause begins as an order of something. */
export const beginsOrder = (clause: string): boolean => IS_ORDER.test(clause);
const IS_REQUEST = new RegExp(`^${LEAD}(?:${REQUEST})`, "u");
const IS_WISH = new RegExp(`^${LEAD}(?:${WISH})`, "u");
/** "At most 5 %, and …": nobody does anything there. */
const FRAGMENT = /^(?:at|with|within|for|under|from|max|min|in|\d|only|all|these|this)(?![\p{L}])/u;
/** What such a clause asks about may govern what stands behind "and": "explain how to check and …". */
const EMBEDS = /\b(?:how|who|what|when|whether|which|why|where|that|to)\s/;

/** What governs all of its sentence. */
const CONDITION =
  /\b(?:if|unless|when|whenever|(?<!at )once|until|till|before|after(?! all)|while|whilst|provided|providing|in case|in the event|as soon as|as long as|whether|only then|assuming|suppos(?:e|ing)|imagine|pretend|hypothetically|theoretically|in theory|for example|for instance|e\.g)\b/;
const LATER =
  /\b(?:tomorrow|tonight|later|eventually|some ?day|one day|soon|in the future|at some point|(?:next|coming|following) (?:time|week|month|quarter|year)(?!'s)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?!'s)|this (?:afternoon|evening|weekend)|at (?:noon|midnight|lunch|\d+(?::\d\d)? ?(?:[ap]m|o'clock|h)\b)|by (?:noon|the end|end of)|in (?:an?|one|two|three|a few|\d+) (?:minutes?|hours?|days?|weeks?|months?))\b/;
const HEDGE =
  /\b(?:maybe|perhaps|possibly|probably|might|i (?:guess|suppose|think|doubt|wonder)|not sure|unsure|kidding|joking|just asking|supposed to|meant to)\b/;
const SAYS =
  /\b(?:sa(?:ys|id|ying)|tells|told|telling|wrote|writes|asks|asked|asking|mailed|emailed|texted|messaged|replied|answered|insist\w*|announced|claim\w*|heard|according to|quot(?:e|es|ing))\b|(?<!\b(?:the|these|those|your|all|as|my|our|this|that|you|i|we)\s)\b(?:suggested|recommended|requested|mentioned|stated|demanded|instructed|advised|suggests|recommends|requests|demands|states|instructs|advises)\b|^(?:say|(?:as )?per)\b/;
const ASKS =
  /^(?:who|whom|whose|what|when|where|why|how|which|is|are|was|were|am|does|did|has|had|may (?!i ask)|might|shall|should|must|have (?:i|we|you|they|the)|do (?:i|we|you|they|people)|can (?!you)|could (?!you|i ask))\b/;
const OR = /\bor\b(?! (?:so|more|less|better|higher|lower)\b)|\beither\b/;
/** What takes back or puts off the order before it. */
const RETRACTS =
  /^(?:(?:but|actually|oh|well|or|no|and|rather|sorry|hm+|please)[\s,]+)*(?:(?:don't|do not)(?: do (?:it|that|this))?(?: (?:yet|now|please))?$|(?:not|no)(?: (?:yet|now|really|today|quite|so fast|way))?$|not (?:yet|now|until|before|without)\b|wait|hold (?:on|it|off|that)|stop|never ?mind|cancel|forget (?:it|that|about)|scratch that|on second thoughts?|first\b|only\b.*\b(?:if|when|after|once)\b|just (?:kidding|joking|asking|testing)|(?:that was )?(?:a )?(?:joke|test)$|that(?:'s| is| was)(?! (?:all|fine|it|ok|okay|good|great|right)(?: thanks| thank you| for now)?$)|those were|(?:in|for) (?:my|your|his|her|their) dreams)/;
const TAG =
  /^(?:right|ok(?:ay)?|yes|no|correct|or not|agreed|true|really|fine|sure|good|good idea|is (?:that|it|this)|do (?:i|we|you)|does (?:that|it)|shall|should|would (?:that|it|you)|could (?:we|i)|can (?:we|i)|or (?:should|what|rather)|are you sure|may i|what do you think|what would)\b/;
const PLEASE = /^(?:please|will you|would you|could you|can you)$/;

/** Words right behind a verb with which it is a noun: "the … button". */
const NOMINAL =
  /^(?:buttons?|steps?|dates?|days?|notes?|plans?|process|flows?|status|states?|history|logs?|approvals?|permissions?|rights?|candidates?|managers?|requests?|jobs?|options?|actions?|commands?|times?|cycles?|rules?|page|menu|deadline|mode|schedule|versions?|or|nothing|none|no|neither|never|not|later|is|was)\b/;
const FINITE =
  /\b(?:is|are|was|were|be|been|has|have|had|does|did|can|could|will|would|should|must|may|might|cannot|means?|needs?|requires?|takes?|works?|worked|fails?|failed|happens?|happened|seems?|looks?|isn't|wasn't|doesn't|didn't|won't|can't|crashe[sd])\b/;
const RELATIVE = /\b(?:that|which|who|what|whatever|where|you|we|i|as|because|since|though|although)\b/;
const DEFINITE = new RegExp(
  `^${ADVERBS}(?:it|them|this|that|these|those|the|all|both|everything|my|our|each|only|just|what you|${QUOTED}|\\S*\\d)`,
  "u",
);
/** A question with these is one for what is possible. */
const ABILITY =
  /\b(?:without|yourself|ever|always|usually|even|at all|someone|somebody|anyone|anybody|else|automatically|per|any|things?|stuff|from|via|more than|every|in principle|were me|my place)\b/;

type Mode = "order" | "request" | "wish" | "lead" | "other";
type Clause = { joint: string; text: string };

const JOINT = /(?:\s*[,:()–—]+|\s+--?(?=\s)|\s+(?:and|then|but|so|plus|because|since)(?=\s|$))+\s*/g;

/** Whether one of a message's sentences is a clear order, and nothing around it takes that back. */
export function ordersInEnglish(sentences: readonly Sentence[], orders: readonly string[]): boolean {
  // "Publish the motor. Don't publish the valve.": which of both is meant has to be asked.
  if (deniesInEnglish(sentences, orders)) return false;
  const forms = formsOf(orders);
  const said = sentences.map(({ text, isQuestion }) => ({ text: plainly(text), isQuestion }));
  return said.some((sentence, at) => {
    if (!isOrder(sentence, forms)) return false;
    const [next] = said.slice(at + 1);
    if (said.slice(0, at).some(({ text }) => ANNOUNCES.test(text))) return false;
    if (next && SAYS.test(next.text) && next.text.split(" ").length <= 6) return false;
    if (next?.isQuestion && TAG.test(next.text)) return false;
    return !said
      .slice(at + 1)
      .some(({ text }) => clausesOf(text).some((clause) => RETRACTS.test(clause.text)));
  });
}

/** Whether a clause of a message says not to do it. */
export function deniesInEnglish(sentences: readonly Sentence[], orders: readonly string[]): boolean {
  const { denied } = formsOf(orders);
  return sentences.some(({ text }) => clausesOf(plainly(text)).some((clause) => denied.test(clause.text)));
}

/** What comes next is somebody's: "she wrote me this", "here is the mail:". */
const ANNOUNCES =
  /:$|\b(?:following|below)\b|^(?:this is|here is|here's|here are) .*\b(?:from|by)\b|\b(?:(?:said|says|wrote|writes|replied|texted|mailed|asked|asks|told me|told us)(?: (?:me|us))?(?: (?:this|that|the following|back))?|(?:this|the following|here is|here's|got|received) .*(?:mail|message|note|text|request|comment))$/;

const plainly = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\bgo (?:ahead|on)(?: and)?\b/g, "go-ahead")
    .replace(/\b(?:pls|plz)\b/g, "please")
    .replace(/\b(can|could|will|would) u\b/g, "$1 you")
    .replace(/\b(?:as soon as possible|asap)\b/g, "now")
    .replace(/\bas (?:i|you|we) (?:said|say|told you|asked|mentioned)\b/g, "ok");

function clausesOf(sentence: string): Clause[] {
  const clauses: Clause[] = [];
  let end = 0;
  let joint = "";
  for (const { index, 0: mark } of sentence.matchAll(JOINT)) {
    clauses.push({ joint, text: sentence.slice(end, index) });
    joint = mark;
    end = index + mark.length;
  }
  clauses.push({ joint, text: sentence.slice(end) });
  return clauses.filter(({ text }) => text !== "");
}

function isOrder({ text, isQuestion }: Sentence, forms: OrderForms): boolean {
  const bare = text.replace(new RegExp(`^${LEAD}`, "u"), "");
  if ([CONDITION, LATER, HEDGE, SAYS, OR].some((veto) => veto.test(text)) || ASKS.test(bare)) return false;
  const clauses = clausesOf(text);
  const last = clauses.at(-1);
  const isAsked = isQuestion && !(clauses.length > 1 && last && PLEASE.test(last.text));
  return clauses.some((clause, at) => {
    const mode = orderIn(clause.text, forms);
    if (mode === undefined || !isOwn(clause, clauses.slice(0, at))) return false;
    const governed = mode === "order" ? governing(clause, clauses.slice(0, at)) : mode;
    if (governed === "other" || (isAsked && governed !== "request")) return false;
    if (isQuestion && ABILITY.test(text)) return false;
    const after = clauses.slice(at + 1);
    if (governed === "wish" && after.some(({ joint }) => /\b(?:but)\b/.test(joint))) return false;
    return !after.some((one) => RETRACTS.test(one.text));
  });
}

/** What stands before a colon may say whose words come behind it. */
function isOwn(clause: Clause, before: readonly Clause[]): boolean {
  const label = [...before, clause].findLastIndex(({ joint }) => joint.includes(":"));
  return before
    .slice(0, Math.max(label, 0))
    .every(({ text }) => ONLY_LEAD.test(text) || text.startsWith("for "));
}

/** What governs an imperative: of what is joined by "and", the first is told, asked or wished, and so are the others. */
function governing({ joint, text }: Clause, before: readonly Clause[]): Mode {
  if (!/\b(?:and|then|plus)\b/.test(joint) || /^(?:then )?(?:please|kindly|now|go-ahead)\b/.test(text))
    return "order";
  for (const [at, one] of [...before.entries()].reverse()) {
    const mode = modeOf(one.text);
    const isClose = !/[,]|then/.test(joint);
    if (mode !== "other" && mode !== "lead")
      return isClose && EMBEDS.test(withoutHead(one.text)) ? "other" : mode;
    if (at === 0) return mode === "lead" || FRAGMENT.test(one.text) ? "order" : "other";
  }
  return "order";
}

const withoutHead = (text: string): string => text.replace(IS_REQUEST, "").replace(IS_WISH, "");

function modeOf(text: string): Mode {
  if (IS_REQUEST.test(text)) return "request";
  if (IS_WISH.test(text)) return "wish";
  if (IS_ORDER.test(text)) return "order";
  return ONLY_LEAD.test(text) ? "lead" : "other";
}

/** How a clause orders; undefined where it does not. */
function orderIn(clause: string, { verb, gerund, participle }: OrderForms): Mode | undefined {
  const begin = `^${LEAD}${ADVERBS}${LEAD}`;
  const find = (pattern: string): string | undefined => {
    const match = new RegExp(`${pattern}(?=[\\s]|$)(?<rest>.*)$`, "u").exec(clause);
    return match?.groups?.rest?.trim();
  };
  const asked = find(`${begin}(?:${REQUEST})${ADVERBS}${AHEAD}${ADVERBS}${verb}`);
  if (asked !== undefined) {
    const isPolite = /\b(?:please|kindly)\b/.test(clause);
    return isObject(asked) && (isPolite || DEFINITE.test(asked)) ? "request" : undefined;
  }
  const minded = find(`${begin}(?:would|do) you mind ${gerund}`);
  if (minded !== undefined) return isObject(minded) ? "request" : undefined;
  const wished = find(`${begin}(?:${WISH})${ADVERBS}${AHEAD}${ADVERBS}${verb}`);
  if (wished !== undefined) return isObject(wished) ? "wish" : undefined;
  const state = find(
    `${begin}(?:i|we)(?:'d| would)? (?:really |now )?(?:like|want|need)(?: to (?:have|get|see))? ${THINGS}(?:to be )?${participle}`,
  );
  if (state !== undefined) return isObject(state) && !PAST.test(state) ? "wish" : undefined;
  const ordered =
    find(`${begin}(?:let's |let us )?${ADVERBS}${AHEAD}${ADVERBS}${verb}`) ??
    find(`${begin}(?:go-ahead with|proceed with|start|begin|continue with)(?: the)? ${gerund}`) ??
    find(`${begin}(?:get|have) ${THINGS}${participle}`);
  return ordered !== undefined && isObject(ordered) ? "order" : undefined;
}

/** "Them", "the new prices": what is to be done something with, without a verb. */
const THINGS =
  "(?:it|them|this|that|these|those|(?:(?:the|these|this|those|all|my|our|both)(?: (?!(?:was|were|been|is|are|be|has|have|had|what|who|which|that|when|you|we|they|he|she|got)\\b)\\S+){1,4}))(?: all| both| now)? ";
const PAST = /^(?:last|by|in|on|yesterday|since|so far|earlier|already|from)\b/;

/** Whether what stands behind a verb can be its object, and does not make it a noun or the subject of another verb. */
function isObject(rest: string): boolean {
  if (rest === "") return true;
  if (NOMINAL.test(rest) || /^(?:who|whom|when|why|how|which|what (?!(?:you|we|i)\b)|what$)/.test(rest))
    return false;
  const finite = FINITE.exec(rest);
  if (finite && !RELATIVE.test(rest.slice(0, finite.index))) return false;
  return !/^\p{L}+ed(?:$| (?:again|yesterday|because|with|on|in|at|due|today|for|by)\b)/u.test(rest);
}
