import { DEFAULT_ISSUER_PORT } from "@interlock/issuer";

/** How to run a service of the mesh as a process. */
export interface ServiceDefinition {
  readonly name: string;
  readonly main: string;
  /** Arguments of that program itself. */
  readonly nodeArgs?: readonly string[];
  readonly readyPath: string;
  readonly defaultPort: number;
  /** Environment variable that sets its port in `npm start`. */
  readonly portVariable: string;
  /** Environment variable that tells the gateway its address; the issuer reads its own there. */
  readonly urlVariable?: string;
  readonly taskTypes?: readonly string[];
}

export const GATEWAY = "gateway";

/** Vouches for the users of a mesh under development. */
export const ISSUER: ServiceDefinition = {
  name: "issuer",
  main: "services/issuer/src/main.ts",
  readyPath: "/health/ready",
  defaultPort: DEFAULT_ISSUER_PORT,
  portVariable: "ISSUER_PORT",
  urlVariable: "DEVELOPMENT_ISSUER",
};

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
  {
    name: GATEWAY,
    main: "services/gateway/src/main.ts",
    // Most of a request's objects are garbage when it ends: in a larger young generation they die before they are promoted.
    nodeArgs: ["--max-semi-space-size=32"],
    readyPath: "/readyz",
    defaultPort: 8080,
    portVariable: "GATEWAY_PORT",
  },
];

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
