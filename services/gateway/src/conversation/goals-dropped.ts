import { asksNothing } from "../language/index.ts";
import { piecesOf } from "./clauses.ts";
import { GUESS, type Hearing, saysSomething } from "./hearing.ts";
import { COMPOSITE } from "./talk.ts";
import type { Doing } from "./working-set.ts";

const BEFORE =
  "(?:(?:no|and|but|so|ok(?:ay)?|well|now|then|actually|please|this time|hm+|oh|(?:we|you|I) (?:can|could|may)|let['’]?s|can you|could you)[\\s,]+)*";
const AFTER =
  "(?:\\s+(?:part|step|bit|section|piece|it|them|that|too|also|as well|out|away|off|yet|again|any ?more|any longer|though|then|now|please|pls|thanks|(?:for|this|next) (?:now|time|today)|for (?:the|this) (?:moment|time)))*[\\s.!]*$";
/** How a clause says that one of the goals is not wanted: "skip the stability part", "no explanation this time", 설명은 빼 줘. */
const DROPS: readonly RegExp[] = [
  new RegExp(
    `^\\s*${BEFORE}(?:skip|leave out|leave off|leave|drop|omit|scrap|forget(?: about)?|never ?mind|spare (?:me|us)|save (?:me|us)|without|no(?: need (?:for|of|to))?|(?:we|I) (?:don['’]t|do not|no longer) (?:need|want)(?: to)?|(?:don['’]t|do not)(?: (?:do|run|give me))?)\\s+(?<topic>\\p{L}.*?)${AFTER}`,
    "iu",
  ),
  new RegExp(
    `^\\s*${BEFORE}(?<topic>\\p{L}.*?) (?:can wait|(?:is|are) (?:for )?later|(?:is |are )?(?:not|no longer) (?:needed|necessary|required)|(?:isn|aren)['’]t (?:needed|necessary|required))${AFTER}`,
    "iu",
  ),
  /^\s*(?<topic>\p{L}+(?: \p{L}+)?)(?:은|는|을|를)? (?:빼|생략|건너뛰|필요 ?없|하지 ?마|됐)\S*(?: (?:줘|주세요|주시\S*|돼요?|됩니다))?[\s.!]*$/u,
];
const ARTICLES = /^(?:(?:the|any|all|this|that|your|further|more|a|an|whole)\s+)+/i;
/** "Don't publish everything, only the valve" drops nothing. */
const SOME = /\b(?:everything|all|both|others?|rest)\b/i;
/** The goal is said in a word or two. */
const MOST_WORDS = 3;

/**
 * Leaves out of a message the clauses that drop a goal, and of what the message goes on from these goals. A message that drops nothing stays.
 * @returns nothing to go on from where the message says only that it does not want what nobody has asked for
 */
export function withoutDroppedGoals(
  message: string,
  last: Doing | undefined,
  hearing: Hearing,
): { message: string; last: Doing | undefined } {
  const pieces = piecesOf(message).map((piece) => ({ ...piece, goal: droppedIn(piece.text, last, hearing) }));
  const dropped = pieces.flatMap(({ goal }) => goal ?? []);
  const said = pieces.filter(({ goal }) => goal === undefined);
  const goals = last?.goals.filter((goal) => !dropped.includes(goal)) ?? [];
  const isChanged = last !== undefined && goals.length < last.goals.length;
  if (dropped.length === 0 || (!isChanged && said.length > 0)) return { message, last };
  const left = said.map(({ between, text }, at) => (at === 0 ? text : between + text)).join("");
  const reading = hearing.readSlots(left, last?.slots ?? {});
  const rest = saysSomething(reading) || !asksNothing(reading.rest) ? left : "";
  const [only] = goals;
  if (!isChanged || only === undefined) return { message: rest, last: undefined };
  return { message: rest, last: { ...last, goals, category: goals.length === 1 ? only : COMPOSITE } };
}

/** The goal that a clause says is not wanted. Without the prices there is nothing, so that nobody drops these. */
function droppedIn(
  clause: string,
  last: Doing | undefined,
  { talk, byRules, readSlots }: Hearing,
): string | undefined {
  for (const drops of DROPS) {
    const topic = drops.exec(clause)?.groups?.topic?.replace(ARTICLES, "");
    if (topic === undefined || SOME.test(topic) || topic.split(" ").length > MOST_WORDS) continue;
    const read = (text: string) => readSlots(text, last?.slots ?? {});
    if (saysSomething(read(clause)) || saysSomething(read(topic))) return undefined;
    const [named, ...others] = byRules(topic);
    const heard = talk.classify(topic);
    const [likely] = heard.goals.length === 1 && heard.confidence >= GUESS ? heard.goals : [];
    const goal = named !== undefined && others.length === 0 ? named : likely;
    const isMade = goal !== undefined && talk.inProposal.has(goal) && !talk.checks.has(goal);
    return isMade ? undefined : goal;
  }
  return undefined;
}
