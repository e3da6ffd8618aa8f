/**
 * `npm run -s new:domain -- NAME`: makes a domain that runs, services/NAME: what it declares, an agent with its tests, slots, examples and texts
 * in both languages. The manifest gets one line, in `include`; no other file learns of it. `--remove` takes both away again, as long as
 * the folder is as it was made.
 */
import { parseArgs } from "node:util";
import { fail, say } from "./cli/src/console.ts";
import { root } from "./lib/paths.ts";
import { OrderError, readOrder } from "./new-agent/order.ts";
import { readRepository } from "./new-agent/repository.ts";
import { write } from "./new-agent/write.ts";
import { changesFor, remove } from "./new-domain/plan.ts";

const USAGE = "npm run -s new:domain -- NAME [--port N] [--remove]";

function main(): void {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    say(`usage: ${USAGE}`);
    return;
  }
  const { name, port, toBeRemoved } = readArguments(args);
  if (toBeRemoved) {
    remove(root, name);
    say(`Removed services/${name}, and its line in mesh.yaml.`);
    return;
  }
  const { taken, texts } = readRepository(root);
  const order = readOrder([name, ...(port === undefined ? [] : ["--port", port])], taken, USAGE);
  const changes = changesFor(order, texts.manifest);
  write(root, changes);
  say(`Made the domain ${name}: task ${order.taskType}, port ${order.port}.

  ${changes.folder}/  ${[...changes.files.keys()].join("  ")}
  changed: mesh.yaml, one line

Next:

  npm test -- ${changes.folder}
  npm start -- --only ${name}
  npm run -s conformance -- --strict --target http://127.0.0.1:${order.port}=${order.taskType}
  npm run -s new:domain -- ${name} --remove
`);
}

function readArguments(args: string[]): { name: string; port: string | undefined; toBeRemoved: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { port: { type: "string" }, remove: { type: "boolean" } },
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new OrderError(["Name one domain."], USAGE);
    return { name, port: values.port, toBeRemoved: values.remove ?? false };
  } catch (error) {
    if (error instanceof OrderError) throw error;
    throw new OrderError([Error.isError(error) ? error.message : "The arguments are not valid."], USAGE);
  }
}

try {
  main();
} catch (error) {
  fail(error);
}
