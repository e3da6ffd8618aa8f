import { asksNothing, type Intent, type SlotReading } from "../language/index.ts";
import { refersOnly } from "./about.ts";
import { clausesIn } from "./clauses.ts";
import { isAskedFor, withoutVainEffects } from "./effects.ts";
import { againOrElse, otherGoal } from "./going-on.ts";
import { heardIn, onlySensible, WHAT_IF } from "./heard.ts";
import { GUESS, type Hearing, LEAST_SAID, saysSomething } from "./hearing.ts";
import { again, taken, type Wanted } from "./interpretation.ts";
import { askIntent } from "./questions.ts";
import { isSmallTalk } from "./small-talk.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import { onlyTells } from "./telling.ts";
import type { Doing, WorkingSet } from "./working-set.ts";

/** What goes on in a conversation: what a message goes on from, where it asks for nothing of its own, and what the conversation works with. */
type Situation = { last: Doing | undefined; working: WorkingSet };

/** What a message asks for. A what-if leaves some goals no sense, which are left out. */
export function wantedIn(
  message: string,
  reading: SlotReading,
  situation: Situation,
  hearing: Hearing,
): Wanted {
  const heard = heardOrRuled(message, reading, situation, hearing);
  const wanted = withConstraint(heard, message, reading, situation, hearing);
  return sensibly(
    withoutVainEffects(wanted, message, reading, situation.last, hearing),
    reading,
    hearing.talk,
  );
}

/** A question about what it names alone: nothing says that it goes on with what was done. */
const ASKS =
  /\?\s*$|^\s*(?:(?:and|so|ok(?:ay)?|but)[\s,]+)*(?:who|what|which|when|where|why|how|does|did|is|are|can|could|will)\b/i;

/** A question about the same with something else supposed. */
const SUPPOSES = /^\W*(?:(?:and|so|ok(?:ay)?|but)[\s,]+)*(?:what if|what about|how about)\b/i;

/**
 * A message that says a constraint is for this flow: with what was done last, or else with what the user is asked for. What it only names in a
 * question may be asked of somebody else.
 */
function withConstraint(
  wanted: Wanted,
  message: string,
  reading: SlotReading,
  { last, working }: Situation,
  hearing: Hearing,
): Wanted {
  const { talk, readSlots, offers } = hearing;
  if (!talk.isGeneral(wanted.category) || wanted.question || !saysSomething(reading)) return wanted;
  if (isSmallTalk(message, reading, hearing)) return wanted;
  const { slots, cleared, asks } = reading;
  const said = [...Object.keys(slots), ...cleared, ...asks.map(({ slot }) => slot)];
  const onlyNames = said.every((name) => talk.narrowing.has(name));
  if (onlyNames && onlyTells(message, (clause) => readSlots(clause, {}))) return wanted;
  if (last && !(onlyNames && ASKS.test(message) && !SUPPOSES.test(message))) return again(last, "rules", 1);
  const heard = talk.classify(message);
  // "What does exchange mean?"
  const isTalk = onlyNames && talk.isGeneral(heard.category) && heard.confidence >= hearing.threshold;
  if (isTalk && Object.entries(slots).every(([name, value]) => talk.isOrdinary(name, value))) return wanted;
  const isOffered = (category: string): boolean =>
    offers(category) && (!talk.effects.has(category) || isAskedFor(category, message, hearing));
  const question = askIntent(message, { ...heard, confidence: 0 }, { talk, offers: isOffered }, 0);
  if (!question || working.asked === question.key) return wanted;
  return { ...wanted, category: COMPOSITE, goals: [], question, unsure: true };
}

/** What was done before, with other constraints; what the classifier hears; or what a rule decides. */
function heardOrRuled(
  message: string,
  reading: SlotReading,
  { last, working }: Situation,
  hearing: Hearing,
): Wanted {
  const { talk } = hearing;
  const heard = onlySensible(message, heardIn(message, reading, hearing), reading, talk);
  const says = saysSomething(reading);
  const nothing: Wanted = { ...taken(heard, "local"), category: talk.general, goals: [], unsure: true };
  if (!says && (message === "" || refersOnly(message))) return last ? again(last, "rules", 1) : nothing;
  if (isSmallTalk(message, reading, hearing)) return nothing;
  // What nothing can apply is named, and asks for nothing either: "make that 7" where no amount is in force.
  const isNamed = reading.unsupported.length > 0 && asksNothing(reading.unsupported.join(" "));
  if (last && (says || isNamed) && asksNothing(reading.rest)) {
    const other = says ? otherGoal(message, reading, last, heard, hearing) : undefined;
    return other ? { ...taken(heard, "rules"), category: other, goals: [other] } : again(last, "rules", 1);
  }
  if (last && says) return againOrElse(message, reading, { last, heard }, hearing);
  return askedAlone(message, reading, { heard, asked: working.asked }, hearing) ?? nothing;
}

