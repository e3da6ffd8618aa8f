import { asksNothing, type Intent } from "../language/index.ts";
import { GUESS, type Hearing, LEAST_SAID, saysSomething } from "./hearing.ts";

/** "Good, no, …": a bare "no" takes something back where a mark stands behind it, or what is meant instead; "no jargon" denies something. */
const NO =
  "no(?:pe)?(?:[,.!;:\\u2013\\u2014]+|(?=\\s+(?:wait|sorry|actually|only|just|rather|simply|let'?s)\\b))";
const CORRECTING =
  "(?:wait|actually|sorry|scratch that|strike that|on second thoughts?|i mean|i meant|or rather|better yet)\\b";
/** Where a message takes back what it has just asked for: "check and publish? no, just check it". "Wait, and …" adds something. */
const TAKEN_BACK = new RegExp(
  "(?:[.?!,;:]|\\s[-\\u2013\\u2014]+)\\s*(?:(?:hm+|oh|ah|um|well|but|or|아|음)[\\s,]+)*" +
    `(?:(?:${NO}|${CORRECTING}|아니[요다야지]?(?=[,.!\\s])|정정|잠깐만?)[\\s,.!:\\u2013\\u2014-]*)+` +
    "(?![\\s,.!:\\u2013\\u2014-]*(?:(?:and|also|add|plus)\\b|그리고))",
  "giu",
);

/** What a message says before and behind the last place where it takes back what it has just said; undefined where it does not. */
function aroundCorrection(message: string): { before: string; behind: string } | undefined {
  const last = [...message.matchAll(TAKEN_BACK)].at(-1);
  return last && { before: message.slice(0, last.index), behind: message.slice(last.index + last[0].length) };
}

/** Corrections of one message that are looked at, the last ones: each is heard anew. */
const MOST_CORRECTIONS = 3;

/** "Check and publish? No, just check it": what a message asks for behind the place where it takes back what it has asked for. */
export function correctedIn(
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
