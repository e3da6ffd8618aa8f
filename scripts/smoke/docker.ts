import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { root } from "../lib/paths.ts";

const run = promisify(execFile);

/** Runs Docker commands on one Compose project, isolated from others on the same engine. */
export class ComposeProject {
  readonly #env: NodeJS.ProcessEnv;

  constructor(name: string, env: NodeJS.ProcessEnv) {
    this.#env = { ...process.env, COMPOSE_PROJECT_NAME: name, COMPOSE_PROGRESS: "plain", ...env };
  }

  /** Runs a Compose command. Its output goes to stderr, so that a slow build shows its progress. */
  async compose(...args: string[]): Promise<void> {
    const child = spawn("docker", ["compose", ...args], {
      cwd: root,
      env: this.#env,
      stdio: ["ignore", process.stderr, process.stderr],
    });
    const code = await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    if (code !== 0) throw new Error(`docker compose ${args[0]} ended with exit code ${code}`);
  }

  /** Starts what does not run yet, and waits until all containers are healthy. */
  async up(...args: string[]): Promise<void> {
    await this.compose("up", "--detach", "--wait", "--wait-timeout", "300", ...args);
  }

  /** Runs a Docker command and returns its output. */
  async docker(...args: string[]): Promise<string> {
    const { stdout } = await run("docker", args, { cwd: root, env: this.#env, maxBuffer: 2 ** 24 });
    return stdout.trim();
  }

  /** A token of the project's issuer. */
  async token(user: string, role: string, tenant = "default"): Promise<string> {
    return await this.#issuer("--user", user, "--role", role, "--tenant", tenant);
  }

  /** Has the issuer sign with a new key from now on. */
  async rotateKey(): Promise<void> {
    await this.#issuer("--rotate-key");
  }

  async #issuer(...args: string[]): Promise<string> {
    return await this.docker(
      "compose",
      "exec",
      "--no-TTY",
      "issuer",
      "node",
      "services/issuer/src/print-token.ts",
      ...args,
    );
  }

  /** Ids of a service's running containers. */
  async containers(service: string): Promise<string[]> {
    const ids = await this.docker("compose", "ps", "--quiet", service);
    return ids.split("\n").filter((id) => id !== "");
  }

  /** Names of the images that match a pattern. */
  async images(pattern: string): Promise<string[]> {
    const format = "{{.Repository}}:{{.Tag}}";
    const names = await this.docker("images", "--filter", `reference=${pattern}`, "--format", format);
    return names.split("\n").filter((name) => name !== "");
  }

  /** Removes the images that match a pattern; the build cache stays. */
  async removeImages(pattern: string): Promise<void> {
    const names = await this.images(pattern);
    if (names.length > 0) await this.docker("image", "rm", ...names);
  }
}

/** Says why Docker cannot be used, or returns undefined if it can. */
export async function missingDocker(): Promise<string | undefined> {
  for (const args of [["version"], ["compose", "version"]]) {
    try {
      await run("docker", args);
    } catch {
      return `\`docker ${args.join(" ")}\` does not work here`;
    }
  }
  return undefined;
}
