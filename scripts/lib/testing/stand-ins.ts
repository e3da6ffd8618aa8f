import { GATEWAY, type ServiceDefinition } from "../services.ts";

const main = "scripts/lib/testing/stand-in.ts";

/** One agent and one gateway, both of them stand-ins. */
export const STAND_INS: readonly ServiceDefinition[] = [
  {
    name: "worker",
    main,
    readyPath: "/",
    defaultPort: 0,
    portVariable: "WORKER_PORT",
    urlVariable: "WORKER_URL",
  },
  { name: GATEWAY, main, readyPath: "/", defaultPort: 0, portVariable: "GATEWAY_PORT" },
];
