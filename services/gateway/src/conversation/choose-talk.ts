import { asksNothing, type SlotReading } from "../language/index.ts";
import { goesOnFrom } from "./answers.ts";
import { commandOf } from "./commands.ts";
import { isClearOrder } from "./gate/clear-order.ts";
import { buttonIn } from "./gate/offer.ts";
import { saysSomething } from "./hearing.ts";
import { chosenOption } from "./questions.ts";
import { asksResults } from "./results/tell-results.ts";
import type { PlainInputs } from "./session-inputs.ts";
import type { Talk } from "./talk.ts";
import type { TurnDeps } from "./turn-step.ts";
import type { WorkingSet } from "./working-set.ts";

/** Odds that differ by a smaller factor are the same: keywords decide, and then the flow that the session is in. */
export const TIE = 1.5;

/** Speaks of what is there already, without saying what it is. */
const REFERS_BACK = /\b(?:it|that|this|these|those|them|they)\b|그거|그것|이것|이거|저것/i;

type Deps = Pick<TurnDeps, "talks" | "route" | "intentThreshold">;

/**
 * Chooses the flow that a message is for, by what the models of the flows make of it. Their confidences are calibrated, so that they can
 * be compared; what a model takes for none of its flow's goals speaks for the others, and so does a message that names nothing of the flow.
 * @param current the flow that the session is in
 * @param inputs those that the session works with
 */
export function chooseTalk(
  message: string,
  { current, working, inputs }: { current: Talk; working: WorkingSet; inputs: PlainInputs | undefined },
  { talks, route, intentThreshold }: Deps,
): Talk {
  if (talks.length < 2 || goesOn(message, current, working, inputs) || asksResults(message, current, inputs))
    return current;
  const ordered = working.done.length > 0 ? orderedOf(message, current, talks) : undefined;
  if (ordered) return ordered;
  const own = confidenceOf(message, current);
  let [best, most] = [current, own];
  for (const talk of talks) {
    const confidence = talk === current ? own : confidenceOf(message, talk);
    if (confidence > most) [best, most] = [talk, confidence];
  }
  const isUnclear = most < intentThreshold;
  if (isUnclear ? working.done.length > 0 : best === current) return current;
  // A model has not seen what other domains are asked: that the message speaks of something of the flow counts for more.
  const isKnown = speaksOf(message, current, inputs);
  if (isUnclear) {
    if (isKnown) return current;
    const [other, ...more] = talks.filter((talk) => talk !== current && speaksOf(message, talk, undefined));
    return other && more.length === 0 ? other : current;
  }
  // Flows of one domain have the same words: these tell nothing of which is meant.
  const refers = working.done.length > 0 && REFERS_BACK.test(message);
  const continues = working.done.length > 0 && CONTINUES.test(message);
  if (!isOfOneDomain(best, current)) {
    const isOther = speaksOf(message, best, undefined);
    if (!isOther && ((isKnown && own > 0) || most < SURE)) return current;
    // "Why did the biggest of those go up?" goes on, unless it speaks of the other's things alone.
    if ((refers || continues) && (isKnown || !isOther)) return current;
  }
  // "publish it", where there is something that can be meant.
  if (refers && own >= intentThreshold) return current;
  if (oddsOf(most) >= TIE * oddsOf(own)) return best;
  const ruled = route(message, { plan: false });
  const service = ruled.kind === "ask" ? ruled.service : undefined;
  return (
    talks.find(({ flow }) =>
      ruled.kind === "plan" ? flow.name === ruled.flow : service !== undefined && flow.goals.has(service),
    ) ?? current
  );
}

/** Flows with the same slots are of one domain. */
export const isOfOneDomain = (one: Talk, other: Talk): boolean =>
  one.flow.slots !== undefined && one.flow.slots === other.flow.slots;

