import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { GatewayError } from "../../errors.ts";
import type { Answers, Task } from "./messages.ts";
import { type SentText, TextReceiver, TextSender } from "./texts.ts";

export type LargeLimits = {
  /** Milliseconds that one task may take. */
  largeTimeoutMs: number;
  /** Megabytes of memory that one task may take. */
  largeMemoryMb: number;
};

/** An answer, and how its texts are read. */
export type Answered<Kind extends Task["kind"]> = {
  answer: Answers[Kind];
  textOf: (text: SentText) => string;
};

/** A task, whose text may be valid UTF-8. */
export type AskedTask<Kind extends Task["kind"]> = Extract<Task<string | Buffer>, { kind: Kind }>;

const MAIN = fileURLToPath(new URL("./process.ts", import.meta.url));

/** A process that is started when it is first needed, does one task at a time, and is replaced after a task that takes too much. */
export class LargeProcess {
  readonly #limits: LargeLimits;
  #process: { child: ChildProcess; ready: Promise<unknown> } | undefined;
  #closed = false;

  constructor(limits: LargeLimits) {
    this.#limits = limits;
  }

  /** @throws GatewayError value_timeout, draining; the reason of the signal */
  async ask<Kind extends Task["kind"]>(task: AskedTask<Kind>, signal?: AbortSignal): Promise<Answered<Kind>> {
    const child = await this.#running();
    const sender = new TextSender();
    const message = { ...task, json: sender.add(task.json) };
    const answered = Promise.withResolvers<Answered<Kind>>();
    const over = () => answered.reject(new GatewayError(this.#closed ? "draining" : "value_timeout"));
    const stop = () => answered.reject(signal?.reason);
    const received = new TextReceiver();
    const receive = (answer: Answers[Kind]) => {
      if (!received.takes(answer)) answered.resolve({ answer, textOf: received.read() });
    };
    const timer = setTimeout(over, this.#limits.largeTimeoutMs);
    child.on("message", receive);
    // V8 has ended the process because it ran out of memory.
    child.once("exit", over);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    const send = (part: object) => child.send(part, (error) => error && over());
    try {
      for (const piece of sender.pieces()) {
        send(piece);
        await Promise.race([setImmediate(), answered.promise]);
      }
      send(message);
      return await answered.promise;
    } catch (error) {
      this.#process = undefined;
      await end(child);
      throw error;
    } finally {
      clearTimeout(timer);
      child.off("message", receive);
      child.off("exit", over);
      signal?.removeEventListener("abort", stop);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = this.#process?.child;
    this.#process = undefined;
    if (child) await end(child);
  }

  async #running(): Promise<ChildProcess> {
    if (this.#closed) throw new GatewayError("draining");
    this.#process ??= this.#start();
    const { child, ready } = this.#process;
    try {
      await ready;
    } catch (cause) {
      this.#process = undefined;
      throw this.#closed ? new GatewayError("draining") : new GatewayError("internal", undefined, { cause });
    }
    return child;
  }

  #start() {
    const child = fork(MAIN, [String(process.pid)], {
      // Pass on none of the gateway's environment variables, which may hold secrets.
      execArgv: [`--max-old-space-size=${this.#limits.largeMemoryMb}`],
      env: {},
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    // Errors reach the caller that waits for the process.
    child.on("error", () => undefined);
    child.once("exit", () => {
      if (this.#process?.child === child) this.#process = undefined;
    });
    const ended = once(child, "exit").then(() => Promise.reject(new Error("the process did not start")));
    return { child, ready: Promise.race([once(child, "message"), ended]) };
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
