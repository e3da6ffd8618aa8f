import type { Hearing } from "../hearing.ts";
import { completed } from "../interpret.ts";
import type { Interpretation } from "../interpretation.ts";
import { COMPOSITE, type Talk } from "../talk.ts";
import type { Turn, TurnDeps } from "../turn-step.ts";
import { type Language, wording } from "../wording.ts";
import { type Does, type Offer, type Question, type WorkingSet, withoutQuestion } from "../working-set.ts";
import { isNamed } from "./clear-order.ts";
import { unorderedIn } from "./effects.ts";
import { answerIn, BUTTONS, changedIn, codeOf, EFFECT, hashOf, inputsHash, withOffer } from "./offer.ts";
import { unreadIn } from "./unread.ts";

/** The part of an interpretation that may be executed, and what the user must be asked about first. */
export type Gated = {
  found: Interpretation;
  /** Goals with effects that no clear order stands behind. */
  held: readonly string[];
  /** Phrases of the order, or of the ask for its proposal, that nothing has applied, where it was held back for that. */
  unread?: readonly string[];
  /** What has changed since a button was shown, so that pressing it does nothing. */
  changed?: readonly (keyof Does)[];
};

/** A message as an answer to what the user was asked about an effect; undefined where it is none. */
export function answeredBy(message: string, working: WorkingSet, hearing: Hearing) {
  const answer = answerIn(message, working);
  if (answer?.kind !== "yes" || !answer.offer) return answer;
  const { question, does } = answer.offer;
  // What was said since and is still asked about may change what the button orders.
  const isUnsettled = working.question !== undefined && working.question.key !== EFFECT;
  return { ...answer, isUnsettled, found: orderedBy(question, does.first === true, working, hearing) };
}

/** What the order behind a question does, with what the conversation works with now. */
function orderedBy(
  question: Question,
  first: boolean,
  working: WorkingSet,
  hearing: Hearing,
): Interpretation {
  const found = completed(question, question.options[0] ?? { label: "" }, working, hearing);
  const [proposal] = working.proposals;
  return first && proposal ? { ...found, about: "first proposal", proposal } : found;
}

/** Leaves out the effects that are not clearly ordered, whoever has read the message. @param answer to an offer of before */
export async function gated(
  found: Interpretation,
  {
    message,
    answer,
    turn,
    talk,
    hearing,
  }: { message: string; answer: ReturnType<typeof answeredBy>; turn: Turn; talk: Talk; hearing: Hearing },
  deps: TurnDeps,
): Promise<Gated> {
  const { flow, effects } = talk;
  // While a question is open, nothing is executed.
  if (found.question || !found.goals.some((goal) => effects.has(goal))) return { found, held: [] };
  if (answer?.kind !== "yes") {
    const held = unorderedIn(message, found.goals, { flow, mesh: deps.mesh, effects });
    const ordered = found.goals.filter((goal) => effects.has(goal) && !held.includes(goal));
    // What a proposal was made without is no less missing when it takes effect.
    const unread =
      ordered.length > 0
        ? [...unreadOf(message, ordered, { talk, hearing }), ...(found.proposal?.unapplied ?? [])]
        : [];
    if (unread.length === 0) return { found: without(found, held), held };
    const all = [...held, ...ordered];
    const left = without(found, all);
    return { found: { ...left, unsupported: unread }, held: all, unread };
  }
  const { offer } = answer;
  const isUnsettled = "isUnsettled" in answer && answer.isUnsettled;
  const now = offer && (await doesOf(found, { turn, talk, like: offer.does }, deps));
  if (offer && now && hashOf(now) === offer.hash && !isUnsettled) {
    turn.isOrdered = true;
    return { found, held: [] };
  }
  const held = found.goals.filter((goal) => effects.has(goal));
  const changed = offer && now ? changedIn(offer.does, now) : [];
  return {
    found: without(found, held),
    held,
    changed: isUnsettled ? [...new Set([...changed, "slots" as const])] : changed,
  };
}

