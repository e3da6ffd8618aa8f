import type { Service } from "../mesh/index.ts";
import { surest } from "./choose-talk.ts";
import { buttonIn } from "./gate/offer.ts";
import { hearModel } from "./hear-model.ts";
import { mayHave, mayUse } from "./offers.ts";
import { askService, chosenOption } from "./questions.ts";
import { type Ranking, rankServices } from "./rank-services.ts";
import { serve } from "./serve.ts";
import type { Candidate, ServiceModel } from "./service-model.ts";
import type { Turn, TurnDeps } from "./turn-step.ts";
import { leaves, takesUp } from "./ways.ts";
import { type Language, languageOf, wording } from "./wording.ts";
import {
  type Option,
  type Question,
  type WorkingSet,
  withFlow,
  withoutDialogue,
  withoutQuestion,
} from "./working-set.ts";

type Outcome = "next" | "answered";

/** The message, and the session's working set. */
type Hearing = { message: string; working: WorkingSet; services: ServiceModel };

/**
 * Finds out whether a message is for a service that no flow answers for: the dialogue that waits for the user, one that the user takes up
 * again, or one that the message asks for. Everything else is for the flows, and so is what names a flow or goals.
 */
export function chooseService(turn: Turn, deps: TurnDeps): Outcome | Promise<Outcome> {
  const { message, flow, goals, plan } = turn.request;
  const { services } = deps;
  const { working } = turn;
  if (!services || !working || message === undefined) return "next";
  // A button carries its own meaning: "Yes: …" is not an answer to a dialogue's question.
  if (flow !== undefined || goals !== undefined || buttonIn(message)) return "next";
  const hearing = { message, working, services };
  if (plan) return planElsewhere(turn, hearing, deps);
  const answer = answerOf(turn, hearing, deps);
  if (answer) return answer;
  const active = working.dialogue === undefined ? undefined : services.candidates.get(working.dialogue);
  const namesOne = services.dialogues.some(({ named }) => takesUp(message, named) !== undefined);
  // Most messages need no read from the store.
  if (!active && !namesOne) return ask(turn, hearing, undefined, deps);
  return goOn(turn, hearing, active, deps);
}

/** The answer to the question which service or flow an earlier message is for. */
function answerOf(turn: Turn, { message, working }: Hearing, deps: TurnDeps): Outcome | undefined {
  const { question } = working;
  const option = question?.key === "service" ? chosenOption(message, question.options) : undefined;
  if (!question || !option) return undefined;
  const asked = question.pending.message;
  const service = option.service === undefined ? undefined : deps.mesh.services.get(option.service);
  if (service) return serve(turn, service, { confidence: 1, source: "user", message: asked }, deps);
  if (option.flow === undefined || asked === undefined) return undefined;
  turn.message = asked;
  turn.working = withFlow(withoutQuestion(withoutDialogue(working)), option.flow);
  return "next";
}

/**
 * A dialogue gets what the user says until it is done or the user leaves it. One that was left goes on where the user takes it up again.
 * @param active the dialogue or remote service that the last turn was for
 */
async function goOn(
  turn: Turn,
  hearing: Hearing,
  active: Candidate | undefined,
  deps: TurnDeps,
): Promise<Outcome> {
  const { message, services } = hearing;
  const { caller, sessionId } = turn.request;
  const known = new Map(services.dialogues.map((candidate) => [candidate.service.name, candidate]));
  if (active) known.set(active.service.name, active);
  const { busy, waiting } = await deps.sessions.midFlow(caller, sessionId, [...known.keys()]);
  // A turn in progress may end with the dialogue waiting for the user.
  if (active && (busy || waiting.includes(active.service.name))) {
    if (leaves(message, active.named)) return leave(turn, hearing, active.service);
    return serve(turn, active.service, { confidence: 1, source: "rules" }, deps);
  }
  const left = waiting.flatMap((name) => known.get(name) ?? []);
  return takeUp(turn, hearing, left, deps) ?? ask(turn, hearing, active, deps);
}

function leave(turn: Turn, { message, working }: Hearing, service: Service): Outcome {
  const language = languageOf(message);
  const words = wording(language);
  const label = labelOf(service, language);
  turn.target = { kind: "general", reply: { text: words.kept(label), buttons: [words.goOn(label)] } };
  turn.next = withoutQuestion(withoutDialogue(working));
  return "answered";
}

/** @param left the dialogues that wait for the user */
function takeUp(
  turn: Turn,
  { message, working }: Hearing,
  left: readonly Candidate[],
  deps: TurnDeps,
): Outcome | undefined {
  const meant = left.filter(({ named }) => takesUp(message, named) !== undefined);
  const byName = meant.filter(({ named }) => takesUp(message, named) !== "any");
  const chosen = byName.length > 0 ? byName : meant;
  const [first, second] = chosen;
  if (!first) return undefined;
  if (second) {
    const language = languageOf(message);
    return put(turn, working, askService(message, optionsOf(chosen, language), ""));
  }
  const says = takesUp(message, first.named) === "this and more" ? undefined : "";
  return serve(turn, first.service, { confidence: 1, source: "rules", message: says }, deps);
}

