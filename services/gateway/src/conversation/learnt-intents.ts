import { type IntentModel, learnExamples, withoutGreeting } from "../language/index.ts";
import type { Flow, Mesh, Service } from "../mesh/index.ts";
import { keywordPattern } from "./router.ts";
import { COMPOSITE, GENERAL } from "./talk.ts";

/** How much likelier a keyword makes what it is for. */
const KEYWORD_FACTOR = 8;
/** How much likelier keywords make it that one of theirs is asked for than that nothing is: few examples say little against them. */
const KEYWORD_ODDS = 3;
/** Each of several goals that a message names by keywords is at least so likely. */
const NAMED = 0.2;

/**
 * What a flow without trained models is asked for, by the examples and keywords of the services that stand for its goals. Without it the
 * flow would be routed by keywords alone, and nobody would read its slots.
 * @returns undefined for a flow without slots, or where nothing says what it is asked for
 */
export async function learntIntents(flow: Flow, mesh: Mesh): Promise<IntentModel | undefined> {
  if (!flow.slots) return undefined;
  const asked = [...mesh.services.values()].flatMap((service) => {
    const { examples, keywords } = service;
    const category = categoryOf(service, flow);
    if (category === undefined || examples.length + keywords.length === 0) return [];
    return [{ category, examples, keywords: keywords.length > 0 ? keywordPattern(keywords) : undefined }];
  });
  if (asked.length === 0) return undefined;
  const model = await learnExamples(new Map(asked.map(({ category, examples }) => [category, examples])));
  return {
    classify(text) {
      const said = withoutGreeting(text);
      const likely = model?.classify(said) ?? new Map<string, number>();
      const none = 1 - [...likely.values()].reduce((sum, one) => sum + one, 0);
      const named = asked.filter(({ keywords }) => keywords?.test(said));
      const weighed = asked.map((one) => {
        const own = likely.get(one.category) ?? 0;
        const byKeyword = named.includes(one);
        const weight = byKeyword ? KEYWORD_FACTOR * own + (KEYWORD_ODDS * none) / named.length : own;
        return { category: one.category, byKeyword, weight };
      });
      const all = weighed.reduce((sum, { weight }) => sum + weight, none) || 1;
      const found = weighed
        .map((one) => ({ ...one, weight: one.weight / all }))
        .sort((one, other) => other.weight - one.weight);
      const probabilities = Object.fromEntries([
        ...found.map(({ category, weight }) => [category, weight]),
        [GENERAL, none / all],
      ]);
      const several = found.filter(({ byKeyword, weight }) => byKeyword && weight >= NAMED);
      if (several.length > 1) {
        const confidence = several.reduce((sum, { weight }) => sum + weight, 0);
        const goals = several.map(({ category }) => category);
        return {
          category: COMPOSITE,
          confidence,
          goals,
          probabilities: { [COMPOSITE]: confidence, ...probabilities },
        };
      }
      const [best] = found;
      return best && best.weight * all >= none
        ? { category: best.category, confidence: best.weight, goals: [best.category], probabilities }
        : { category: GENERAL, confidence: none / all, goals: [], probabilities };
    },
  };
}

/** The goal that a service stands for; `plan` where it is the whole flow. */
function categoryOf({ name, target }: Service, { name: flow, goals }: Flow): string | undefined {
  if (goals.has(name)) return name;
  if (target.kind !== "flow" || target.flow !== flow) return undefined;
  return target.goals.length === 1 ? target.goals[0] : COMPOSITE;
}
