import { withoutGreeting } from "../language/index.ts";
import { constraintIn, goesOn, namesOne, oddsOf, surest, TIE } from "./choose-talk.ts";
import type { Candidate, ServiceModel } from "./service-model.ts";
import type { Talk } from "./talk.ts";
import type { TurnDeps } from "./turn-step.ts";
import type { WorkingSet } from "./working-set.ts";

/** How likely a keyword alone makes a service. */
const KEYWORD = 0.75;
/** How much more likely a keyword makes a service that has examples: against nobody, and against a flow, which may share the word. */
const KEYWORD_FACTOR = 8;
const KEYWORD_FACTOR_FLOW = 2;
/** A service that is less likely is not meant. */
const POSSIBLE = 0.3;
/** One that is less likely is not taken without a question. */
const LIKELY = 0.35;
/** What examples say is rough: of two services, one is taken without a question where its odds are so much better. */
const CLEAR = 3;
/**
 * The model of a flow has never seen what services are asked for, and is often sure that it is one of the flow's goals. Examples were
 * learnt beside what flows are asked for, so that they count for more.
 */
const TRUST = 8;

/** A service that a message may be for, with its odds against nobody and against a flow. */
export type Likely = { candidate: Candidate; odds: number; againstFlow: number; byKeyword: boolean };
/** What a flow makes of the message. */
export type Heard = { talk: Talk; category: string; confidence: number };

export type Ranking =
  | { kind: "service"; candidate: Candidate; confidence: number }
  /** The likeliest first. */
  | { kind: "unsure"; services: readonly Likely[]; flow?: Heard }
  /** The flows want it, or their conversation goes on. */
  | { kind: "flows" }
  | { kind: "nobody" };

type Deps = Pick<TurnDeps, "talks" | "route" | "intentThreshold">;

/** Finds out which service a message asks for, if any. Changes nothing. */
export function rankServices(
  said: string,
  { working, services }: { working: WorkingSet; services: ServiceModel },
  { talks, route, intentThreshold }: Deps,
): Ranking {
  const message = withoutGreeting(said);
  const [best, second] = likelyOf(message, services);
  if (!best || best.odds < oddsOf(POSSIBLE)) return { kind: "nobody" };
  const talk = talks.find(({ flow }) => flow.name === working.flow);
  if (talk && goesOn(message, talk, working, undefined)) return { kind: "flows" };
  // A dialogue keeps its user. "Gearbox only, 60 dollars at least" and "too wild, back to the 4" have no more than an amount of its examples.
  const isDialogue = best.candidate.service.target.kind === "dialogue" && !best.byKeyword;
  if (isDialogue && talks.some((one) => namesOne(message, one, undefined))) return { kind: "flows" };
  if (isDialogue && talk && constraintIn(message, talk, working, undefined)) return { kind: "flows" };
  const heard = surest(message, talks);
  const routed = heard ? undefined : route(message, { plan: false });
  const isRouted = routed !== undefined && routed.kind !== "general";
  const rival = heard ? oddsOf(heard.confidence) : isRouted ? oddsOf(KEYWORD) : 0;
  const own = best.againstFlow;
  if (own * TIE <= rival) return { kind: "flows" };
  const isTie = own < TIE * rival && !(best.byKeyword && route(message, { plan: false }).kind === "general");
  const isLikely = best.odds >= oddsOf(LIKELY);
  const rivals =
    second && best.odds < CLEAR * second.odds && best.byKeyword === second.byKeyword ? [second] : [];
  const flow = heard && heard.confidence >= POSSIBLE && (isTie || !isLikely) ? heard : undefined;
  if (rivals.length > 0 || flow)
    return { kind: "unsure", services: [best, ...rivals], ...(flow ? { flow } : {}) };
  if (isTie && isRouted) return { kind: "flows" };
  if (!isLikely) return { kind: heard && heard.confidence >= intentThreshold ? "flows" : "nobody" };
  return { kind: "service", candidate: best.candidate, confidence: best.odds / (1 + best.odds) };
}

/** The two services that are likeliest. */
function likelyOf(message: string, { candidates, classify }: ServiceModel): Likely[] {
  const byExamples = classify(message);
  const found: Likely[] = [];
  for (const candidate of candidates.values()) {
    const { service, keywords } = candidate;
    const byKeyword = keywords?.test(message) ?? false;
    const likelihood = byExamples.get(service.name);
    const likely =
      likelihood === undefined
        ? byWord(candidate, byKeyword)
        : byBoth(candidate, byKeyword, oddsOf(likelihood));
    if (likely.odds > 0) found.push(likely);
  }
  return found.sort((one, other) => other.odds - one.odds).slice(0, 2);
}

function byWord(candidate: Candidate, byKeyword: boolean): Likely {
  const odds = byKeyword ? oddsOf(KEYWORD) : 0;
  return { candidate, byKeyword, odds, againstFlow: odds };
}

function byBoth(candidate: Candidate, byKeyword: boolean, odds: number): Likely {
  return {
    candidate,
    byKeyword,
    odds: odds * (byKeyword ? KEYWORD_FACTOR : 1),
    againstFlow: odds * TRUST * (byKeyword ? KEYWORD_FACTOR_FLOW : 1),
  };
}