/** Chooses by what the message asks for. @param active the service that the last turn was for, which waits for nothing */
function ask(
  turn: Turn,
  hearing: Hearing,
  active: Candidate | undefined,
  deps: TurnDeps,
): Outcome | Promise<Outcome> {
  const working = withoutDialogue(hearing.working);
  turn.working = working;
  // What others note at the end of their turns, nobody notes in a mesh without flows that are asked in words.
  if (deps.talks.length === 0 && hearing.working !== working) turn.next = withoutQuestion(working);
  if (deps.askModel) return askFirst(turn, hearing, active, deps);
  return rank(turn, hearing, active, deps);
}

/** A model that says what the message is for is believed: what has effects, others make sure of. */
async function askFirst(
  turn: Turn,
  hearing: Hearing,
  active: Candidate | undefined,
  deps: TurnDeps,
): Promise<Outcome> {
  const told = await hearModel(turn, deps);
  if (!told) return rank(turn, hearing, active, deps);
  const service = told.route.kind === "service" ? deps.mesh.services.get(told.route.service) : undefined;
  if (service) return serve(turn, service, { confidence: 1, source: "model" }, deps);
  if (told.route.kind === "none" && active?.service.target.kind === "remote")
    return serve(turn, active.service, { confidence: 1, source: "rules" }, deps);
  return "next";
}

function rank(
  turn: Turn,
  hearing: Hearing,
  active: Candidate | undefined,
  deps: TurnDeps,
): Outcome | Promise<Outcome> {
  const { message } = hearing;
  const working = withoutDialogue(hearing.working);
  const ranking = rankServices(message, { ...hearing, working }, deps);
  switch (ranking.kind) {
    case "service": {
      const { candidate, confidence } = ranking;
      return serve(turn, candidate.service, { confidence, source: "local" }, deps);
    }
    case "unsure":
      return clarify(turn, { ...hearing, working }, ranking, deps);
    case "flows":
      return "next";
    case "nobody":
      // A remote gateway has a conversation of its own, which goes on with what nobody here is asked for.
      if (active?.service.target.kind !== "remote" || isForFlows(message, deps)) return "next";
      return serve(turn, active.service, { confidence: 1, source: "rules" }, deps);
    default:
      return ranking satisfies never;
  }
}

/** A plan is made by a flow, of this gateway or of another one. */
function planElsewhere(turn: Turn, hearing: Hearing, deps: TurnDeps): Outcome {
  const ranking = rankServices(hearing.message, hearing, deps);
  if (ranking.kind !== "service" || ranking.candidate.service.target.kind !== "remote") return "next";
  const { candidate, confidence } = ranking;
  return serve(turn, candidate.service, { confidence, source: "local" }, deps);
}

const isForFlows = (message: string, { talks, route, intentThreshold }: TurnDeps): boolean =>
  talks.length > 0
    ? (surest(message, talks)?.confidence ?? 0) >= intentThreshold
    : route(message, { plan: false }).kind !== "general";

/** Asks which of the likely readings is meant, as far as the caller may have them; the same is not asked twice in a row. */
function clarify(
  turn: Turn,
  { message, working }: Hearing,
  { services, flow }: Extract<Ranking, { kind: "unsure" }>,
  deps: TurnDeps,
): Outcome | Promise<Outcome> {
  const { caller } = turn.request;
  const language = languageOf(message);
  const allowed = services.filter(({ candidate }) => mayUse(caller, candidate.service, deps));
  const options: Option[] = optionsOf(
    allowed.map(({ candidate }) => candidate),
    language,
  );
  if (flow && mayHave(caller, flow.category, flow.talk, deps)) {
    const label = flow.talk.labels.get(flow.category)?.[language] ?? flow.category;
    options.push({ label, flow: flow.talk.flow.name });
  }
  if (options.length > 1 && working.asked !== "service") {
    return put(turn, working, askService(message, options, message));
  }
  const left = allowed.length > 0 ? allowed : services;
  const [first] = left;
  // Similar services share their evidence, so compare the flows with all of them together.
  const likelihood = left.reduce((sum, { odds }) => sum + odds / (1 + odds), 0);
  const isFlows = options.length === 1 ? options[0]?.flow !== undefined : likelihood < 0.5;
  if (!first || isFlows) return "next";
  const confidence = first.odds / (1 + first.odds);
  return serve(turn, first.candidate.service, { confidence, source: "local" }, deps);
}

function put(turn: Turn, working: WorkingSet, question: Question): Outcome {
  const buttons = question.options.map(({ label }) => label);
  turn.target = { kind: "general", reply: { text: question.text, buttons } };
  turn.next = { ...withoutDialogue(working), question, asked: question.key };
  return "answered";
}

function optionsOf(candidates: readonly Candidate[], language: Language): Option[] {
  return candidates.map(({ service }) => ({ label: labelOf(service, language), service: service.name }));
}

const labelOf = ({ label, name }: Service, language: Language): string => label?.[language] ?? name;
