/** A service of the mesh as a process. */
export interface ServiceDefinition {
  readonly name: string;
  readonly main: string;
  /** Of Node, before `main`. */
  readonly nodeArgs?: readonly string[];
  readonly readyPath: string;
  readonly defaultPort: number;
  /** Sets the port of `npm start`. */
  readonly portVariable: string;
  /** How the gateway is told where it is. */
  readonly urlVariable?: string;
  readonly taskType?: string;
}

export const GATEWAY = "gateway";

export const SERVICES: readonly ServiceDefinition[] = [
  agent("optimizer", 8081, "PRICE_OPTIMIZATION"),
  agent("policy", 8082, "POLICY_CHECK"),
  agent("explainer", 8083, "PRICE_EXPLANATION"),
  agent("sensitivity", 8084, "SENSITIVITY_ANALYSIS"),
  {
    name: GATEWAY,
    main: "services/gateway/src/main.ts",
    // Most of what a request makes is garbage at its end: a larger nursery lets it die there.
    nodeArgs: ["--max-semi-space-size=32"],
    readyPath: "/readyz",
    defaultPort: 8080,
    portVariable: "GATEWAY_PORT",
  },
];

function agent(name: string, defaultPort: number, taskType: string): ServiceDefinition {
  const upper = name.toUpperCase();
  return {
    name,
    main: `services/${name}/src/main.ts`,
    readyPath: "/health/ready",
    defaultPort,
    portVariable: `${upper}_PORT`,
    urlVariable: `${upper}_URL`,
    taskType,
  };
}
