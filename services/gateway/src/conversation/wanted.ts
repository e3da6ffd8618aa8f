import { askingWords, asksNothing, type Intent, type SlotReading } from "../language/index.ts";
import { refersOnly } from "./about.ts";
import {
  aroundCorrection,
  askedBeside,
  clausesIn,
  MOST_CLAUSES,
  onlyTells,
  saysSomething,
} from "./follow-up.ts";
import type { Hearing } from "./hearing.ts";
import type { Interpretation, Source } from "./interpretation.ts";
import { askIntent } from "./questions.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import type { Doing, Question, WorkingSet } from "./working-set.ts";

/** A question that was asked in vain: the likeliest reading is taken where it is at least this likely. */
const GUESS = 0.4;
/** Behind a correction, a goal of the message is meant from this likelihood on: "no, only prices" is too short to be sure of. */
const LEAST_SAID = 0.3;

/** What a message asks for. */
export type Wanted = Pick<Interpretation, "category" | "confidence" | "source" | "goals"> & {
  followUp: boolean;
  unsure?: true;
  question?: Question;
};

/** What goes on in a conversation: what a message goes on from, where it asks for nothing of its own, and what the conversation works with. */
type Situation = { last: Doing | undefined; working: WorkingSet };

/** What a message asks for. A what-if leaves some goals no sense, which are left out. */
export function wantedIn(
  message: string,
  reading: SlotReading,
  situation: Situation,
  hearing: Hearing,
): Wanted {
  const wanted = heardOrRuled(message, reading, situation, hearing);
  return sensibly(withoutVainEffects(wanted, message, reading, situation, hearing), reading, hearing.talk);
}

/** Says which things are meant, and not what is to be done with them: "the second one", "that too", "back in with it". */
const CHOOSES =
  /\b(?:ones?|others?|both|two|three|first|second|third|latter|former|too|as well|also|instead|back in|again|lot)\b|(?:것|거|하나|둘|셋)(?:만|도|으?로|은|는|을|를)?(?=$|[\s,.!?])/i;

/** Orders and approvals that may be told. */
const ORDER = /\b(?:do it|go ahead|go for it|make it so|proceed|good to go|green light|approved?)\b/i;

/**
 * What has effects is done where something asks for it: "there, 6.5" and "the second one" sound like orders to go ahead, and only say
 * what is meant, and "it's Friday, finally" tells something. Behind a constraint, what was done last is done again. A bare "go ahead" is an
 * order. Nobody guesses at effects.
 */
function withoutVainEffects(
  wanted: Wanted,
  message: string,
  reading: SlotReading,
  { last }: Situation,
  hearing: Hearing,
): Wanted {
  const { talk } = hearing;
  const { goals, followUp } = wanted;
  if (followUp || goals.length === 0 || !goals.every((goal) => talk.effects.has(goal))) return wanted;
  if (goals.some((goal) => isAskedFor(goal, message, reading, hearing))) return wanted;
  if (last && !isBare(message, reading) && !isOwnPlan(message, reading))
    return again(last, "local", wanted.confidence);
  return { ...wanted, category: talk.general, goals: [], unsure: true };
}

const isBare = (message: string, reading: SlotReading): boolean =>
  !saysSomething(reading) && reading.unsupported.length === 0 && !/\p{N}/u.test(message);

