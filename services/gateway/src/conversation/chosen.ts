import { likelihoodsOf } from "../language/index.ts";
import { type Choosing, keyOf } from "./choices.ts";
import { isAskedFor, withoutVainEffects } from "./effects.ts";
import { type Hearing, saysSomething } from "./hearing.ts";
import { again, type Choice, type Wanted } from "./interpretation.ts";
import { askGoals } from "./questions.ts";
import { isSmallTalk } from "./small-talk.ts";
import { COMPOSITE } from "./talk.ts";

/** A choice with how likely it is meant. */
export type Likely = Required<Choice>;

/** That nothing here can do it is taken for granted from here on. */
const SURE_OF_NONE = 0.7;
/** A choice that is less likely is not taken without a question. */
const LEAST_TAKEN = 0.5;
const LEAST_OFFERED = 0.05;

/**
 * What a message may ask for, the likeliest first; undefined where no model tells. Nobody gets or is offered what would be refused in place of
 * what rules hear.
 */
export function likelyOf(
  choices: readonly Choice[],
  { ruled }: Choosing,
  { talk, offers }: Hearing,
): readonly Likely[] | undefined {
  if (!talk.goalModel) return undefined;
  const allowed = choices.filter(
    ({ goals }) => (isClear(ruled) && keyOf(goals) === keyOf(ruled.goals)) || goals.every(offers),
  );
  const likelihoods = likelihoodsOf(allowed, talk.goalModel);
  return allowed
    .map((choice, at) => ({ ...choice, likelihood: likelihoods[at] ?? 0 }))
    .sort((one, other) => other.likelihood - one.likelihood);
}

/** What a message asks for, by what is likeliest: it is taken, or the user is asked. */
export function chosenOf(likely: readonly Likely[], choosing: Choosing, hearing: Hearing): Wanted {
  const { message, reading, ruled, last, working } = choosing;
  const { talk } = hearing;
  const [best] = likely;
  if (!best || isRulesOwn(choosing, hearing)) return ruled;
  const wantedOf = ({ goals, likelihood }: Likely): Wanted => {
    if (!ruled.question && keyOf(goals) === keyOf(ruled.goals) && goals.length > 0)
      return { ...ruled, confidence: likelihood };
    if (last && keyOf(goals) === keyOf(last.goals)) return again(last, "local", likelihood);
    const [only, ...others] = goals;
    const category = only === undefined ? talk.general : others.length > 0 ? COMPOSITE : only;
    const followUp =
      last !== undefined && others.length > 0 && last.goals.every((goal) => goals.includes(goal));
    const wanted: Wanted = { category, goals, source: "local", confidence: likelihood, followUp };
    return withoutVainEffects(wanted, message, reading, last, hearing);
  };
  const isNone = best.goals.length === 0;
  const isRuledNone = ruled.goals.length === 0 && !ruled.question;
  if (isNone && isRuledNone && (best.likelihood >= SURE_OF_NONE || !ruled.unsure)) return ruled;
  // A constraint that was said is not dropped, whether something can apply it or not.
  const says = saysSomething(reading) || reading.unsupported.length > 0;
  // "Thanks": what was done last is not done again for words that say nothing and in which rules hear nothing.
  if (isRuledNone && !ruled.unsure && !says && last && keyOf(best.goals) === keyOf(last.goals)) return ruled;
  const isTaken = isNone ? best.likelihood >= SURE_OF_NONE && !says : best.likelihood >= LEAST_TAKEN;
  if (isTaken) return wantedOf(best);
  // Whether what rules hear may be acted on, another model tells.
  if (ruled.goals.length > 0 && isClear(ruled))
    return { ...ruled, confidence: Math.min(ruled.confidence, best.likelihood) };
  const isOffered = ({ goals, likelihood }: Likely): boolean =>
    goals.length > 0 &&
    likelihood >= LEAST_OFFERED &&
    goals.every((goal) => !talk.effects.has(goal) || isAskedFor(goal, message, hearing));
  const options = likely.filter(isOffered);
  const question = askGoals(
    message,
    options.map(({ goals }) => goals),
    { talk, perhapsNot: isNone },
  );
  if (question && working.asked !== question.key)
    return { ...ruled, ...NOTHING_YET, confidence: best.likelihood, question };
  const [first] = options;
  // Where a constraint was said, any guess is better than none.
  return first && (!isNone || says) ? { ...wantedOf(first), unsure: true } : ruled;
}

const isClear = ({ question, unsure }: Wanted): boolean => !question && !unsure;

/** What takes effect has a gate of its own, which nothing is to be kept from. */
function isRulesOwn({ message, reading, ruled }: Choosing, hearing: Hearing): boolean {
  if (ruled.question) return false;
  return ruled.goals.length === 0
    ? isSmallTalk(message, reading, hearing)
    : ruled.goals.some((goal) => hearing.talk.effects.has(goal));
}

const NOTHING_YET = { category: COMPOSITE, goals: [], followUp: false, unsure: true } as const;
