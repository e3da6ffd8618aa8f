import {
  askingWords,
  asksNothing,
  type Intent,
  plainText,
  type SlotReading,
  type TaggedReading,
} from "../language/index.ts";
import { refersOnly } from "./about.ts";
import { WHAT_IF } from "./heard.ts";
import { type Hearing, saysSomething } from "./hearing.ts";
import type { Choice, Wanted } from "./interpretation.ts";
import { COMPOSITE, type Talk } from "./talk.ts";
import { languageOf } from "./wording.ts";
import type { Doing, WorkingSet } from "./working-set.ts";

export type Choosing = {
  readonly message: string;
  readonly reading: SlotReading;
  readonly learnt: TaggedReading;
  /** What rules take it to ask for. */
  readonly ruled: Wanted;
  readonly last: Doing | undefined;
  readonly working: WorkingSet;
};

const STEPS = [0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95];
const LENGTHS = [1, 2, 3, 5, 8, 12];

/** How many of the steps a number has reached. */
const stepOf = (value: number, steps: readonly number[]): number =>
  steps.filter((step) => value >= step).length;

/**
 * All that a message may ask for, with signs by which a learnt model tells which of it is meant. They name no word, slot or goal: what is
 * learnt of one domain holds for the others.
 */
export function choicesOf(choosing: Choosing, hearing: Hearing): Choice[] {
  const { message, reading, learnt, ruled, last, working } = choosing;
  const { talk, byRules } = hearing;
  const bare = withoutClaims(choosing, talk);
  const heard: readonly [Heard, Heard, Heard] = [
    ["message", talk.classify(message)],
    ["rest", talk.classify(reading.rest)],
    ["bare", talk.classify(bare)],
  ];
  const named = [
    ["message", byRules(message)],
    ["bare", byRules(bare)],
  ] as const;
  const goals = [...talk.flow.goals.keys()];
  const before = last?.goals ?? [];
  const says = saysSomething(reading);
  const asking = askingWords(bare);
  const context = `${last ? "later" : "first"} ${says ? "says" : "silent"}`;
  const rest = `asks ${stepOf(asking.length, LENGTHS)}`;
  const isQuestion = /[?？]/.test(message);
  const supposes = Object.keys(reading.slots).some((name) => talk.moves.has(name));
  const about = [
    context,
    `${context} ${rest}`,
    ...(isQuestion ? ["question", `${context} question`] : []),
    ...(WHAT_IF.test(message) ? ["what if"] : []),
    ...(supposes ? ["supposes", `supposes ${context}`] : []),
    ...(asksNothing(reading.rest) ? ["asks nothing", `asks nothing ${context}`] : []),
    ...(reading.cleared.length > 0 ? ["clears"] : []),
    ...(reading.edits && Object.keys(reading.edits).length > 0 ? ["edits"] : []),
    ...(refersOnly(message) ? ["refers only"] : []),
    ...(working.question ? ["answers"] : []),
    ...(reading.unsupported.length > 0 ? ["names", `names ${says ? "beside" : "alone"}`] : []),
    ...(learnt.ground.unread > 2 ? ["much unread"] : []),
    `words ${stepOf(learnt.ground.words, [2, 4, 7, 11, 16])}`,
    languageOf(message),
  ];
  const sets = new Map<string, readonly string[]>();
  const add = (set: readonly string[]): void => {
    const key = keyOf(set);
    if (set.length > 0 && !sets.has(key)) sets.set(key, set);
  };
  // Where rules hear something that can be done, another model tells whether nothing here can do it.
  if (ruled.goals.length === 0 || ruled.question) sets.set("", []);
  if (before.length > 0) add(before);
  add(ruled.goals);
  for (const [, intent] of heard) if (!talk.isGeneral(intent.category)) add(intent.goals);
  for (const goal of goals) {
    add([goal]);
    if (before.length > 0 && !before.includes(goal)) add([...before, goal]);
  }
  for (const [, names] of named) add(names.filter((name) => goals.includes(name)));
  const [, , [, alone]] = heard;
  const likeliest = goals.toSorted(
    (one, other) => (alone.probabilities[other] ?? 0) - (alone.probabilities[one] ?? 0),
  );
  add(likeliest.slice(0, 2));
  add(talk.goalsOf(COMPOSITE));

  return [...sets].map(([key, set]) => {
    const signs: string[] = [];
    const isAgain = before.length > 0 && key === keyOf(before);
    const kind = set.length === 0 ? "none" : isAgain ? "again" : set.length === 1 ? "one" : "several";
    const joins =
      !isAgain &&
      before.length > 0 &&
      set.length > before.length &&
      before.every((goal) => set.includes(goal));
    for (const one of about) signs.push(`${kind}, ${one}`);
    if (joins) signs.push("joins", `joins, ${context}`, `joins, ${rest}`);
    if (set.length > 2) signs.push("many", ...about.slice(0, 2).map((one) => `many, ${one}`));
    if (key === keyOf(talk.flow.defaultGoals)) for (const one of about) signs.push(`usual, ${one}`);
    if (key === keyOf(ruled.goals)) {
      const how = ruled.question
        ? "asked"
        : ruled.unsure
          ? "unsure"
          : ruled.followUp
            ? "again"
            : ruled.source;
      signs.push(
        "ruled",
        `ruled ${how}`,
        `ruled ${how} ${context}`,
        `ruled ${how} ${stepOf(ruled.confidence, STEPS)}`,
      );
    }
    for (const [where, intent] of heard) {
      const odds = (goal: string): number => intent.probabilities[goal] ?? 0;
      const general = sumOf(Object.keys(intent.probabilities).filter(talk.isGeneral).map(odds));
      const own = set.length === 0 ? general : Math.min(...set.map(odds));
      const most = Math.max(0, ...goals.filter((goal) => !set.includes(goal)).map(odds));
      const level = `${where} ${stepOf(own, STEPS)}`;
      signs.push(
        level,
        `${level} ${talk.flow.intents ? "trained" : "by examples"}`,
        `${level} ${kind}`,
        `${level} ${context}`,
        `${where} ${kind} ${rest} ${stepOf(own, [0.3, 0.7])}`,
      );
      signs.push(
        `${where} against ${stepOf(most, STEPS)} ${kind}`,
        `${where} against ${stepOf(most, STEPS)} ${context}`,
      );
      if (key === keyOf(talk.isGeneral(intent.category) ? [] : intent.goals)) {
        const sure = `${where} heard ${stepOf(intent.confidence, STEPS)}`;
        signs.push(`${where} heard`, sure, `${sure} ${kind}`, `${sure} ${context}`);
      }
    }
    for (const [where, names] of named) {
      const own = set.filter((goal) => names.includes(goal)).length;
      const others = names.filter((goal) => !set.includes(goal)).length;
      if (own > 0) signs.push(`word in ${where}`, `word in ${where} ${kind}`, `word in ${where} ${context}`);
      if (set.length > 0 && own === set.length)
        signs.push(`all words in ${where}`, `all words in ${where} ${kind}`);
      if (others > 0) signs.push(`other word in ${where} ${kind}`, `other word in ${where} ${context}`);
    }
    const fresh = set.filter((goal) => !before.includes(goal));
    for (const [name, own] of [
      ["effect", talk.effects],
      ["check", talk.checks],
      ["after", talk.afterProposal],
      ["makes", talk.inProposal],
    ] as const)
      if (fresh.some((goal) => own.has(goal))) signs.push(name, `${name} ${context}`, `${name} ${kind}`);
    const isOdd = set.length > 0 && talk.sensible(set, reading.slots).length < set.length;
    if (isOdd) signs.push("odd", `odd ${kind}`);
    const unused = Object.keys(reading.slots).filter((slot) => {
      const users = talk.appliesTo(slot);
      return users.length > 0 && !set.some((goal) => users.includes(goal));
    });
    if (set.length > 0 && unused.length > 0) signs.push("leaves unused", `leaves unused ${kind}`);
    return { goals: set, signs: [...new Set(signs)] };
  });
}

/** What is heard in a part of the message. */
type Heard = readonly [where: string, intent: Intent];

export const keyOf = (goals: readonly string[]): string => goals.toSorted().join();

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** A message without what constrains it: what is said of waste in "at most 5 % waste" does not ask for what was wasted. */
function withoutClaims({ message, reading, learnt }: Choosing, talk: Talk): string {
  const text = plainText(message);
  let [left, at] = ["", 0];
  for (const { start, text: said, op, figure, entity } of learnt.spans) {
    if (op === "none" && figure === undefined && !entity) continue;
    // The learnt reader reads all of what was said, of which the message may leave out what only tells something.
    const from = text.startsWith(said, start) ? start : text.indexOf(said, at);
    if (from < at) continue;
    left += `${text.slice(at, from)} `;
    at = from + said.length;
  }
  const slots = new Set([
    ...Object.keys(reading.slots),
    ...reading.cleared,
    ...learnt.spans.flatMap(({ slot }) => slot ?? []),
  ]);
  return talk
    .withoutWordsOf(left + text.slice(at), [...slots])
    .replace(/\s+/g, " ")
    .trim();
}
