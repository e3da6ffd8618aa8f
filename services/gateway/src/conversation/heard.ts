import { asksNothing, type Intent, type SlotReading } from "../language/index.ts";
import { askedBeside, clausesIn, MOST_CLAUSES } from "./clauses.ts";
import { correctedIn } from "./corrections.ts";
import { GUESS, type Hearing, saysSomething } from "./hearing.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import { onlyTells } from "./telling.ts";

/**
 * What the classifier hears in a message. A selection such as "only items that break a rule" is said in the words of a goal, and a list of
 * names may sound like a list of goals: where the rest is clear by itself, these words are not heard.
 */
export function heardIn(message: string, { slots, rest }: SlotReading, hearing: Hearing): Intent {
  const { talk, threshold } = hearing;
  const isSupposed = Object.keys(slots).some((name) => talk.moves.has(name));
  // "Run the whole catalogue for profit" is about all items, and not for all goals.
  const some = message.replace(EVERYTHING, " ").replace(ALL_THINGS, " ");
  const whole = talk.classify(isSupposed ? some.replace(ALL, "") : some);
  // "And how safe is that?" goes on, and asks for one thing.
  const alone =
    whole.category === COMPOSITE && GOES_ON.test(some) ? talk.classify(some.replace(GOES_ON, "")) : whole;
  const heard = alone.confidence >= GUESS && alone.goals.length === 1 ? alone : whole;
  const instead = correctedIn(message, heard, hearing);
  if (instead) return instead;
  const inTurn = orderedInTurn(message, heard, hearing);
  if (inTurn) return inTurn;
  const isSelection = Object.keys(slots).some((name) => talk.views.has(name) && slots[name] === true);
  const isSeveral = heard.category === COMPOSITE && !isSelection;
  const isClear = ({ goals, confidence }: Intent) => goals.length > 0 && confidence >= threshold;
  // "As little waste as possible" does not ask what was wasted.
  const limits = Object.keys(slots).filter((name) => !talk.narrowing.has(name));
  const bare = isSeveral && limits.length > 0 ? talk.classify(talk.withoutWordsOf(some, limits)) : undefined;
  if (bare && bare.goals.length === 1 && isClear(bare) && heard.goals.includes(bare.category)) return bare;
  const isList = isSeveral && Object.keys(slots).length > 0;
  const lefts = isSelection ? [rest, rest.replace(SELECTED, "")] : isList ? [rest] : [];
  const left = lefts.map((one) => talk.classify(one)).find(isClear);
  if (left && (isSelection || heard.goals.includes(left.category))) return left;
  const inClauses = isSeveral || isSupposed ? askedInClauses(message, heard, hearing) : undefined;
  if (inClauses) return { ...heard, ...inClauses };
  // "Propose prices, and list the 3 best": a clause that only constrains is no second goal.
  const asking =
    heard.category === COMPOSITE
      ? askedBeside(message, (clause) => hearing.readSlots(clause, {}), saysSomething)
      : undefined;
  const asked = asking === undefined ? undefined : talk.classify(asking);
  return asked && asked.confidence >= threshold && heard.goals.includes(asked.category) ? asked : heard;
}

const GOES_ON = /^\s*(?:and(?: also)?|also)\s+/i;

/** "Raise all prices": what is supposed of all is no wish for everything that there is. */
const ALL = /\b(?:all|each|every)(?: of)?(?: (?:the|our|my))?\s+(?=\p{L})/giu;

