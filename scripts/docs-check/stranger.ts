import { delimiter } from "node:path";
import { root } from "../lib/paths.ts";

/** The environment of somebody at a terminal: without what npm and the project's setup have added to that of this process. */
export function strangersEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(process.env))
    if (
      !/^npm_(?!config_(?:cache|registry|userconfig|prefix)$)|^INTERLOCK_(?!INSTALL$)|^INIT_CWD$|^REDIS_URL/.test(
        name,
      )
    )
      env[name] = value;
  const path = (process.env.PATH ?? "").split(delimiter);
  env.PATH = path.filter((directory) => !directory.startsWith(root)).join(delimiter);
  return env;
}

/** What a shell sets itself, and what the check tells it. */
const OF_THE_SHELL = new Set(["PWD", "OLDPWD", "SHLVL", "DOCS_CHECK_START"]);

/** Whether a shell's environment has nothing that its commands have set. */
export function isStrangersEnvironment(env: NodeJS.ProcessEnv): boolean {
  const before = strangersEnvironment();
  return Object.entries(env).every(([name, value]) => OF_THE_SHELL.has(name) || before[name] === value);
}
