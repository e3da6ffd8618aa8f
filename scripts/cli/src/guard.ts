import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Messages to the guard. `last`: stop this process after the others, because they still write to it (the store). */
export type GuardMessage =
  | { readonly type: "watch"; readonly pid: number; readonly last: boolean }
  | { readonly type: "forget"; readonly pid: number }
  | { readonly type: "scratch"; readonly dir: string };

/**
 * A helper process that outlives this one briefly. However this process dies, the guard stops the processes that it
 * watches and removes scratch directories. The watched processes need not cooperate.
 */
export interface Guard {
  watch(pid: number, last: boolean): void;
  forget(pid: number): void;
  scratch(dir: string): void;
  /** Has the guard clean up what it still watches, and waits until it has exited. */
  close(): Promise<void>;
}

export function startGuard(): Guard {
  const script = fileURLToPath(new URL("./guard-process.ts", import.meta.url));
  // Detached, so that a signal to this process group does not kill the guard too.
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