/** How a clause supposes something: "imagine costs rise 5 %". */
const SUPPOSING = /\b(?:if|imagine|assum(?:e|ing)|suppos(?:e|ing)|let['’]?s say|say|pretend|given)\b/i;
/** What is supposed, taken up again: "reprice on that basis". */
const ON_THAT =
  /\s+(?:on|with|under|from|given|for) (?:that|this|those|these)(?: (?:basis|assumptions?|premise|footing|case))?(?=\s*(?:$|[.,;!?]))/gi;
const DENIED = /\b(?:not|never|no|without|cannot)\b|n['’]t\b/i;
/** All things, as what something is done to; by itself it is asked for. */
const ALL_THINGS =
  /(?<=\b(?!(?:do|run|give|me|want|need|is|are|of|about|up|on|over)\b)\p{L}+\s)(?:everything|all of (?:it|them))\b/giu;

/**
 * What each clause of a message asks for, where all of them are clear by themselves. Of what is supposed, a clause that says what to do with
 * it tells more: "imagine costs rise 5 %, and reprice on that basis".
 */
function askedInClauses(
  message: string,
  heard: Intent,
  { talk, threshold, readSlots, byRules }: Hearing,
): Pick<Intent, "category" | "goals" | "confidence"> | undefined {
  const clauses = clausesIn(message);
  if (clauses.length < 2 || clauses.length > MOST_CLAUSES) return undefined;
  const isTold = (clause: string): boolean => {
    const { category, confidence } = talk.classify(clause);
    const isAsk = !talk.isGeneral(category) && confidence >= threshold;
    return !isAsk && onlyTells(clause, (text) => readSlots(text, {}));
  };
  const goals = new Set<string>();
  let confidence = 1;
  for (const clause of clauses) {
    const { slots, rest } = readSlots(clause, {});
    // What is denied is heard as a goal too, where the clause stands by itself.
    if (DENIED.test(clause)) return undefined;
    // "Show me the top 3 moves" selects from what is asked for.
    const named = byRules(clause);
    if (named.length === 0 && Object.keys(slots).some((name) => talk.views.has(name))) continue;
    // "I have the owner on the phone" asks for nothing beside what is asked for.
    if (goals.size === 0 && named.length === 0 && isTold(clause)) continue;
    const supposes = SUPPOSING.test(clause) && Object.keys(slots).some((name) => talk.moves.has(name));
    if (supposes) continue;
    const isOne = ({ confidence, goals }: Intent) => confidence >= threshold && goals.length === 1;
    const whole = talk.classify(clause.replace(ALL_THINGS, " ").replace(ON_THAT, " "));
    const own = isOne(whole) || asksNothing(rest) ? whole : talk.classify(rest);
    const isClear = isOne(own);
    // "Give me prices for EMEA" has words that many constraints have.
    if (asksNothing(rest) && !(isClear && heard.goals.includes(own.category))) continue;
    // What is put off is heard as a goal too, where the clause stands by itself.
    const isBacked =
      heard.category !== COMPOSITE || heard.goals.includes(own.category) || named.includes(own.category);
    if (!isClear || !isBacked) return undefined;
    for (const goal of own.goals) goals.add(goal);
    confidence = Math.min(confidence, own.confidence);
  }
  const [only, ...others] = goals;
  if (only === undefined) return undefined;
  return { category: others.length === 0 ? only : COMPOSITE, goals: [...goals], confidence };
}

/** All that there is, as what is asked for is done to it. */
const EVERYTHING =
  /\b(?:(?:on|of|for|across|over|through)\s+)?(?:all (?:of )?)?(?:the|our|my|this|that)?\s*(?:whole|entire|full|complete)\s+(?:catalog(?:ue)?|range|list|assortment|portfolio|product (?:line|range|list)|line-?up|lot)\b/gi;

/** Between one order and the next: "check the valve and tell me how sure you are". */
const NEXT_ORDER =
  /,?\s+(?:and|then|plus)\s+(?=(?:(?:then|also|please|afterwards)\s+)*(?:tell|show|give|let|explain|describe|say|check|verify|test)\b)/iu;
/** What comes later, or why something is asked for, is no order. */
const NO_ORDER =
  /^\s*(?:before|after|since|because|as|now that|if|when|while|once|within|given|i|we|it|that)\b/i;

/** What each of two orders asks for, where the classifier hears no more than these. */
function orderedInTurn(
  message: string,
  heard: Intent,
  { talk, threshold, byRules }: Hearing,
): Intent | undefined {
  const [first, second, ...more] = message.split(NEXT_ORDER);
  if (first === undefined || second === undefined || more.length > 0) return undefined;
  if (NO_ORDER.test(first) || /[.,;:!?]\s/.test(first)) return undefined;
  const goals: string[] = [];
  let confidence = 1;
  for (const order of [first, second]) {
    const own = talk.classify(order);
    const [goal] = own.goals;
    if (goal === undefined || own.goals.length > 1 || own.confidence < threshold) return undefined;
    if (!byRules(order).includes(goal) || DENIED.test(order)) return undefined;
    goals.push(goal);
    confidence = Math.min(confidence, own.confidence);
  }
  return goals[0] === goals[1] ? undefined : { ...heard, category: COMPOSITE, goals, confidence };
}

/** What a selection leaves of its clause: "new prices for those that it" of "new prices only for those that violate it". */
const SELECTED =
  /(?<=\S)\s+(?:(?:for|of|on)\s+)?(?:\S+\s+){0,2}(?:that|which|who|what|whatever)\b(?:(?!\s+(?:and|then)\b)[^,.;?!])*/i;

/** How a message asks what something would do, instead of ordering it. */
export const WHAT_IF =
  /\b(?:what (?:if|would|will|happens?)|how (?:much )?(?:would|will)|imagine|suppose)\b/i;

/** A category that a what-if of the message leaves no sense is not meant: "what would happen at 3 % more?" asks for no better prices. */
export function onlySensible(message: string, heard: Intent, { slots }: SlotReading, talk: Talk): Intent {
  const isSupposed = Object.keys(slots).some((name) => talk.moves.has(name));
  if (!isSupposed || heard.category === COMPOSITE) return heard;
  const all = [...talk.flow.goals.keys()];
  const sensible = talk.sensible(all, slots);
  const isOdd = (category: string) => all.includes(category) && !sensible.includes(category);
  if (!all.some(isOdd) || (heard.goals.some(isOdd) && !WHAT_IF.test(message))) return heard;
  const odds = Object.entries(heard.probabilities).filter(([category]) => !isOdd(category));
  const sum = odds.reduce((total, [, one]) => total + one, 0);
  const probabilities = Object.fromEntries(odds.map(([one, probability]) => [one, probability / sum]));
  if (sum === 0) return heard;
  if (!isOdd(heard.category))
    return {
      ...heard,
      confidence: Math.max(heard.confidence, probabilities[heard.category] ?? 0),
      probabilities,
    };
  const [best] = odds
    .filter(([category]) => category !== COMPOSITE)
    .sort(([, one], [, other]) => other - one);
  if (!best) return heard;
  const [category] = best;
  return {
    category,
    goals: talk.goalsOf(category),
    confidence: probabilities[category] ?? 0,
    probabilities,
  };
}
