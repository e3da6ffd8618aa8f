import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Guard } from "./guard.ts";

export interface ProcessSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Its address, e.g. `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The process appends both of its output streams here directly, so that this process cannot slow it down. */
  readonly logFile: string;
  readonly isReady: () => Promise<boolean>;
  /** The guard stops it after the others. */
  readonly last?: boolean;
}

/** A process of the mesh died, or did not become ready. */
export class ProcessError extends Error {
  readonly code: "PROCESS_DIED" | "PROCESS_NOT_READY";
  readonly process: string;
  readonly logTail: string;

  constructor(code: ProcessError["code"], process: ManagedProcess, what: string) {
    const tail = process.logTail();
    super(`${process.name} ${what}${tail ? `; its log ends:\n${tail}` : ""}`);
    this.code = code;
    this.process = process.name;
    this.logTail = tail;
  }
}

/** Handle of one child process: starts, watches, signals and restarts it. */
export class ManagedProcess {
  readonly #spec: ProcessSpec;
  readonly #guard: Guard;
  readonly #deaths: ((error: ProcessError) => void)[] = [];
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #ending = "";
  #expected = false;

  constructor(spec: ProcessSpec, guard: Guard) {
    this.#spec = spec;
    this.#guard = guard;
  }

  get name(): string {
    return this.#spec.name;
  }

  get url(): string {
    return this.#spec.url;
  }

  get logFile(): string {
    return this.#spec.logFile;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** How it last ended, e.g. "ended with exit code 0". */
  get ending(): string {
    return this.#ending;
  }

  /** Calls the listener when the process ends without having been stopped or killed through this handle. */
  onDeath(listener: (error: ProcessError) => void): void {
    this.#deaths.push(listener);
  }

  start(): void {
    if (this.#child) throw new Error(`${this.name} is running already`);
    const { command, args, env, cwd, logFile, last = false } = this.#spec;
    const log = openSync(logFile, "a");
    // Detached, so that Ctrl-C reaches only the process that owns the mesh, which stops the others in order.
    const child = spawn(command, args, { env, cwd, detached: true, stdio: ["ignore", log, log] });
    closeSync(log);
    this.#child = child;
    this.#expected = false;
    const { pid } = child;
    if (pid !== undefined) this.#guard.watch(pid, last);
    this.#exited = new Promise((resolve) => {
      const ended = (how: string) => {
        if (this.#child !== child) return;
        if (pid !== undefined) this.#guard.forget(pid);
        this.#child = undefined;
        this.#ending = how;
        if (!this.#expected) this.#announce(how);
        resolve();
      };
      child.once("error", (error: NodeJS.ErrnoException) => ended(`could not be started (${error.code})`));
      child.once("exit", (code, signal) =>
        ended(signal ? `was ended by ${signal}` : `ended with exit code ${code}`),
      );
    });
  }

  /** Sends a signal. Except after SIGSTOP and SIGCONT, the process is then expected to end. */
  kill(signal: NodeJS.Signals): void {
    if (signal !== "SIGSTOP" && signal !== "SIGCONT") this.#expected = true;
    this.#child?.kill(signal);
  }

  /** Resolves once the process has ended. */
  exited(): Promise<void> {
    return this.#exited;
  }

  /** Sends SIGTERM, and SIGKILL after the grace time. */
  async stop(graceMs = 10_000): Promise<void> {
    if (!this.#child) return;
    this.kill("SIGTERM");
    this.kill("SIGCONT");
    const timer = setTimeout(() => this.kill("SIGKILL"), graceMs);
    await this.#exited;
    clearTimeout(timer);
  }

  /** Stops it if it runs, starts it again at the same address, and waits until it is ready. */
  async restart(timeoutMs?: number): Promise<void> {
    await this.stop();
    this.start();
    await this.ready(timeoutMs);
  }

  async ready(timeoutMs = 90_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (let pause = 15; ; pause = Math.min(pause * 1.3, 150)) {
      if (!this.#child) throw new ProcessError("PROCESS_DIED", this, this.#ending || "was not started");
      if (await this.#spec.isReady()) return;
      if (Date.now() > deadline) {
        throw new ProcessError("PROCESS_NOT_READY", this, `was not ready within ${timeoutMs / 1000} s`);
      }
      await delay(pause);
    }
  }

  /** The last lines of its log. */
  logTail(lines = 12): string {
    try {
      return readFileSync(this.logFile, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
    } catch {
      return "";
    }
  }

  #announce(how: string): void {
    const error = new ProcessError("PROCESS_DIED", this, how);
    for (const listener of this.#deaths) listener(error);
  }
}
