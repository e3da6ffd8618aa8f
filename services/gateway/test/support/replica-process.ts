/**
 * One of several processes of the same agent. It says where it is in each answer. Once its parent process says `hold`, it answers
 * nothing until that says `answer`.
 *
 *     node replica-process.ts HOST PORT
 */
import { begin, finish, standIn } from "./stand-in.ts";

let held: PromiseWithResolvers<void> | undefined;
process.on("message", (word) => {
  held?.resolve();
  held = word === "hold" ? Promise.withResolvers() : undefined;
  process.send?.({});
});

const [host, port] = process.argv.slice(2);
const agent = await standIn(
  {
    async WHERE(call) {
      begin(call);
      await held?.promise;
      finish(call, { host });
    },
  },
  Number(port),
  host,
);
process.send?.({ port: agent.port });
