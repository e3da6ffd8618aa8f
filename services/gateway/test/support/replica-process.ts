/**
 * One of several processes of the same agent. It says where it is in each answer, and takes `REPLICA_MS` for it.
 *
 *     node replica-process.ts HOST PORT
 */
import { setTimeout as delay } from "node:timers/promises";
import { begin, finish, standIn } from "./stand-in.ts";

const [host, port] = process.argv.slice(2);
const agent = await standIn(
  {
    async WHERE(call) {
      begin(call);
      await delay(Number(process.env.REPLICA_MS ?? 0));
      finish(call, { host });
    },
  },
  Number(port),
  host,
);
process.send?.({ port: agent.port });
