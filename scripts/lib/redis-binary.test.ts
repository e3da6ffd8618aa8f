import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "@jest/globals";

const module = fileURLToPath(new URL("./redis-binary.ts", import.meta.url));
let bin = "";

beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), "interlock-bin-"));
  // As root, no sudo is asked; as anybody else, this one lets everything through.
  program("sudo", `shift; [ "$1" = true ] || exec "$@"`);
});

afterEach(() => rmSync(bin, { recursive: true, force: true }));

function program(name: string, body: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

/** On a machine that has only the programs of `bin`. */
function ensure(): { found: string; said: string } {
  const script = `
    const { ensureRedisServer } = await import(${JSON.stringify(module)});
    try { console.log(ensureRedisServer((text) => console.error(text))) } catch (error) { console.error(error.message) }`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    env: { PATH: bin },
    encoding: "utf8",
  });
  return { found: stdout.trim(), said: stderr };
}

const installs = (name: string) => `: > ${bin}/${name}; /bin/chmod +x ${bin}/${name}`;

test("takes the server that is there, Redis or Valkey, and says nothing", () => {
  program("valkey-server", "");
  expect(ensure()).toEqual({ found: join(bin, "valkey-server"), said: "" });
  program("redis-server", "");
  expect(ensure()).toEqual({ found: join(bin, "redis-server"), said: "" });
});

test("installs it with the system's package manager, and says so", () => {
  program("apt-get", `[ "$1" = update ] || { ${installs("redis-server")}; }`);
  const { found, said } = ensure();
  expect(found).toBe(join(bin, "redis-server"));
  expect(said).toBe("no Redis on this machine: installing it (apt-get install redis-server)…\n");
});

test("falls back to Valkey where there is no Redis package", () => {
  program("apk", `[ "$4" != valkey ] || { ${installs("valkey-server")}; }`);
  expect(ensure().found).toBe(join(bin, "valkey-server"));
});

test("shows what the package manager said when nothing came of it", () => {
  program("dnf", `echo "no such package"; exit 1`);
  const { found, said } = ensure();
  expect(found).toBe("");
  expect(said).toContain("no such package");
  expect(said).toContain("install redis-server in another way");
  expect(said).toContain("set REDIS_URL");
});

test("without a package manager it says what to do", () => {
  expect(ensure()).toEqual({
    found: "",
    said: "A Redis is needed. Either install redis-server (or valkey-server), or set REDIS_URL to one that runs (redis://host:6379).\n",
  });
});
