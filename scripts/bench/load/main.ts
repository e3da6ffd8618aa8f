/** The load, as a process of its own: what it costs must not count as the gateway's, nor wait for the one that measures. */
import { Commands } from "./commands.ts";
import type { LoadAnswer, LoadCall } from "./load.ts";

const commands = new Commands();

async function answer({ id, name, args }: LoadCall): Promise<LoadAnswer> {
  try {
    const method = commands[name] as (...args: readonly unknown[]) => unknown;
    return { id, value: await method.apply(commands, [...args]) };
  } catch (error) {
    return { id, error: Error.isError(error) ? error.message : String(error) };
  }
}

process.on("message", (call: LoadCall) => {
  void answer(call).then((message) => process.send?.(message));
});
// The one that measures is gone.
process.on("disconnect", () => process.exit(0));
