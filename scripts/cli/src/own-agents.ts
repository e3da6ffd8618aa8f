import { dirname, resolve } from "node:path";
import { writtenManifest } from "@interlock/gateway/manifest";

/** An agent that the manifest has a command for: `npm start` starts it on this machine. */
export interface OwnAgent {
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its address, with its port. */
  readonly url: string;
  readonly tasks: readonly string[];
}

export interface OwnAgents {
  readonly agents: readonly OwnAgent[];
  /** Why others are not started, in a sentence each. */
  readonly left: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

/** The manifest that a mesh in this folder has. */
export function manifestIn(folder: string, env: Env = process.env): string {
  return resolve(folder, env.MESH_FILE || "mesh.yaml");
}

/**
 * Reads which agents have a command. Whatever else is wrong with the manifest the gateway says, which starts with the same file.
 * @param env fills in `${NAME:-default}`, as the gateway does
 */
export function ownAgents(
  file: string,
  env: Env = process.env,
  only: readonly string[] | undefined = undefined,
): OwnAgents {
  const agents: OwnAgent[] = [];
  const left: string[] = [];
  for (const [name, agent] of Object.entries(agentsIn(file, only))) {
    if (agent.command === undefined) continue;
    const url = urlOf(filledIn(agent.url, env));
    const command = textsIn(agent.command).map((part) => filledIn(part, env));
    if (!url || command.length === 0) continue;
    if (!isLoopback(url.hostname)) {
      left.push(`${name} is not started: ${url.origin} is not an address of this machine.`);
      continue;
    }
    const own = Object.entries(Object(agent.env)).map(([key, value]) => [key, filledIn(value, env)]);
    agents.push({
      name,
      command,
      cwd: resolve(dirname(file), filledIn(agent.cwd ?? ".", env)),
      env: Object.fromEntries(own),
      url: `${url.protocol}//${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`,
      tasks: Object.keys(Object(agent.tasks)),
    });
  }
  return { agents, left };
}

type Agent = { url?: unknown; command?: unknown; cwd?: unknown; env?: unknown; tasks?: unknown };

/**
 * The names of all agents that a manifest has no command for: what this repository ships is among them. None where it cannot be read,
 * which the gateway says.
 */
export function agentNames(file: string, only: readonly string[] | undefined): ReadonlySet<string> {
  const agents = Object.entries(agentsIn(file, only));
  return new Set(agents.flatMap(([name, { command }]) => (command === undefined ? name : [])));
}

function agentsIn(file: string, only: readonly string[] | undefined): Record<string, Agent> {
  try {
    return Object(writtenManifest(file, only).agents);
  } catch {
    return {};
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const VARIABLE = /\$\{([A-Z][A-Z0-9_]*)(?::-([^}]*))?\}/g;

function filledIn(value: unknown, env: Env): string {
  return String(value ?? "").replace(VARIABLE, (_, name: string, fallback = "") => env[name] || fallback);
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);
}
