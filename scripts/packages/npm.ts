import { execFile } from "node:child_process";

/** What this command was started with, and what `npm run` and setup.mjs add to it, is not the business of the npm that it starts. */
const OURS = /^(?:npm_|INTERLOCK_|NODE_OPTIONS$|NODE_PATH$|NODE_COMPILE_CACHE$|INIT_CWD$)/i;
/** How this machine reaches a registry is. */
const NETWORK =
  /^npm_config_(?:registry|cache|userconfig|globalconfig|proxy|https_proxy|noproxy|ca|cafile|strict_ssl)$/i;

/** The environment of somebody who has never seen this repository. */
export function strangersEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OURS.test(name) || NETWORK.test(name)),
  );
}

/**
 * Runs npm in a folder, and resolves with what it prints.
 * @throws Error with what it says if it fails
 */
export function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const [command, all] = cli && node ? [node, [cli, ...args]] : ["npm", args];
  return run(command, all, { cwd, env: strangersEnv() });
}

export interface Where {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** @throws Error with the command and all that it says if it fails */
export function run(command: string, args: readonly string[], { cwd, env }: Where): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      [...args],
      { cwd, ...(env ? { env } : {}), maxBuffer: 2 ** 26 },
      (error, stdout, stderr) =>
        error
          ? reject(
              new Error(
                `${[command, ...args].join(" ")} failed:\n${stdout}${stderr || error.message}`.trim(),
              ),
            )
          : resolve(stdout),
    );
  });
}
