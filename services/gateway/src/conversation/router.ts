import type { Mesh, Service } from "../mesh.ts";

/** Where a message goes. */
export type Route =
  | { kind: "ask"; intent: string; service: Service & { target: { kind: "agent" } } }
  | { kind: "plan"; intent: "plan"; flow: string; goals: readonly string[] }
  | { kind: "general"; intent: "general" };

export type Router = (message: string, options: { plan: boolean }) => Route;

/**
 * Routes without a model, by the keywords of the manifest. A keyword matches at the start of a word, without regard to case, so that
 * `explain` finds "Explained". One service asked for is a simple ask; several goals of one flow, or the flow itself, are a plan.
 */
export function keywordRouter(mesh: Mesh): Router {
  const matchers = [...mesh.services.values()].map((service) => ({
    service,
    pattern: service.keywords.length > 0 ? keywordPattern(service.keywords) : undefined,
  }));
  const flows = [...mesh.flows.values()];

  return (message, { plan }) => {
    const asked = matchers.filter(({ pattern }) => pattern?.test(message)).map(({ service }) => service);
    const named = asked.find((service) => service.target.kind === "flow");
    if (named?.target.kind === "flow") {
      const flow = mesh.flows.get(named.target.flow);
      if (flow) return { kind: "plan", intent: "plan", flow: flow.name, goals: flow.defaultGoals };
    }
    const names = asked.map((service) => service.name);
    if (plan || asked.length > 1) {
      const flow =
        flows.find((candidate) => names.some((name) => candidate.goals.has(name))) ??
        (plan ? flows[0] : undefined);
      if (flow) {
        const goals = names.filter((name) => flow.goals.has(name));
        if (plan || goals.length > 1) {
          return {
            kind: "plan",
            intent: "plan",
            flow: flow.name,
            goals: goals.length > 0 ? goals : flow.defaultGoals,
          };
        }
      }
    }
    const service = asked[0];
    if (service && isAgentService(service)) return { kind: "ask", intent: service.name, service };
    return { kind: "general", intent: "general" };
  };
}

function isAgentService(service: Service): service is Service & { target: { kind: "agent" } } {
  return service.target.kind === "agent";
}

function keywordPattern(keywords: readonly string[]): RegExp {
  const words = keywords.map((keyword) => keyword.trim().split(/\s+/).map(escapeRegExp).join("\\s+"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})`, "iu");
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
