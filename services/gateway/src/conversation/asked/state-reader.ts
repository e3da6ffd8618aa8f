import type { FlowStep, Mesh, Service } from "../../mesh/index.ts";
import { partsOf } from "../questions-in.ts";
import type { Language } from "../wording.ts";
import { asksState } from "./asks-state.ts";
import { STATE_TEXTS } from "./state-texts.ts";
import { type Vocabulary, vocabularyOf } from "./vocabulary.ts";

/** Tells which parts of messages ask how what has effects stands; absent where a mesh has no effects. */
export type StateReader = {
  asked: (message: string) => readonly string[];
  /** Whether the message asks that, and nothing else. */
  isAll: (message: string) => boolean;
  labelOf: (about: { flow: string; step: string }, language: Language) => string;
};

/** @returns undefined for a mesh in which nothing has effects or waits for an approval */
export function stateReader(mesh: Mesh): StateReader | undefined {
  const goals = goalsWithEffects(mesh);
  const isGated = [...mesh.flows.values()].some((flow) =>
    [...flow.steps.values()].some(({ approval }) => approval),
  );
  const services = [...new Set(goals.values())];
  if (services.length === 0 && !isGated) return undefined;
  const vocabulary: Vocabulary = vocabularyOf(services, mesh);
  const buttons = new Set(Object.values(STATE_TEXTS).map(({ button }) => button));
  const asks = (part: string): boolean => buttons.has(part) || asksState(part, vocabulary);
  return {
    asked: (message) => partsOf(message).filter(asks),
    isAll: (message) => {
      const parts = partsOf(message);
      return parts.length > 0 && parts.every(asks);
    },
    labelOf: ({ flow, step }, language) => goals.get(`${flow} ${step}`)?.label?.[language] ?? step,
  };
}

const hasEffect = (step: FlowStep | undefined): boolean =>
  step !== undefined &&
  (step.kind === "publish" ||
    step.approval !== undefined ||
    (step.kind === "agent" && step.effect !== undefined));

/** Flow and step → the service by which callers ask for it. */
function goalsWithEffects({ flows, services }: Mesh): ReadonlyMap<string, Service> {
  const found = new Map<string, Service>();
  for (const flow of flows.values())
    for (const [goal, steps] of flow.goals) {
      const service = services.get(goal);
      for (const step of steps)
        if (service && hasEffect(flow.steps.get(step))) found.set(`${flow.name} ${step}`, service);
    }
  return found;
}
