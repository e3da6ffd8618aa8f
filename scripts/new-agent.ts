/**
 * `npm run -s new:agent -- NAME`: makes an agent that runs, with its tests, and adds it to the mesh: to the manifest, by which `npm start`
 * starts it, and to Compose. Either all of it is made or nothing. It is a copy of an agent in new-agent/templates, which are tested as they are.
 * With `--standalone FOLDER` the agent is a repository of its own on the published packages, and the manifest alone learns of it.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fail, say } from "./cli/src/console.ts";
import { root } from "./lib/paths.ts";
import { type Order, readOrder, USAGE } from "./new-agent/order.ts";
import { changesFor } from "./new-agent/plan.ts";
import { readRepository } from "./new-agent/repository.ts";
import { type Changes, write } from "./new-agent/write.ts";

function main(): void {
  const args = process.argv.slice(2);
  if (args.includes("--help")) {
    say(`usage: ${USAGE}`);
    return;
  }
  const repository = readRepository(root);
  const order = readOrder(args, repository.taken);
  const changes = changesFor(order, repository);
  write(root, changes);
  announce(order, changes);
}

function announce(
  { name, language, dialogue, taskType, port, standalone }: Order,
  { folder, files, edits }: Changes,
): void {
  const kind = `${language === "python" ? "Python" : "TypeScript"}${dialogue ? ", a dialogue" : ""}`;
  say(`Made the agent ${name} (${kind}): task ${taskType}, port ${port}.

  ${folder}/  ${[...files.keys()].join("  ")}
  changed: ${edits.map(({ file }) => file).join(", ")}

Next:

${standalone === undefined ? here(folder, port, taskType) : elsewhere(standalone)}`);
}

function here(folder: string, port: number, taskType: string): string {
  return `  npm test -- ${folder}
  npm start
  npm run -s conformance -- --strict --target http://127.0.0.1:${port}=${taskType}
`;
}

function elsewhere(folder: string): string {
  return `${thisNode(process.env)}  cd ${folder}
  npm install              (or from tarballs: docs/writing-an-agent.md)
  npm test
  npm start
  npm run -s conformance
`;
}

/**
 * Puts this Node first, for whoever has an older one: in a repository of its own, the agent brings none. An npm on another Node than its own
 * no longer finds its global configuration, which may be what names the registry and its certificates.
 */
function thisNode({ npm_config_user_agent = "", npm_config_globalconfig = "" }: NodeJS.ProcessEnv): string {
  const [, theirs] = /\bnode\/v(\d+)/.exec(npm_config_user_agent) ?? [];
  const ours = Number.parseInt(process.versions.node, 10);
  if (theirs === undefined || Number(theirs) >= ours) return "";
  const npms = existsSync(npm_config_globalconfig)
    ? ` npm_config_globalconfig="${npm_config_globalconfig}"`
    : "";
  return `  export PATH="${dirname(process.execPath)}:$PATH"${npms}    # Node ${ours}; yours is ${theirs}\n`;
}

try {
  main();
} catch (error) {
  fail(error);
}
