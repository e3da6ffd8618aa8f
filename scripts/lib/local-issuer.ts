import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newKey, publicKeys, signToken } from "@interlock/issuer";
import type { Bearer } from "../cli/src/mesh.ts";

export type { Bearer };

/** As the manifests of the benchmark and the chaos test name it. */
const ISSUER = "http://issuer.invalid";
const KEY = newKey();
const TTL_S = 86_400;

const tokens = new Map<string, Promise<string>>();

/** A token signed by this process, for gateways that have its public key as a file. Signed once for each bearer. */
export function localToken({ user, roles = ["analyst"], tenant = "default" }: Bearer): Promise<string> {
  const id = JSON.stringify([user, tenant, roles]);
  const token = tokens.get(id) ?? signToken(ISSUER, KEY, { user, roles, tenant, ttlS: TTL_S });
  tokens.set(id, token);
  return token;
}

/** Writes the public key to a file, for the variable `JWKS_FILE` of such a manifest. */
export function writeLocalKeys(): { file: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "interlock-keys-"));
  const file = join(dir, "jwks.json");
  writeFileSync(file, JSON.stringify(publicKeys(KEY)));
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
