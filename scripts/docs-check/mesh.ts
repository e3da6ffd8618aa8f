import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { ServiceDefinition } from "../lib/services.ts";
import type { DocumentPorts } from "./ports.ts";
import { strangersEnvironment } from "./stranger.ts";

const START_MS = 120_000;

/** `npm start` in the clone, on the ports in use. */
export class CloneMesh {
  private readonly clone: string;
  private readonly ports: DocumentPorts;
  private child: ChildProcess | undefined;
  private starts = 0;
  private edition: string | undefined;

  constructor(clone: string, ports: DocumentPorts) {
    this.clone = clone;
    this.ports = ports;
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.of(8080)}`;
  }

  /** Stops the mesh, if it runs, and starts it. @returns what it says @throws if it does not get ready */
  async start(env: NodeJS.ProcessEnv = {}): Promise<string> {
    await this.stop();
    const child = spawn("npm", ["start"], {
      cwd: this.clone,
      env: { ...strangersEnvironment(), ...env, ...(await this.portVariables()) },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.child = child;
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    const deadline = Date.now() + START_MS;
    while (!/^Interlock is ready[\s\S]*Ctrl-C/m.test(said)) {
      if (child.exitCode !== null || Date.now() > deadline) {
        await this.stop();
        throw new Error(`npm start did not get ready:\n${said.trim()}`);
      }
      await delay(50);
    }
    this.edition = await this.currentEdition();
    return said;
  }

  /** Whether it has another manifest than at its start, or is gone. */
  async reloaded(): Promise<boolean> {
    return this.child === undefined || (await this.currentEdition()) !== this.edition;
  }

  private async currentEdition(): Promise<string | undefined> {
    const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
    return ((await response?.json()) as { edition?: string } | undefined)?.edition;
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close");
    process.kill(-child.pid, "SIGTERM");
    await ended;
  }

  /** Read from the clone, since documents add services. */
  private async portVariables(): Promise<NodeJS.ProcessEnv> {
    this.starts += 1;
    const file = pathToFileURL(join(this.clone, "scripts/lib/services.ts"));
    const { SERVICES } = (await import(`${file}?start=${this.starts}`)) as {
      SERVICES: readonly ServiceDefinition[];
    };
    return Object.fromEntries(
      SERVICES.map(({ portVariable, defaultPort }) => [portVariable, String(this.ports.of(defaultPort))]),
    );
  }
}
