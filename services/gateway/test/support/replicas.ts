import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROCESS = fileURLToPath(new URL("./replica-process.ts", import.meta.url));
const RESOLVER = new URL("./resolver.mjs", import.meta.url).href;

export type Replica = {
  host: string;
  port: number;
  child: ChildProcess;
  /** Has it keep its answers to itself, or give them. */
  tell(word: "hold" | "answer"): Promise<void>;
  stop(): Promise<void>;
};

/** An agent as a process of its own. @param port 0 for one that is free */
export async function replica(host: string, port: number): Promise<Replica> {
  const child = fork(PROCESS, [host, String(port)], { env: {} });
  const exited = once(child, "exit");
  const [message] = await Promise.race([once(child, "message"), exited]);
  if (typeof message?.port !== "number") throw new Error("the replica did not start");
  return {
    host,
    port: message.port,
    child,
    async tell(word) {
      const done = once(child, "message");
      child.send(word);
      await done;
    },
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Names for a gateway that is a process of its own. */
export function names(first: Record<string, string[]>) {
  const dir = mkdtempSync(join(tmpdir(), "interlock-names-"));
  const file = join(dir, "names.json");
  /** From the next lookup on, a name has these addresses. */
  const set = (addresses: Record<string, string[]>): void => {
    writeFileSync(`${file}.new`, JSON.stringify(addresses));
    renameSync(`${file}.new`, file);
  };
  set(first);
  return {
    env: { TEST_NAMES: file, NODE_OPTIONS: `--import=${RESOLVER}` },
    set,
    stop: () => rmSync(dir, { recursive: true, force: true }),
  };
}
