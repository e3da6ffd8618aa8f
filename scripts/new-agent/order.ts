import { parseArgs } from "node:util";

export const USAGE =
  "npm run -s new:agent -- NAME [--dialogue] [--language typescript|python] [--task TASK_TYPE] [--port N] [--standalone FOLDER]";

const LANGUAGES = ["typescript", "python"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What is to be made. */
export interface Order {
  /** Kebab case: the folder, the agent and the service in the manifest, the container. */
  readonly name: string;
  readonly language: Language;
  readonly dialogue: boolean;
  readonly taskType: string;
  readonly port: number;
  /** The folder of a repository of its own; undefined for an agent of this one. */
  readonly standalone: string | undefined;
}

/** What is there already: a new agent may take none of it. */
export interface Taken {
  readonly names: ReadonlySet<string>;
  /** In lower case, since tools are called so. */
  readonly tasks: ReadonlySet<string>;
  readonly ports: ReadonlySet<number>;
}

export class OrderError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], usage = USAGE) {
    super(`${problems.join("\n")}\nusage: ${usage}`);
    this.problems = problems;
  }
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
/** A keyword has two characters, and no line of what is made is longer than the formatter allows. */
const SHORTEST_NAME = 2;
const LONGEST_NAME = 32;
const TASK = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
const LONGEST_TASK = 40;

/** Names that mean something else: in YAML, in the variables of the environment (`REDIS_URL`), in the templates, in routes. */
const RESERVED = new Set([
  ...["true", "false", "null", "yes", "no", "on", "off", "y", "n"],
  ...["redis", "test-redis", "gateway", "gateway-jwks", "issuer", "metrics", "open", "balancer"],
  ...["minimal", "minimal-dialogue", "general", "plan", "node-modules"],
]);

/** @throws OrderError with everything that is wrong with the arguments */
export function readOrder(args: readonly string[], taken: Taken, usage = USAGE): Order {
  const { name, values } = parsed(args);
  const problems = nameProblems(name, taken);
  const dialogue = values.dialogue ?? false;
  const language = LANGUAGES.find((one) => one === (values.language ?? "typescript"));
  if (!language) problems.push(`--language is ${LANGUAGES.join(" or ")}`);
  const { standalone } = values;
  if (standalone !== undefined && language === "python")
    problems.push("--standalone makes an agent in TypeScript: one in Python needs no package of ours.");
  if (standalone === "") problems.push("--standalone takes the folder that is to be made.");
  const taskType = values.task ?? `${upper(name)}${dialogue ? "_TURN" : ""}`;
  if (values.task !== undefined || problems.length === 0)
    problems.push(...taskProblems(taskType, dialogue, taken));
  const port = values.port === undefined ? nextPort(taken) : Number(values.port);
  if (!/^\d+$/.test(values.port ?? "0") || !Number.isInteger(port) || port < 1024 || port > 65_535)
    problems.push("--port is a number between 1024 and 65535");
  else if (taken.ports.has(port))
    problems.push(`Port ${port} belongs to another service: choose another one.`);
  if (problems.length > 0 || !language) throw new OrderError(problems, usage);
  return { name, language, dialogue, taskType, port, standalone };
}

function parsed(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        dialogue: { type: "boolean" },
        language: { type: "string" },
        task: { type: "string" },
        port: { type: "string" },
        standalone: { type: "string" },
      },
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new OrderError(["Name one agent."]);
    return { name, values };
  } catch (error) {
    if (error instanceof OrderError) throw error;
    throw new OrderError([Error.isError(error) ? error.message : "The arguments are not valid."]);
  }
}

function nameProblems(name: string, taken: Taken): string[] {
  if (!NAME.test(name) || name.length < SHORTEST_NAME || name.length > LONGEST_NAME)
    return [
      `A name has lower-case letters, digits and single hyphens, begins with a letter, and has ${SHORTEST_NAME} to ${LONGEST_NAME} characters.`,
    ];
  if (RESERVED.has(name)) return [`The name ${name} is reserved: choose another one.`];
  if (taken.names.has(name)) return [`There is something of the name ${name} already: choose another one.`];
  return [];
}

function taskProblems(taskType: string, dialogue: boolean, taken: Taken): string[] {
  if (!TASK.test(taskType) || taskType.length > LONGEST_TASK)
    return [
      `A task type has upper-case letters, digits and underscores, and at most ${LONGEST_TASK} characters.`,
    ];
  if (dialogue && !taskType.endsWith("_TURN")) return ["The task type of a dialogue ends in _TURN."];
  if (taken.tasks.has(taskType.toLowerCase()))
    return [`Another agent has the task ${taskType}: name another one with --task.`];
  return [];
}

function nextPort({ ports }: Taken): number {
  let port = 8081;
  while (ports.has(port)) port += 1;
  return port;
}

/** As in the names of variables: WORD_COUNT. */
export function upper(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}

/** As in the names of functions: wordCount. */
export function camel(name: string): string {
  return name.replaceAll(/-(.)/g, (_, first: string) => first.toUpperCase());
}

/** As people write it: word count. */
export function words(name: string): string {
  return name.replaceAll("-", " ");
}
