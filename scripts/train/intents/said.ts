import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readDomain } from "../../judge/domain.ts";
import { readSet, tasksOf, type Wants } from "../../judge/set.ts";
import { goalsOf } from "../../judge/verdict.ts";
import type { IntentSet, Utterance } from "./sets.ts";

const SAID = join(import.meta.dirname, "../../judge/sets");

/** The sets of the judge that are of the domain of a set of categories and may be learnt from: paths. */
export const saidFiles = ({ domain }: IntentSet): string[] =>
  readdirSync(SAID)
    .filter((name) => name.startsWith("strangers-") && name.endsWith(`-${domain}.jsonl`))
    .sort()
    .map((name) => join(SAID, name));

/**
 * What strangers said to the judge that asks for something by itself: first messages, and those that ask for something else than the one
 * before. What goes on with the same says too little of it.
 * @param without parts of the names of files that are not read
 */
export function readSaid(set: IntentSet, language: string, without: readonly string[] = []): Utterance[] {
  const domain = readDomain(set.domain);
  const label = (wants: Wants, goals: readonly string[]): string | undefined => {
    const [word] = tasksOf(wants);
    if (word === "none") return set.nothing;
    if (word === "talk") return set.talk;
    return goals.length > 1 ? set.several : goals[0];
  };
  return saidFiles(set)
    .filter((path) => !without.some((writer) => path.includes(`${writer}-`)))
    .flatMap((path) => readSet(path))
    .filter((conversation) => conversation.language === language)
    .flatMap(({ turns }) => {
      let last = "";
      return turns.flatMap(({ says, wants }): Utterance[] => {
        if (!wants) return [];
        const goals = goalsOf(wants, domain);
        const isAgain = goals.length > 0 && goals.toSorted().join() === last;
        last = goals.toSorted().join();
        const category = label(wants, goals);
        if (isAgain || category === undefined || !set.categories.includes(category)) return [];
        return [{ text: says, label: category, goals: set.goals.length > 0 ? goals : [] }];
      });
    });
}
