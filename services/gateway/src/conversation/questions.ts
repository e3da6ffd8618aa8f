import type { Intent, SlotQuestion } from "../language/index.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import { languageOf, wording } from "./wording.ts";
import type { Option, Question } from "./working-set.ts";

/** A whole message that is a place in the list of options. */
const ORDINALS: readonly RegExp[] = [
  /^(?:1|one|first|former|1st|1번|첫째|첫 ?번째|일번)$/,
  /^(?:2|two|second|2nd|2번|둘째|두 ?번째|이번)$/,
  /^(?:3|three|third|3rd|3번|셋째|세 ?번째|삼번)$/,
];
const LAST = /^(?:last|latter|마지막)$/;
/** A whole message that takes all of the options. */
const ALL =
  /^(?:all|both|both of (?:them|those|these)|all of (?:them|those|these)|둘 ?다|모두|전부|다|양쪽 ?다?)$/;

/** What may stand around a place: "option 2, please", "the first one", "2번이요". */
const BEFORE_PLACE =
  /^(?:(?:the|option|number|no\.?|nr\.?|#|i|mean|meant|choose|pick|take|want|would|like|go|with|yes|ok|okay|네|예)[\s,]*)+(?=\S)/;
const AFTER_PLACE = /(?:[\s,.!]*(?:one|option|please|pls|thanks|것|거))*[\s,.!]*$/;
const KOREAN_ENDING = /(?:이요|요|으로|로|이에요|입니다|을|를)$/;

/** Words around an answer that say nothing of it. */
const AROUND =
  /^(?:the|a|an|option|number|no\.?|nr\.?|#|one|please|pls|i|mean|meant|choose|pick|take|want|would|like|it'?s|that|this|is|just|only|go|with|for|yes|yeah|yep|ok|okay|sure|로|요|이요|거|것|으로|네|예)$/;

/** An answer is short; a longer message says something new. */
const MOST_WORDS = 8;

/**
 * Finds the option that a message chooses: by its label, its number, or words that only its label has.
 * @returns undefined where the message is no answer to the question
 */
export function chosenOption(message: string, options: readonly Option[]): Option | undefined {
  const text = folded(message);
  const same = options.find(({ label }) => folded(label) === text);
  if (same) return same;
  const place = placeOf(text, options.length);
  if (place !== undefined) return options[place];
  const words = wordsOf(text);
  if (words.length === 0 || words.length > MOST_WORDS) return undefined;
  const telling = words.filter((word) => !AROUND.test(word));
  if (telling.length === 0) return undefined;
  const labels = options.map(({ label }) => new Set(wordsOf(folded(label))));
  const fitting = (has: (label: ReadonlySet<string>, word: string) => boolean): Option[] =>
    options.filter((_, index) => telling.every((word) => has(labels[index] ?? new Set(), word)));
  const exact = fitting((label, word) => label.has(word));
  const fits = exact.length > 0 ? exact : fitting(hasBeginning);
  if (fits.length === 1) return fits[0];
  return bareAnswers(text).some((bare) => ALL.test(bare)) ? allOf(options) : undefined;
}

/** All of the options as one, where they are lists of one slot. */
function allOf(options: readonly Option[]): Option | undefined {
  const [name, ...others] = new Set(options.flatMap(({ sets }) => Object.keys(sets ?? {})));
  if (name === undefined || others.length > 0) return undefined;
  const lists = options.map(({ sets }) => sets?.[name]);
  if (!lists.every((list) => Array.isArray(list))) return undefined;
  const values = [...new Set(lists.flat())].filter((value) => typeof value === "string");
  return { label: options.map(({ label }) => label).join(", "), sets: { [name]: values } };
}

/** "proposals" is said for "proposal": one word begins with the other. */
function hasBeginning(label: ReadonlySet<string>, word: string): boolean {
  const long = (text: string) => text.length >= 4;
  return [...label].some(
    (other) => long(word) && long(other) && (other.startsWith(word) || word.startsWith(other)),
  );
}

/** The index of the option that a message names by its place. */
function placeOf(text: string, count: number): number | undefined {
  for (const place of bareAnswers(text)) {
    const index = LAST.test(place) ? count - 1 : ORDINALS.findIndex((pattern) => pattern.test(place));
    if (index >= 0 && index < count) return index;
  }
  return undefined;
}

/** An answer without what stands around it ("the first one, please"), and that without its ending. */
function bareAnswers(text: string): readonly string[] {
  const bare = text.replace(BEFORE_PLACE, "").replace(AFTER_PLACE, "");
  return [bare, bare.replace(KOREAN_ENDING, "")];
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:[-_.'][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Buttons of a question. */
const MOST_OPTIONS = 3;
/** A reading that is less likely than this is not offered. */
const LEAST_LIKELY = 0.1;

/** What people ask for that a flow does not do is mostly heard less clearly than this, and what it does more clearly. */
const LIKELY_OWN = 0.6;

/** What the user is asked where the message leaves a constraint open. */
export function askSlot({ slot, question, options }: SlotQuestion, pending: Question["pending"]): Question {
  return { key: `slot:${slot}`, text: question, options, pending };
}

/**
 * @param offers whether the caller may have what a category stands for: nobody is offered what would be refused
 * @returns what the user is asked where it is unclear what the message asks for; undefined where there is no choice between likely readings
 */
export function askIntent(
  message: string,
  heard: Intent,
  { talk, offers }: { talk: Talk; offers: (category: string) => boolean },
  leastLikely = LEAST_LIKELY,
): Question | undefined {
  const language = languageOf(message);
  const likely = Object.entries(heard.probabilities)
    .filter(
      ([category, probability]) =>
        probability >= leastLikely && talk.labels.has(category) && offers(category),
    )
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_OPTIONS);
  if (likely.length < 2) return undefined;
  const options = likely.map(([category]) => ({
    label: talk.labels.get(category)?.[language] ?? category,
    category,
  }));
  const pending = { goals: [], slots: {}, cleared: [] };
  const { unclear, perhapsNot } = wording(language);
  const question = unclear(options.map(({ label }) => label));
  return {
    key: "intent",
    text:
      heard.confidence < LIKELY_OWN || talk.isGeneral(heard.category)
        ? `${perhapsNot} ${question}`
        : question,
    options,
    pending,
  };
}

/**
 * What the user is asked where a model tells what the message may ask for.
 * @param perhapsNot that nothing here can do it is likely, too
 * @returns undefined where there is no choice
 */
export function askGoals(
  message: string,
  likely: readonly (readonly string[])[],
  { talk, perhapsNot }: { talk: Talk; perhapsNot: boolean },
): Question | undefined {
  const language = languageOf(message);
  const words = wording(language);
  const options = likely
    .filter((goals) => goals.every((goal) => talk.labels.has(goal)))
    .slice(0, MOST_OPTIONS)
    .map((goals) => ({
      label: goals.map((goal) => talk.labels.get(goal)?.[language] ?? goal).join(", "),
      category: goals.length === 1 ? (goals[0] ?? COMPOSITE) : COMPOSITE,
      goals,
    }));
  if (options.length < (perhapsNot ? 1 : 2)) return undefined;
  const question = words.unclear(options.map(({ label }) => label));
  return {
    key: "intent",
    text: perhapsNot ? `${words.perhapsNot} ${question}` : question,
    options,
    pending: { goals: [], slots: {}, cleared: [] },
  };
}

/**
 * What the user is asked where it is unclear which service or flow a message is for.
 * @param meant what the one that the user chooses is told
 */
export function askService(message: string, options: readonly Option[], meant: string): Question {
  return {
    key: "service",
    text: wording(languageOf(message)).unclear(options.map(({ label }) => label)),
    options,
    pending: { goals: [], slots: {}, cleared: [], message: meant },
  };
}
