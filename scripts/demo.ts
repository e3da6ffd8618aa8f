/** `npm run demo`: starts the mesh on free ports, prints the answer to one composite ask, and stops. */
import { fail, say } from "./cli/src/console.ts";
import { demo } from "./cli/src/demo.ts";
import { stopSignal } from "./cli/src/stop-signal.ts";
import { COMPOSITE_ASK } from "./lib/asks.ts";
import { root } from "./lib/paths.ts";
import { SERVICES } from "./lib/services.ts";

const redisUrl = process.env.REDIS_URL || undefined;
await demo(COMPOSITE_ASK, { cwd: root, services: SERVICES, redisUrl, signal: stopSignal(), say }).catch(fail);
