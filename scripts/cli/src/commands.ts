import { join } from "node:path";
import { parseArgs } from "node:util";
import { asksOf } from "./asks-of.ts";
import { check } from "./check.ts";
import { fail, say } from "./console.ts";
import { demo } from "./demo.ts";
import { newFlow } from "./new-flow.ts";
import { manifestIn, ownAgents } from "./own-agents.ts";
import { GATEWAY_SERVICE, ISSUER } from "./services.ts";
import { start } from "./start.ts";
import { startOwnAgents } from "./start-own-agents.ts";
import { stopSignal } from "./stop-signal.ts";
import { token } from "./token.ts";

const USAGE = `usage: interlock start [--only PART,…]      runs the mesh of mesh.yaml, or of MESH_FILE, until Ctrl-C
       interlock check [FILE]               checks a manifest as the gateway does at its start
       interlock new:flow NAME [--task AGENT/TASK] [--in FILE] [--remove]    adds a flow with an approval
       interlock token --user NAME [--role ROLE]… [--tenant NAME] [--ttl 30m|8h|7d]
       interlock demo                       starts the mesh on free ports, asks one example, and stops`;

const folder = process.cwd();
const dataDir = process.env.INTERLOCK_DATA_DIR || join(folder, ".data");
const services = [ISSUER, GATEWAY_SERVICE];

async function startHere(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { only: { type: "string" } } });
  const only = (values.only ?? process.env.MESH_ONLY)?.split(",").map((part) => part.trim());
  await start({ folder, dataDir, only, servicesFor: () => services, token: "npx interlock token" });
}

async function checkHere([file, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0) throw new Error("usage: interlock check [FILE]");
  check(file ?? manifestIn(folder), folder);
}

async function newFlowHere(args: readonly string[]): Promise<void> {
  const words = { self: "npx interlock new:flow", start: "npm start", token: "npx interlock token" };
  say(newFlow(args, folder, words).trimEnd());
}

async function tokenHere(args: readonly string[]): Promise<void> {
  say(await token(args, dataDir));
}

async function demoHere(): Promise<void> {
  const manifest = manifestIn(folder);
  const { agent, flow } = asksOf(manifest);
  const message = flow ?? agent;
  if (message === undefined)
    throw new Error(
      `${manifest} has no examples to ask: give a service some, as examples: [what it is asked]`,
    );
  const signal = stopSignal();
  const agents = startOwnAgents(ownAgents(manifest), { logDir: join(dataDir, "logs"), signal, say });
  try {
    await agents.settled();
    const env = { MESH_FILE: manifest };
    await demo(message, {
      cwd: folder,
      services,
      env,
      redisUrl: process.env.REDIS_URL || undefined,
      signal,
      say,
    });
  } finally {
    await agents.stop();
  }
}

const COMMANDS: ReadonlyMap<string, (args: string[]) => Promise<void>> = new Map([
  ["start", startHere],
  ["check", checkHere],
  ["new:flow", newFlowHere],
  ["token", tokenHere],
  ["demo", demoHere],
]);

/** Runs the command that the arguments name. What is wrong is printed, and the exit code is then 1. */
export async function run([name = "", ...args]: readonly string[]): Promise<void> {
  const command = COMMANDS.get(name);
  if (command) await command(args).catch(fail);
  else if (name === "--help" || name === "-h") say(USAGE);
  else fail(USAGE);
}
