import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./paths.ts";

export interface Task {
  readonly name: string;
  readonly ok: boolean;
  readonly seconds: number;
}

/** Runs a Node program with this process's output streams. An abort of the signal is passed on as SIGTERM. */
export async function runTask(
  name: string,
  args: readonly string[],
  { env = {}, signal }: { env?: NodeJS.ProcessEnv; signal?: AbortSignal } = {},
): Promise<Task> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const stop = () => child.kill("SIGTERM");
  signal?.addEventListener("abort", stop, { once: true });
  const ok = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
  signal?.removeEventListener("abort", stop);
  return { name, ok, seconds: (performance.now() - started) / 1000 };
}

/** Path of a program in node_modules, to be run by Node. */
export function program(path: string): string {
  return join(root, "node_modules", path);
}
