import { GATEWAY, GATEWAY_SERVICE, ISSUER, type ServiceDefinition } from "../cli/src/services.ts";

export { GATEWAY, ISSUER, type ServiceDefinition };

/** What this repository ships. Agents that others add to the manifest have their `command` there. */
export const SERVICES: readonly ServiceDefinition[] = [
  agent("optimizer", 8081, "PRICE_OPTIMIZATION"),
  agent("policy", 8082, "POLICY_CHECK", "ORDER_CHECK"),
  agent("explainer", 8083, "PRICE_EXPLANATION"),
  agent("sensitivity", 8084, "SENSITIVITY_ANALYSIS"),
  agent("reporter", 8087, "PRICING_REPORT"),
  agent("transfer", 8086, "TRANSFER_TURN"),
  agent(
    "cost",
    8088,
    ...["COST_QUERY", "COST_FORECAST", "RESOURCE_INFO", "ANOMALY", "REPORT", "ALERT_CONFIG", "ACTION_CHECK"],
  ),
  agent("savings", 8089, "SAVINGS", "ALERT_CHECK"),
  ISSUER,
  GATEWAY_SERVICE,
];

/** The agents of the pricing domain: a mesh that is asked of prices alone needs no others. */
export const PRICING_AGENTS: ReadonlySet<string> = new Set([
  "optimizer",
  "policy",
  "explainer",
  "sensitivity",
  "reporter",
]);

/** The services that a mesh of these agents wants: what the manifest does not name is not started. */
export function servicesFor(agents: ReadonlySet<string>): readonly ServiceDefinition[] {
  return SERVICES.filter(
    (service) => service === ISSUER || service.name === GATEWAY || agents.has(service.name),
  );
}

function agent(name: string, defaultPort: number, ...taskTypes: string[]): ServiceDefinition {
  const upper = name.toUpperCase().replaceAll("-", "_");
  return {
    name,
    main: `services/${name}/src/main.ts`,
    readyPath: "/health/ready",
    defaultPort,
    portVariable: `${upper}_PORT`,
    urlVariable: `${upper}_URL`,
    taskTypes,
  };
}
