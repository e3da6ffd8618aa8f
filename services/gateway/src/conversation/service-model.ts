import { type ExamplesModel, learnExamples } from "../language/index.ts";
import type { Mesh, Service } from "../mesh/index.ts";
import { keywordPattern } from "./router.ts";
import type { Talk } from "./talk.ts";

/** A service that messages may be for, and how they name it. */
export type Candidate = {
  service: Service;
  /** Its keywords. */
  keywords?: RegExp;
  /** Its name, label and keywords: "continue the transfer". */
  named: RegExp;
};

/** What tells apart the services that no flow answers for. */
export type ServiceModel = {
  candidates: ReadonlyMap<string, Candidate>;
  /** Those that hold a conversation of their own. */
  dialogues: readonly Candidate[];
  /** How likely each candidate is, by examples; those without examples are absent. */
  classify: ExamplesModel["classify"];
};

const NOTHING: ReadonlyMap<string, number> = new Map();

/**
 * Learns from the examples of the services, a piece a turn of the event loop.
 * @returns undefined where flows and keywords alone decide
 */
export async function loadServiceModel(
  mesh: Mesh,
  talks: readonly Talk[],
): Promise<ServiceModel | undefined> {
  const chosen = [...mesh.services.values()].filter((service) => isCandidate(service, talks));
  if (chosen.length === 0) return undefined;
  const examples = await learnExamples(new Map(chosen.map(({ name, examples }) => [name, examples])));
  const candidates = chosen.map(candidateOf);
  return {
    candidates: new Map(candidates.map((candidate) => [candidate.service.name, candidate])),
    dialogues: candidates.filter(({ service }) => service.target.kind === "dialogue"),
    classify: (message) => examples?.classify(message) ?? NOTHING,
  };
}

/** A goal of a flow that can be asked in words is that flow's; without such flows, keywords alone choose flows and agents. */
function isCandidate({ name, target, examples, keywords }: Service, talks: readonly Talk[]): boolean {
  if (target.kind === "dialogue" || target.kind === "remote") return true;
  if (talks.some(({ flow }) => flow.goals.has(name) || (target.kind === "flow" && target.flow === flow.name)))
    return false;
  return examples.length > 0 || (talks.length > 0 && keywords.length > 0);
}

function candidateOf(service: Service): Candidate {
  const { name, label, keywords } = service;
  const names = [name.replaceAll(/[-_]/g, " "), ...(label ? [label.en, label.ko] : []), ...keywords];
  return {
    service,
    ...(keywords.length > 0 ? { keywords: keywordPattern(keywords) } : {}),
    named: keywordPattern(names.sort((one, other) => other.length - one.length)),
  };
}
