import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** What the guard is told. `last`: to be stopped after the others (a store that they still write to). */
export type GuardMessage =
  | { readonly type: "watch"; readonly pid: number; readonly last: boolean }
  | { readonly type: "forget"; readonly pid: number }
  | { readonly type: "scratch"; readonly dir: string };

/**
 * A process of its own that outlives this one for a moment: when this one dies, however it dies, the guard stops
 * the processes it watches and removes scratch directories. It needs nothing of the watched processes.
 */
export interface Guard {
  watch(pid: number, last: boolean): void;
  forget(pid: number): void;
  scratch(dir: string): void;
  /** Lets the guard go, after it has dealt with whatever is still on its list. */
  close(): Promise<void>;
}

export function startGuard(): Guard {
  const script = fileURLToPath(new URL("./guard-process.ts", import.meta.url));
  // Detached: a signal to this process group must not take the guard along.
  const child = fork(script, [], {
    detached: true,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: [],
  });
  const send = (message: GuardMessage) => {
    if (child.connected) child.send(message);
  };
  child.unref();
  child.channel?.unref();
  return {
    watch: (pid, last) => send({ type: "watch", pid, last }),
    forget: (pid) => send({ type: "forget", pid }),
    scratch: (dir) => send({ type: "scratch", dir }),
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.ref();
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
