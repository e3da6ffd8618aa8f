import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
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
function ensure(env: NodeJS.ProcessEnv = { INTERLOCK_INSTALL: "yes" }): { found: string; said: string } {
  const script = `
    const { ensureRedisServer } = await import(${JSON.stringify(module)});
    try { console.log(await ensureRedisServer((text) => console.error(text))) } catch (error) { console.error(error.message) }`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    env: { PATH: bin, ...env },
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

test("nothing is installed unasked: it says the command, and what allows it", () => {
  program("apt-get", installs("redis-server"));
  const { found, said } = ensure({});
  expect(found).toBe("");
  expect(said).toMatch(
    /^A Redis is needed\. Either run: (?:sudo )?apt-get install redis-server, or set INTERLOCK_INSTALL=yes to have it installed, or set REDIS_URL to one that runs/,
  );
  expect(existsSync(join(bin, "redis-server"))).toBe(false);
});

test("an interruption ends the installation, and nothing else is tried", async () => {
  program("apt-get", `echo "$@" >> ${bin}/asked; [ "$1" = update ] || exec /bin/sleep 600`);
  const script = `
    const { ensureRedisServer } = await import(${JSON.stringify(module)});
    const stopping = new AbortController();
    process.on("SIGINT", () => stopping.abort(new Error("interrupted")));
    await ensureRedisServer(() => {}, { signal: stopping.signal }).catch((error) => console.log(error.message));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    env: { PATH: bin, INTERLOCK_INSTALL: "yes" },
  });
  const asked = () => (existsSync(join(bin, "asked")) ? readFileSync(join(bin, "asked"), "utf8") : "");
  while (!asked().includes("install")) await delay(20);
  child.kill("SIGINT");
  const [said] = await once(child.stdout.setEncoding("utf8"), "data");
  await once(child, "close");
  expect(said).toBe("interrupted\n");
  expect(asked().trim().split("\n")).toHaveLength(2);
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
