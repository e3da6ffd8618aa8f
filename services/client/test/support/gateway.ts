import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { compileCache } from "../../../gateway/test/support/compile-cache.ts";
import { claimsOf, jwt, TEST_IDENTITY, TEST_JWKS } from "../../../gateway/test/support/issuer.ts";

export type GatewayProcess = { readonly url: string; stop(): Promise<void> };

const MAIN = fileURLToPath(import.meta.resolve("@interlock/gateway/main"));

/** A token that the gateways of these tests take. */
export function tokenOf(sub: string, ...roles: string[]): string {
  return jwt(claimsOf({ sub, roles }));
}

/** Starts the real gateway in a process of its own. */
export async function startGateway(manifest: object, redisUrl: string): Promise<GatewayProcess> {
  const folder = mkdtempSync(join(tmpdir(), "interlock-client-"));
  const file = join(folder, "mesh.yaml");
  // JSON is a subset of YAML.
  writeFileSync(file, JSON.stringify({ identity: TEST_IDENTITY, ...manifest }));
  writeFileSync(join(folder, "jwks.json"), JSON.stringify(TEST_JWKS));
  const own = { MESH_FILE: file, REDIS_URL: redisUrl, PORT: "0", SHUTDOWN_GRACE_MS: "1000" };
  const env = { ...compileCache(), ...own };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  const listening = Promise.withResolvers<string>();
  createInterface(child.stdout).on("line", (line) => {
    said += `${line}\n`;
    const url: unknown = line.startsWith("{") ? JSON.parse(line).url : undefined;
    if (typeof url === "string") listening.resolve(url);
  });
  const exited = once(child, "exit");
  exited.then(() => listening.reject(new Error(`the gateway did not start:\n${said}`)));
  return {
    url: await listening.promise,
    stop: async () => {
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
