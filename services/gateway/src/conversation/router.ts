import { type Flow, isAgentService, isRoundsService, type Mesh, type Service } from "../mesh/index.ts";

/** Where a message goes. */
export type Route =
  | { kind: "ask"; intent: string; service: string }
  | { kind: "plan"; intent: "plan"; flow: string; goals: readonly string[] }
  | { kind: "general"; intent: "general" };

export type Router = (message: string, options: { plan: boolean }) => Route;

/**
 * Routes without a model, by the keywords of the manifest. A keyword matches at the start of a word, ignoring case, so that
 * `explain` finds "Explained". A message for one service is a simple ask; one for several goals of a flow, or for the flow itself, is a
 * plan.
 */
export function keywordRouter(mesh: Mesh): Router {
  const matchers = [...mesh.services.values()]
    // Whether a message is for a dialogue or another gateway was found out before; see choose-service.ts.
    .filter(({ target }) => ["flow", "agent", "rounds"].includes(target.kind))
    .map((service) => ({
      service,
      pattern: service.keywords.length > 0 ? keywordPattern(service.keywords) : undefined,
    }));
  const flows = [...mesh.flows.values()];

  return (message, { plan }) => {
    const asked = matchers.filter(({ pattern }) => pattern?.test(message)).map(({ service }) => service);
    const composite = asked.length > 1 || asked.some((service) => service.target.kind === "flow");
    if (plan || composite) {
      const flow = flows.find((candidate) => asked.some((service) => goalsIn(candidate, service).length > 0));
      const chosen = flow ?? (plan ? flows[0] : undefined);
      if (chosen) {
        const goals = [...new Set(asked.flatMap((service) => goalsIn(chosen, service)))];
        return {
          kind: "plan",
          intent: "plan",
          flow: chosen.name,
          goals: goals.length > 0 ? goals : chosen.defaultGoals,
        };
      }
    }
    const service = asked.find((one) => isAgentService(one) || isRoundsService(one));
    if (service) return { kind: "ask", intent: service.name, service: service.name };
    return { kind: "general", intent: "general" };
  };
}

/** The goals of a flow that a service stands for: those of its target, or the goal with its own name. */
function goalsIn(flow: Flow, service: Service): readonly string[] {
  if (service.target.kind === "flow") return service.target.flow === flow.name ? service.target.goals : [];
  return flow.goals.has(service.name) ? [service.name] : [];
}

/** Finds a keyword at the start of a word. */
export function keywordPattern(keywords: readonly string[]): RegExp {
  const words = keywords.map((keyword) => keyword.trim().split(/\s+/).map(escapeRegExp).join("\\s+"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "iu");
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
