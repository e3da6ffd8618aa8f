/** An agent in its own process, for tests of signals and settings. */
import { createAgent, SettingError, serve } from "../src/index.ts";
import { countTask, deafTask, slowTask } from "./agents.ts";

const agent = () => {
  if (process.env.COLOUR !== undefined) throw new SettingError("COLOUR must not be set.");
  return createAgent({
    card: { name: "child", version: "1" },
    tasks: { COUNT: countTask, DEAF: deafTask, SLOW: slowTask(1500) },
  });
};
await serve(agent, process.env, { port: 0 });
