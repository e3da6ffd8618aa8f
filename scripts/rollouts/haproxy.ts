import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { root } from "../lib/paths.ts";

export type Haproxy = { readonly url: string; stop(): Promise<void> };

/** HAProxy with the rules that the repository ships for Compose, in front of these addresses. @param program its path */
export async function startHaproxy(
  program: string,
  port: number,
  replicas: readonly string[],
): Promise<Haproxy> {
  const dir = mkdtempSync(join(tmpdir(), "interlock-balancer-"));
  const file = join(dir, "haproxy.cfg");
  const shipped = readFileSync(join(root, "scripts/balancer/haproxy.cfg"), "utf8");
  writeFileSync(file, configFor(shipped, port, replicas));
  const child = spawn(program, ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  const exited = once(child, "exit");
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
    rmSync(dir, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return { url, stop };
    await delay(100);
  }
  await stop();
  throw new Error("HAProxy does not pass requests on");
}

/** Here replicas have fixed addresses: there is no name to resolve. All rules stay. @throws Error where the file has other lines */
export function configFor(shipped: string, port: number, replicas: readonly string[]): string {
  const servers = (_: string, indent: string, options: string) =>
    replicas.map((url, at) => `${indent}server gateway-${at + 1} ${new URL(url).host} ${options}`).join("\n");
  const changes: [line: RegExp, instead: (all: string, indent: string, options: string) => string][] = [
    [/^resolvers docker\n(?: .*\n)+/m, () => ""],
    [/bind :8080$/m, () => `bind 127.0.0.1:${port}`],
    [/^( *)server-template gateway- 10 gateway:8080 (.*) resolvers docker init-addr none$/m, servers],
  ];
  return changes.reduce((text, [line, instead]) => {
    if (!line.test(text)) throw new Error(`the balancer's file has no ${line.source}`);
    return text.replace(line, instead);
  }, shipped);
}