/** What of an order was not read: phrases that nothing can apply, and words for what it is about that nothing knows. */
function unreadOf(
  message: string,
  goals: readonly string[],
  { talk, hearing }: { talk: Talk; hearing: Hearing },
): readonly string[] {
  // Where nothing can be said about what a flow works on, nothing of it can be missed.
  if (!talk.flow.slots) return [];
  const reading = hearing.readSlots(message, {});
  const isKnown = (word: string): boolean => talk.isOfDomain(word);
  const words = goals.flatMap((goal) => unreadIn(reading, talk.orders(goal), isKnown));
  const phrases = goals.flatMap((goal) =>
    reading.unsupported.filter(
      (phrase) =>
        !isNamed(phrase, talk.orders(goal)) ||
        unreadIn({ rest: phrase }, talk.orders(goal), isKnown).length > 0,
    ),
  );
  return [...new Set([...phrases, ...words])];
}

function without(found: Interpretation, held: readonly string[]): Interpretation {
  const goals = found.goals.filter((goal) => !held.includes(goal));
  const [only] = goals;
  if (held.length === 0) return found;
  return { ...found, goals, category: goals.length === 1 && only !== undefined ? only : COMPOSITE };
}

/** @param like what it is compared with; absent: the content of a proposal that this turn makes is not known yet */
async function doesOf(
  { goals, slots, proposal, about }: Interpretation,
  { turn, talk, like }: { turn: Turn; talk: Talk; like?: Does },
  { runs }: TurnDeps,
): Promise<Does> {
  const inputs = await inputsHash(turn.inputs);
  const isKnown = like ? like.proposal?.content !== undefined : proposal?.run !== turn.runId;
  const step = proposal && Object.values(proposal.steps).at(-1);
  const content =
    isKnown && proposal && step !== undefined
      ? await runs.resultHash(turn.request.caller, { run: proposal.run, step })
      : undefined;
  return {
    flow: talk.flow.name,
    goals,
    slots,
    ...(inputs === undefined ? {} : { inputs }),
    ...(proposal ? { proposal: { run: proposal.run, ...(content === undefined ? {} : { content }) } } : {}),
    ...(about === "first proposal" ? { first: true as const } : {}),
  };
}

/**
 * Asks whether effects that were held back are wanted, with a button that orders exactly what it would do.
 * @param next what the session works with when the answer comes
 */
export async function askFirst(
  { found, held, changed, unread }: Gated,
  {
    turn,
    talk,
    next,
    hearing,
    language,
  }: { turn: Turn; talk: Talk; next: WorkingSet; hearing: Hearing; language: Language },
  deps: TurnDeps,
): Promise<{ text: string; button: string; next: WorkingSet }> {
  const [only] = held;
  const category = held.length === 1 && only !== undefined ? only : COMPOSITE;
  const label = labelOf(held, talk, language);
  const said = Object.entries(found.slots).filter(([name]) => talk.passing.has(name));
  const text = unread ? wording(language).shallUnread(label) : wording(language).shall(label, changed);
  const bare: Question = {
    key: EFFECT,
    text,
    options: [{ label }],
    pending: { category, goals: held, slots: Object.fromEntries(said), cleared: [] },
  };
  const works = withoutQuestion(next);
  const does = await doesOf(
    orderedBy(bare, found.about === "first proposal", works, hearing),
    { turn, talk },
    deps,
  );
  const button = BUTTONS[language](label, codeOf(does));
  const question = { ...bare, options: [{ label: button }] };
  const offer: Offer = { code: codeOf(does), hash: hashOf(does), does, question };
  return { text, button, next: withOffer(works, offer) };
}

/** The labels of effects in a conversation. */
export function labelOf(goals: readonly string[], talk: Talk, language: Language): string {
  return goals.map((goal) => talk.labels.get(goal)?.[language] ?? goal).join(", ");
}