/** "Carry these out" refers to what the current flow has told, and clearly orders what another one of its domain does. */
function orderedOf(message: string, current: Talk, talks: readonly Talk[]): Talk | undefined {
  const orders = ({ effects, orders }: Talk): boolean =>
    [...effects].some((goal) => isClearOrder(message, orders(goal)));
  const others = talks.filter((talk) => talk !== current && isOfOneDomain(talk, current));
  return others.length === 0 || orders(current) ? undefined : others.find(orders);
}

/** From here on a message is for a flow of whose things it names none. */
const SURE = 0.9;

/** "And with the costs of today?" */
const CONTINUES = /^\s*(?:and|but|also|then|so|ok(?:ay)?|그럼|그러면|그리고|근데|그런데)(?![\p{L}])/iu;

/** Whether a message has a word of what the flow's slots are about, or a name of its inputs. */
const speaksOf = (message: string, talk: Talk, inputs: PlainInputs | undefined): boolean =>
  talk.isOfDomain(message) || namesOne(message, talk, inputs);

/** Whether a message names something of a flow's inputs, by more than an ordinary word. */
export const namesOne = (message: string, talk: Talk, inputs: PlainInputs | undefined): boolean =>
  Object.entries(talk.readNames(message, inputs).slots).some(
    ([name, value]) => talk.narrowing.has(name) && !talk.isOrdinary(name, value),
  );

/** Asks for the reason of something without saying of what. */
const BARE_WHY =
  /^(?:(?:but|and|so|ok(?:ay)?|hmm+|그런데|근데)[\s,]+)*(?:why(?: (?:(?:is|was|are|were) (?:that|this|it|they|those|these)|(?:did|does|do) (?:that|this|it|they) (?:happen|change)|so(?: (?:high|low|much|many|few))?|not|exactly))?|how (?:come|so)|what(?:'?s| is| was) (?:the|its|that) reason(?: for (?:that|this|it))?|for what reason|왜(?: ?(?:그래|그런|그렇|이래|이런|이렇)\S*(?: (?:거|건|것)\S*)?| 그런 ?거\S*|죠|요)?|어째서\S*|이유(?:가|는)?(?: ?(?:뭐|뭔|무엇|왜)\S*)?)[\s?!.]*$/i;

/**
 * Whether the message has no sense but in its conversation: an answer, a command, the bare question for a reason, or another constraint
 * for what was done last.
 */
export function goesOn(
  message: string,
  talk: Talk,
  working: WorkingSet,
  inputs: PlainInputs | undefined,
): boolean {
  if (commandOf(message) !== undefined || buttonIn(message)) return true;
  if (working.question && chosenOption(message, working.question.options)) return true;
  if (working.done.length > 0 && BARE_WHY.test(message.trim())) return true;
  const reading = constraintIn(message, talk, working, inputs);
  return reading !== undefined && asksNothing(reading.rest);
}

/** What a message says that constrains what was done or asked about last; undefined: nothing, or there was nothing. */
export function constraintIn(
  message: string,
  talk: Talk,
  working: WorkingSet,
  inputs: PlainInputs | undefined,
): SlotReading | undefined {
  const last = goesOnFrom(working, talk);
  const reading = last && talk.readSlots(message, inputs, last.slots);
  return reading && saysSomething(reading) ? reading : undefined;
}

/** Odds separate 0.999 from 0.9999 by the same factor as 0.9 from 0.99. */
export function oddsOf(confidence: number): number {
  return confidence / Math.max(1 - confidence, 1e-9);
}

/** The reading of the flow that is most confident of the message. */
export function surest(
  message: string,
  talks: readonly Talk[],
): { talk: Talk; category: string; confidence: number } | undefined {
  let most: ReturnType<typeof surest>;
  for (const talk of talks) {
    const { category, confidence } = talk.classify(message);
    if (!talk.isGeneral(category) && confidence > (most?.confidence ?? 0))
      most = { talk, category, confidence };
  }
  return most;
}

/** How sure the model of a flow is that the message asks for one of the flow's goals. */
function confidenceOf(message: string, talk: Talk): number {
  const { category, confidence } = talk.classify(message);
  return talk.isGeneral(category) ? 0 : confidence;
}