/** "I'll take it to the board on Monday": what those who talk are going to do constrains nothing. */
const OWN_PLAN =
  /(?:^|[.,;!]\s*|\b(?:and|so|then|but)\s+)(?:I|we)(?:['’]ll| will|['’]m going to|['’]re going to| am going to| are going to)\s/i;

export const isOwnPlan = (message: string, reading: SlotReading): boolean =>
  OWN_PLAN.test(message) &&
  !saysSomething(reading) &&
  !reading.unsupported.some((phrase) => /\p{N}/u.test(phrase));

/** Whether a message orders to go ahead, or has words beside its constraints that ask for a goal. */
function isAskedFor(
  goal: string,
  message: string,
  reading: SlotReading,
  { talk, byRules, readSlots }: Hearing,
): boolean {
  if (byRules(reading.rest).includes(goal)) return true;
  const tells = (): boolean => !ORDER.test(message) && onlyTells(message, (clause) => readSlots(clause, {}));
  if (isBare(message, reading)) return !CHOOSES.test(message) && !tells();
  const asking = askingWords(reading.rest).join(" ");
  return asking !== "" && (talk.classify(asking).probabilities[goal] ?? 0) >= LEAST_SAID;
}

/** What was done before, with other constraints; what the classifier hears; or what a rule decides. */
function heardOrRuled(
  message: string,
  reading: SlotReading,
  { last, working }: Situation,
  hearing: Hearing,
): Wanted {
  const { talk, threshold, byRules } = hearing;
  const heard = onlySensible(message, heardIn(message, reading, hearing), reading, talk);
  const says = saysSomething(reading);
  const nothing: Wanted = { ...taken(heard, "local"), category: talk.general, goals: [], unsure: true };
  if (!says && (message === "" || refersOnly(message))) return last ? again(last, "rules", 1) : nothing;
  // What nothing can apply is named, and asks for nothing either: "make that 7" where no amount is in force.
  const isNamed = reading.unsupported.length > 0 && asksNothing(reading.unsupported.join(" "));
  if (last && (says || isNamed) && asksNothing(reading.rest)) {
    const other = says ? otherGoal(message, reading, last, heard, hearing) : undefined;
    return other ? { ...taken(heard, "rules"), category: other, goals: [other] } : again(last, "rules", 1);
  }
  if (last && says) return againOrElse(message, reading, { last, heard }, hearing);
  if (!last && says && talk.isGeneral(heard.category) && asksNothing(reading.rest)) {
    // A constraint and nothing else: "EMEA only, please".
    const question = askIntent(message, heard, hearing, 0);
    if (question && working.asked !== question.key)
      return { ...taken(heard, "local"), category: COMPOSITE, goals: [], question };
  }
  // "What would happen at 3 % more?" is no reason to ask back.
  const isWhatIf = Object.keys(reading.slots).some((name) => talk.moves.has(name)) && WHAT_IF.test(message);
  const isOne = heard.goals.length === 1 && !heard.goals.some((goal) => talk.effects.has(goal));
  if (heard.confidence >= (isWhatIf && isOne ? LEAST_SAID : threshold)) return taken(heard, "local");
  const likely = likeliest(heard).slice(0, 2);
  const ruled = byRules(message).filter((category) => likely.includes(category));
  const [only] = ruled;
  if (only !== undefined && ruled.length === 1)
    return { ...taken(heard, "rules"), category: only, goals: [only] };
  if (ruled.length === 0 && onlyTells(message, (clause) => hearing.readSlots(clause, {}))) return nothing;
  const guess: Wanted = { ...taken(heard, "local"), unsure: true };
  // Nobody is offered effects that nothing asks for.
  const offers = (category: string): boolean =>
    hearing.offers(category) &&
    (!talk.effects.has(category) || isAskedFor(category, message, reading, hearing));
  const question = askIntent(message, heard, { talk, offers });
  if (question && working.asked !== question.key) return { ...guess, question };
  if (heard.goals.some((goal) => talk.effects.has(goal))) return nothing;
  // A constraint that was said is not dropped: with one, any guess is better than none.
  return heard.confidence >= GUESS || (says && heard.goals.length > 0) ? guess : nothing;
}

/** "Which of them break a rule?", "are there any violations?" */
const ASKS_WHICH =
  /^\s*(?:(?:ok(?:ay)?|and|so|but|now|then|well|good)[\s,]+)*(?:which|what|who|do|does|are|is|how many|any)\b.*\?\s*$/is;

/** Verbs that are nouns of constraints too, as an order: "now price the valve". */
const ORDERS =
  /(?:^|[.,;:!?]\s+|\b(?:now|then|please|and|also|just|next)\s+)(price)\s+(?!(?:of|for|is|are|was|and|or|only|first|range|list)\b)(?=\p{L})/iu;

/** What such an order asks for. */
function orderedIn(message: string, talk: Talk): Intent | undefined {
  const [, order] = ORDERS.exec(message) ?? [];
  return order === undefined ? undefined : talk.classify(order);
}

/**
 * The goal that a message names in the words of a constraint, where something else was done last: "optimise them for revenue" behind a
 * check. A selection of what a check finds is said in the words of the check, and asks for none.
 */
function otherGoal(
  message: string,
  { slots, cleared }: SlotReading,
  last: Doing,
  heard: Intent,
  { talk, byRules }: Hearing,
): string | undefined {
  const selects = [...Object.keys(slots), ...cleared].some((name) => talk.findings.has(name));
  if (selects && !ASKS_WHICH.test(message)) return undefined;
  const ordered = orderedIn(message, talk);
  const [named = ordered?.category, ...others] = byRules(message);
  if (named === undefined || others.length > 0 || last.goals.includes(named)) return undefined;
  const asked = ordered ?? heard;
  return asked.category === named && asked.confidence >= GUESS ? named : undefined;
}

/**
 * What a message asks for that says a constraint and more. What is left of it without the constraints has to ask for something: "release the
 * limit" publishes nothing, and what was done last is done again.
 */
function againOrElse(
  message: string,
  { slots, rest, cleared }: SlotReading,
  { last, heard }: { last: Doing; heard: Intent },
  hearing: Hearing,
): Wanted {
  const { talk, threshold, byRules } = hearing;
  const ordered = orderedIn(message, talk);
  if (ordered && ordered.confidence >= GUESS && ordered.goals.every((goal) => !last.goals.includes(goal)))
    return taken(ordered, "rules");
  const left = talk.classify(rest);
  const [named, ...others] = byRules(rest);
  if (named === undefined && onlyTells(message, (clause) => hearing.readSlots(clause, last.slots))) {
    // "NA had bad weather": a name by itself constrains nothing.
    const isAside =
      talk.isGeneral(heard.category) &&
      heard.confidence >= threshold &&
      [...Object.keys(slots), ...cleared].every((name) => talk.narrowing.has(name));
    return isAside ? taken(heard, "local") : again(last, "rules", 1);
  }
  const isNamed = named !== undefined && others.length === 0 && !last.goals.includes(named);
  const both = againAndMore(message, last, hearing);
  // "A proposal for these, at most 3 %": there is none yet that keeps to the constraint, so that none is explained or published.
  const speaksOfNone =
    both?.goals.some((goal) => talk.afterProposal.has(goal)) && !talk.afterProposal.has(named ?? "");
  if (both && !(isNamed && speaksOfNone)) return both;
  const isSame = left.category === heard.category;
  const isBacked = isSame && left.confidence >= GUESS && heard.confidence >= threshold;
  const isClear = left.confidence >= threshold || isBacked;
  if (isNamed && (both || !isClear)) return { ...taken(left, "rules"), category: named, goals: [named] };
  // What a message takes back it takes back whatever it says besides.
  const isComment = cleared.length > 0 && talk.isGeneral(left.category);
  if (!isClear || isComment) return again(last, "local", left.confidence);
  if (heard.confidence >= threshold) return taken(heard, "local");
  return isSame && left.goals.length > 0 && left.category !== COMPOSITE
    ? taken(left, "local")
    : again(last, "local", heard.confidence);
}

/**
 * What the classifier hears in a message. A selection such as "only items that break a rule" is said in the words of a goal, and a list of
 * names may sound like a list of goals: where the rest is clear by itself, these words are not heard.
 */
function heardIn(message: string, { slots, rest }: SlotReading, hearing: Hearing): Intent {
  const { talk, threshold } = hearing;
  const isSupposed = Object.keys(slots).some((name) => talk.moves.has(name));
  // "Run the whole catalogue for profit" is about all items, and not for all goals.
  const some = message.replace(EVERYTHING, " ");
  const heard = talk.classify(isSupposed ? some.replace(ALL, "") : some);
  const instead = correctedIn(message, heard, hearing);
  if (instead) return instead;
  const isSelection = Object.keys(slots).some((name) => talk.views.has(name) && slots[name] === true);
  const isSeveral = heard.category === COMPOSITE && !isSelection;
  const isClear = ({ goals, confidence }: Intent) => goals.length > 0 && confidence >= threshold;
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
  /(?<=\b(?!(?:do|run|give|me|want|need|is|are)\b)\p{L}+\s)(?:everything|all of (?:it|them))\b/giu;

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
  const goals = new Set<string>();
  let confidence = 1;
  for (const clause of clauses) {
    const { slots, rest } = readSlots(clause, {});
    // What is denied is heard as a goal too, where the clause stands by itself.
    if (DENIED.test(clause)) return undefined;
    // "Show me the top 3 moves" selects from what is asked for.
    const named = byRules(clause);
    if (named.length === 0 && Object.keys(slots).some((name) => talk.views.has(name))) continue;
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

/** What a selection leaves of its clause: "new prices for those that it" of "new prices only for those that violate it". */
const SELECTED =
  /(?<=\S)\s+(?:(?:for|of|on)\s+)?(?:\S+\s+){0,2}(?:that|which|who|what|whatever)\b(?:(?!\s+(?:and|then)\b)[^,.;?!])*/i;

/** Corrections of one message that are looked at, the last ones: each is heard anew. */
const MOST_CORRECTIONS = 3;

/** "Check and publish? No, just check it": what a message asks for behind the place where it takes back what it has asked for. */
function correctedIn(
  message: string,
  heard: Intent,
  hearing: Hearing,
  looks = MOST_CORRECTIONS,
): Intent | undefined {
  const { talk, threshold, byRules } = hearing;
  const around = looks > 0 ? aroundCorrection(message) : undefined;
  if (!around) return undefined;
  const { before, behind } = around;
  if (onlyConstrains(behind, hearing)) {
    // "…, no, the pump, at most 4 %" corrects a constraint: the goals are those that were said before it.
    const asked = talk.classify(before);
    const instead = correctedIn(before, asked, hearing, looks - 1) ?? asked;
    return instead.goals.length > 0 && instead.confidence >= threshold ? instead : undefined;
  }
  const instead = talk.classify(behind);
  // "…, sorry, just explain": of several goals, the one that the rules hear behind.
  const [named, ...others] = byRules(behind);
  if (named !== undefined && others.length === 0 && heard.goals.length > 1 && heard.goals.includes(named))
    return { ...instead, category: named, goals: [named], confidence: Math.max(threshold, heard.confidence) };
  if (instead.confidence >= threshold) return instead.goals.length > 0 ? instead : undefined;
  // Of the goals that the message names, the one that is said behind.
  const odds = heard.goals.map((goal) => instead.probabilities[goal] ?? 0);
  const most = Math.max(...odds);
  const kept = heard.goals[odds.indexOf(most)];
  const isSaid = most >= LEAST_SAID && most >= threshold * odds.reduce((sum, one) => sum + one, 0);
  if (kept !== undefined && isSaid)
    return { ...instead, category: kept, goals: [kept], confidence: Math.max(threshold, heard.confidence) };
  // What is likely there is asked about: what is taken back is not done.
  return instead.goals.length > 0 && instead.confidence >= GUESS ? instead : undefined;
}

/** Whether a clause says constraints, and nothing that is clear besides. */
function onlyConstrains(clause: string, { talk, threshold, byRules, readSlots }: Hearing): boolean {
  const reading = readSlots(clause, {});
  if (!saysSomething(reading)) return false;
  const left = talk.classify(reading.rest);
  const isClear = left.goals.length > 0 && left.confidence >= threshold;
  return asksNothing(reading.rest) || (!isClear && byRules(reading.rest).length === 0);
}

/** "Now at most 2 %, and why?": what was done before, done again because its results change, and what the message asks for besides. */
function againAndMore(
  message: string,
  last: Doing,
  { talk, readSlots, threshold }: Hearing,
): Wanted | undefined {
  // A part of what there is, or a what-if, is what the question is about: nothing is done again for it.
  const changesResults = ({ slots, cleared }: SlotReading): boolean =>
    [...Object.keys(slots), ...cleared].some((name) => !talk.narrowing.has(name) && !talk.passing.has(name));
  const rest = askedBeside(message, (clause) => readSlots(clause, last.slots), changesResults);
  const asked = rest === undefined ? undefined : talk.classify(rest);
  if (!asked || asked.confidence < threshold || asked.goals.length === 0) return undefined;
  // Another proposal heeds the constraint itself.
  if (asked.goals.some((goal) => talk.inProposal.has(goal) && !talk.checks.has(goal)))
    return { ...taken(asked, "local"), followUp: last.goals.join() === asked.goals.join() };
  const goals = [...new Set([...last.goals, ...asked.goals])];
  const [only] = goals;
  const category = goals.length === 1 && only !== undefined ? only : COMPOSITE;
  return { category, goals, source: "local", confidence: asked.confidence, followUp: true };
}

function again({ category, goals }: Doing, source: Source, confidence: number): Wanted {
  return { category, goals, source, confidence, followUp: true };
}

function taken({ category, confidence, goals }: Intent, source: Source): Wanted {
  return { category, confidence, goals, source, followUp: false };
}

function likeliest({ probabilities }: Intent): string[] {
  return Object.entries(probabilities)
    .sort(([, one], [, other]) => other - one)
    .map(([category]) => category);
}

/** How a message asks what something would do, instead of ordering it. */
const WHAT_IF = /\b(?:what (?:if|would|will|happens?)|how (?:much )?(?:would|will)|imagine|suppose)\b/i;

/** A category that a what-if of the message leaves no sense is not meant: "what would happen at 3 % more?" asks for no better prices. */
function onlySensible(message: string, heard: Intent, { slots }: SlotReading, talk: Talk): Intent {
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

/** Leaves out goals to which a what-if of the message leaves no sense. */
function sensibly(intent: Wanted, { slots }: SlotReading, talk: Talk): Wanted {
  const goals = talk.sensible(intent.goals, slots);
  const [only] = goals;
  if (goals.length === intent.goals.length) return intent;
  return { ...intent, goals, category: goals.length === 1 && only !== undefined ? only : intent.category };
}
