import { asksNothing, type Intent, type SlotReading } from "../language/index.ts";
import { refersOnly } from "./about.ts";
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
  const wanted = heardOrRuled(message, reading, situation, hearing);
  return sensibly(
    withoutVainEffects(wanted, message, reading, situation.last, hearing),
    reading,
    hearing.talk,
  );
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
  if (isSmallTalk(message, reading, hearing)) return nothing;
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
