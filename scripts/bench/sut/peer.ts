import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts } from "../../cli/src/ports.ts";
import { type Cores, pin } from "../os/cores.ts";
import { type Usage, usageOf } from "../os/proc.ts";

/** A gateway for models that somebody else has made, to compare with. */
export type Peer = {
  readonly url: string;
  /** What its requests say of where the model is. */
  readonly fields: string;
  usage(): Usage;
  stop(): Promise<void>;
};

const PATIENCE_MS = 20_000;

/**
 * Starts Portkey's gateway where it is installed: `PEERS_DEPS` names a folder with `portkey/node_modules/@portkey-ai/gateway`.
 * @returns undefined where it is not
 */
export async function startPeer(modelUrl: string, cores: Cores | undefined): Promise<Peer | undefined> {
  const { PEERS_DEPS: deps } = process.env;
  const main = join(deps ?? "", "portkey/node_modules/@portkey-ai/gateway/build/start-server.js");
  if (deps === undefined || !existsSync(main)) return undefined;
  const [port = 0] = await freePorts(1, "127.0.0.1");
  const child = spawn(process.execPath, [main, `--port=${port}`, "--headless"], {
    env: { ...process.env, NODE_ENV: "production", TRUSTED_CUSTOM_HOSTS: "127.0.0.1,localhost" },
    stdio: "ignore",
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("the peer cannot be started");
  if (cores) pin(pid, [cores.sut]);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child);
  return {
    url,
    fields: `x-portkey-provider: openai\r\nx-portkey-custom-host: ${modelUrl}\r\nauthorization: Bearer none\r\n`,
    usage: () => usageOf([pid]),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    if (child.exitCode !== null || performance.now() > deadline) throw new Error("the peer did not start");
    await delay(100);
  }
}
