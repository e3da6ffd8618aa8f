import { DEFAULT_ISSUER_PORT } from "@interlock/issuer";

/** How to run a service of the mesh as a process. */
export interface ServiceDefinition {
  readonly name: string;
  readonly main: string;
  /** The program that runs it (default: Node). */
  readonly command?: string;
  /** Arguments of that program itself. */
  readonly nodeArgs?: readonly string[];
  readonly readyPath: string;
  readonly defaultPort: number;
  /** Environment variable that sets its port in `npm start`. */
  readonly portVariable: string;
  /** Environment variable that tells the gateway its address; the issuer reads its own there. */
  readonly urlVariable?: string;
  readonly taskType?: string;
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

export const SERVICES: readonly ServiceDefinition[] = [
  agent("optimizer", 8081, "PRICE_OPTIMIZATION"),
  agent("policy", 8082, "POLICY_CHECK"),
  agent("explainer", 8083, "PRICE_EXPLANATION"),
  agent("sensitivity", 8084, "SENSITIVITY_ANALYSIS"),
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

function agent(
  name: string,
  defaultPort: number,
  taskType: string,
  language: "typescript" | "python" = "typescript",
): ServiceDefinition {
  const upper = name.toUpperCase().replaceAll("-", "_");
  return {
    name,
    ...(language === "python"
      ? { command: "python3", main: `services/${name}/main.py` }
      : { main: `services/${name}/src/main.ts` }),
    readyPath: "/health/ready",
    defaultPort,
    portVariable: `${upper}_PORT`,
    urlVariable: `${upper}_URL`,
    taskType,
  };
}
