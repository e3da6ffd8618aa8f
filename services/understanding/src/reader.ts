import { type GoalModel, loadGoals } from "./routing/goals.ts";
import { loadTagger, type Model } from "./tagger/index.ts";

/** The models of the learnt reader: what constrains an answer, and what is asked for, which rules tell where it is absent. */
export type LearntReader = { readonly tagger: Model; readonly goals?: GoalModel };

/** Those that ship with the library. */
export const loadReader = (): LearntReader => ({ tagger: loadTagger(), goals: loadGoals() });
