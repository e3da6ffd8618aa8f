import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Backoff } from "./backoff.ts";
import type { Guard } from "./guard.ts";
import { namedLines } from "./named-lines.ts";
import type { OwnAgent } from "./own-agents.ts";
import { isFree } from "./ports.ts";

export interface OwnAgentOptions {
  readonly guard: Guard;
  /** What the agent gets beside its own. */
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  /** Gets what the agent prints, line by line and with its name, and what becomes of it. */
  readonly say: (text: string) => void;
}

/** What became of a start. None of it ends the mesh. */
export type Started = "ready" | "ended" | "late" | "answers already" | "stopped";

const GRACE_MS = 8_000;
/** Between looks at one that was started again. */
const AGAIN_MS = 300;

/**
 * One agent of the manifest's own. It has a process group of its own, so that what its command starts ends with it. If it ends, that is
 * said, and it is started again.
 */
export class OwnAgentProcess {
  readonly #agent: OwnAgent;
  readonly #options: OwnAgentOptions;
  readonly #backoff = new Backoff();
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;

  constructor(agent: OwnAgent, options: OwnAgentOptions) {
    this.#agent = agent;
    this.#options = options;
  }

  /** Starts it and waits until it is ready. @param signal ends the waiting */
  async start(limitMs: number, signal: AbortSignal): Promise<Started> {
    const { name, url } = this.#agent;
    const { say } = this.#options;
    const { hostname, port } = new URL(url);
    if (!(await isFree(Number(port), hostname.replaceAll(/[[\]]/g, "")))) {
      say(`${name} was not started: something is at ${url} already, and the mesh uses that.`);
      return "answers already";
    }
    const child = this.#spawn();
    const deadline = performance.now() + limitMs;
    while (!signal.aborted) {
      if (this.#child !== child) return "ended";
      if (await isReady(url)) return "ready";
      if (performance.now() > deadline) {
        say(`${name} is not ready after ${limitMs / 1000} s: ${url}/health/ready does not answer with 200.`);
        return "late";
      }
      await delay(100);
    }
    return "stopped";
  }

  /** Ends the agent and all that it has started: SIGTERM, and SIGKILL after the grace time. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (child?.pid === undefined) return;
    signalGroup(child.pid, "SIGTERM");
    const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    clearTimeout(timer);
    signalGroup(child.pid, "SIGKILL");
  }

  #spawn(): ChildProcess {
    const { name, command, cwd, env, url } = this.#agent;
    const { guard, say, logFile } = this.#options;
    const { hostname, port } = new URL(url);
    const own = { HOST: hostname.replaceAll(/[[\]]/g, ""), PORT: port, ...env };
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      cwd,
      env: { ...this.#options.env, ...own },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    const startedAt = performance.now();
    const { pid } = child;
    if (pid !== undefined) guard.watch(-pid, false);
    const log = createWriteStream(logFile, { flags: "a" });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.pipe(log, { end: false });
      if (stream) namedLines(stream, name, say);
    }
    const ended = (how: string) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      log.end();
      if (pid !== undefined) guard.forget(-pid);
      void this.#again(how, performance.now() - startedAt).catch(() => undefined);
    };
    child.once("error", (error: NodeJS.ErrnoException) =>
      ended(`could not be started (${error.code}): ${command.join(" ")} in ${cwd}`),
    );
    // What it has started and left would keep its port and its output.
    child.once("exit", () => signalGroup(pid, "SIGKILL"));
    // When its output is read to its end, so that it says last why it ended.
    child.once("close", (code, signal) =>
      ended(signal ? `was ended by ${signal}` : `ended with exit code ${code}`),
    );
    return child;
  }

  async #again(how: string, ranMs: number): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted) return;
    const restMs = this.#backoff.rest(ranMs);
    const { name, url } = this.#agent;
    const { say } = this.#options;
    say(`${name} ${how}. The rest of the mesh goes on; starting ${name} again in ${restMs / 1000} s.`);
    await delay(restMs, undefined, { signal });
    const child = this.#spawn();
    while (this.#child === child) {
      if (await isReady(url)) {
        say(`${name} is back.`);
        return;
      }
      await delay(AGAIN_MS, undefined, { signal });
    }
  }
}

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // All of them have ended.
  }
}

/** An agent without a readiness probe is ready when it is alive. */
async function isReady(url: string): Promise<boolean> {
  for (const path of ["/health/ready", "/health"]) {
    try {
      const response = await fetch(url + path, { signal: AbortSignal.timeout(2_000) });
      await response.body?.cancel();
      if (response.ok) return true;
      if (response.status !== 404) return false;
    } catch {
      return false;
    }
  }
  return false;
}