/**
 * What a message asks for by itself: what is heard clearly, what a rule decides, or what the user has to be asked.
 * @param asked the question that was asked in vain
 * @returns undefined for nothing
 */
function askedAlone(
  message: string,
  reading: SlotReading,
  { heard, asked }: { heard: Intent; asked: WorkingSet["asked"] },
  hearing: Hearing,
): Wanted | undefined {
  const { talk, threshold, byRules } = hearing;
  const says = saysSomething(reading);
  // "What would happen at 3 % more?" is no reason to ask back.
  const isWhatIf = Object.keys(reading.slots).some((name) => talk.moves.has(name)) && WHAT_IF.test(message);
  const isOne = heard.goals.length === 1 && !heard.goals.some((goal) => talk.effects.has(goal));
  // "What VAT rate do we put on the invoice for a repair": what is mostly about things that are unknown here is hardly meant for it.
  const isClear =
    !isMostlyUnread(message, reading) && heard.confidence >= (isWhatIf && isOne ? LEAST_SAID : threshold);
  // "EMEA only, please": a constraint and nothing else, whatever is told beside it, is no talk.
  const isBound = says && constrains(message, reading, hearing);
  if (isClear && !(isBound && talk.isGeneral(heard.category))) return taken(heard, "local");
  const likely = likeliest(heard).slice(0, 2);
  const ruled = byRules(message).filter((category) => likely.includes(category));
  const [only] = ruled;
  if (only !== undefined && ruled.length === 1)
    return { ...taken(heard, "rules"), category: only, goals: [only] };
  if (ruled.length === 0 && !isBound && onlyTells(message, (clause) => hearing.readSlots(clause, {})))
    return undefined;
  const guess: Wanted = { ...taken(heard, "local"), unsure: true };
  // Nobody is offered effects that nothing asks for.
  const offers = (category: string): boolean =>
    hearing.offers(category) && (!talk.effects.has(category) || isAskedFor(category, message, hearing));
  const hasEffects = heard.goals.some((goal) => talk.effects.has(goal));
  const isDropped = talk.isGeneral(heard.category) || hasEffects;
  const question = askIntent(message, heard, { talk, offers }, isBound && isDropped ? 0 : undefined);
  if (question && asked !== question.key)
    return isBound && isDropped
      ? { ...guess, category: COMPOSITE, goals: [], question }
      : { ...guess, question };
  if (hasEffects) return undefined;
  // A constraint that was said is not dropped: with one, any guess is better than none.
  return heard.confidence >= GUESS || (says && heard.goals.length > 0) ? guess : undefined;
}

/** Whether more than half of a message is named as what nothing applies. */
const isMostlyUnread = (message: string, { unsupported }: SlotReading): boolean =>
  2 * unsupported.reduce((sum, { length }) => sum + length, 0) > message.length;

/**
 * Whether a message says a constraint that is one whatever is told beside it: "My daughter is ill. The margin must be at least 20 %". A name
 * by itself constrains nothing: "we make valves".
 */
function constrains(message: string, { rest }: SlotReading, { readSlots, talk }: Hearing): boolean {
  const read = (clause: string) => readSlots(clause, {});
  const limits = ({ slots, cleared, asks, rest }: SlotReading): boolean =>
    asksNothing(rest) &&
    [...Object.keys(slots), ...cleared, ...asks.map(({ slot }) => slot)].some(
      (name) => !talk.narrowing.has(name),
    );
  return (
    clausesIn(message).some((clause) => limits(read(clause))) ||
    (asksNothing(rest) && !onlyTells(message, read))
  );
}

function likeliest({ probabilities }: Intent): string[] {
  return Object.entries(probabilities)
    .sort(([, one], [, other]) => other - one)
    .map(([category]) => category);
}

/** Leaves out goals to which a what-if of the message leaves no sense. */
function sensibly(intent: Wanted, { slots }: SlotReading, talk: Talk): Wanted {
  const goals = talk.sensible(intent.goals, slots);
  const [only] = goals;
  if (goals.length === intent.goals.length) return intent;
  return { ...intent, goals, category: goals.length === 1 && only !== undefined ? only : intent.category };
}
