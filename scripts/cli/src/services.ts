import { fileURLToPath } from "node:url";
import { DEFAULT_ISSUER_PORT } from "@interlock/issuer";

/** How to run a service of the mesh as a process. */
export interface ServiceDefinition {
  readonly name: string;
  /** Its program: absolute, or in the folder that the mesh runs in. */
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
  main: fileURLToPath(import.meta.resolve("@interlock/issuer/main")),
  readyPath: "/health/ready",
  defaultPort: DEFAULT_ISSUER_PORT,
  portVariable: "ISSUER_PORT",
  urlVariable: "DEVELOPMENT_ISSUER",
};

export const GATEWAY_SERVICE: ServiceDefinition = {
  name: GATEWAY,
  main: fileURLToPath(import.meta.resolve("@interlock/gateway/main")),
  // Most of a request's objects are garbage when it ends: in a larger young generation they die before they are promoted.
  nodeArgs: ["--max-semi-space-size=32"],
  readyPath: "/readyz",
  defaultPort: 8080,
  portVariable: "GATEWAY_PORT",
};
