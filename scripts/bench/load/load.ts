import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Commands } from "./commands.ts";

type Name = keyof Commands;

export type LoadCall = { readonly id: number; readonly name: Name; readonly args: readonly unknown[] };
export type LoadAnswer = { readonly id: number; readonly value?: unknown; readonly error?: string };

/** The load process, as the one that measures sees it. */
export class Load {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #calls = 0;

  constructor() {
    this.#child = fork(fileURLToPath(new URL("./main.ts", import.meta.url)), [], { execArgv: [] });
    this.#child.on("message", ({ id, value, error }: LoadAnswer) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(error));
    });
    this.#child.on("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the load process ended"));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async call<N extends Name>(
    name: N,
    ...args: Parameters<Commands[N]>
  ): Promise<Awaited<ReturnType<Commands[N]>>> {
    const waiting = Promise.withResolvers<unknown>();
    const id = ++this.#calls;
    this.#waiting.set(id, waiting);
    this.#child.send({ id, name, args } satisfies LoadCall);
    return (await waiting.promise) as Awaited<ReturnType<Commands[N]>>;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.disconnect();
    await exited;
  }
}
