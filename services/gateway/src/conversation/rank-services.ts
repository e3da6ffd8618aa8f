import { goesOn, oddsOf, surest, TIE } from "./choose-talk.ts";
import type { Candidate, ServiceModel } from "./service-model.ts";
import type { Talk } from "./talk.ts";
import type { TurnDeps } from "./turn-step.ts";
import type { WorkingSet } from "./working-set.ts";

/** How likely a keyword alone makes a service, and how much more likely it makes one that has examples too. */
const KEYWORD = 0.75;
const KEYWORD_FACTOR = 4;
/** A service that is less likely is not meant. */
const POSSIBLE = 0.3;
/** One that is less likely is not taken without a question. */
const LIKELY = 0.5;
/**
 * The model of a flow has never seen what services are asked for, and is often sure that it is one of the flow's goals. Examples were
 * learnt beside what flows are asked for, so that they count for more.
 */
const TRUST = 8;

/** A service that a message may be for. */
export type Likely = { candidate: Candidate; odds: number; byKeyword: boolean };
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
  message: string,
  { working, services }: { working: WorkingSet; services: ServiceModel },
  { talks, route, intentThreshold }: Deps,
): Ranking {
  const [best, second] = likelyOf(message, services);
  if (!best) return { kind: "nobody" };
  const talk = talks.find(({ flow }) => flow.name === working.flow);
  if (talk && goesOn(message, talk, working, undefined)) return { kind: "flows" };
  const heard = surest(message, talks);
  const routed = heard ? undefined : route(message, { plan: false });
  const isRouted = routed !== undefined && routed.kind !== "general";
  const rival = heard ? oddsOf(heard.confidence) : isRouted ? oddsOf(KEYWORD) : 0;
  const own = best.odds * (best.candidate.service.examples.length > 0 ? TRUST : 1);
  if (own * TIE <= rival) return { kind: "flows" };
  const isTie = own < TIE * rival && !(best.byKeyword && route(message, { plan: false }).kind === "general");
  const isLikely = best.odds >= oddsOf(LIKELY);
  const rivals =
    second && best.odds < TIE * second.odds && best.byKeyword === second.byKeyword ? [second] : [];
  const flow = heard && heard.confidence >= POSSIBLE && (isTie || !isLikely) ? heard : undefined;
  if (rivals.length > 0 || flow)
    return { kind: "unsure", services: [best, ...rivals], ...(flow ? { flow } : {}) };
  if (isTie && isRouted) return { kind: "flows" };
  if (!isLikely) return { kind: heard && heard.confidence >= intentThreshold ? "flows" : "nobody" };
  return { kind: "service", candidate: best.candidate, confidence: best.odds / (1 + best.odds) };
}

/** The services that are possible, the likeliest first. */
function likelyOf(message: string, { candidates, classify }: ServiceModel): Likely[] {
  const byExamples = classify(message);
  const found: Likely[] = [];
  for (const candidate of candidates.values()) {
    const { service, keywords } = candidate;
    const byKeyword = keywords?.test(message) ?? false;
    const likelihood = byExamples.get(service.name);
    const odds =
      likelihood === undefined
        ? byKeyword
          ? oddsOf(KEYWORD)
          : 0
        : oddsOf(likelihood) * (byKeyword ? KEYWORD_FACTOR : 1);
    if (odds >= oddsOf(POSSIBLE)) found.push({ candidate, odds, byKeyword });
  }
  return found.sort((one, other) => other.odds - one.odds);
}
