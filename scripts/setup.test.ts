import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { certificates } from "../services/gateway/test/support/certificates.ts";
import { root } from "./lib/paths.ts";

let project = "";
let running: ChildProcess | undefined;
let server: Server | undefined;
/** More of the environment. */
let more: NodeJS.ProcessEnv = {};

/** A minimal clone: setup.mjs, and a lock file without dependencies, which npm installs without a network. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "interlock-setup-"));
  for (const folder of ["lib", "cli/src"]) mkdirSync(join(project, "scripts", folder), { recursive: true });
  for (const file of ["setup.mjs", "lib/install.mjs", "cli/src/lock.mjs"])
    copyFileSync(join(root, "scripts", file), join(project, "scripts", file));
  writeFileSync(join(project, "package.json"), `{"name":"small","version":"1.0.0"}`);
  writeLock("1.0.0");
});

afterEach(() => {
  running?.kill("SIGKILL");
  server?.close();
  server?.closeAllConnections();
  server = undefined;
  more = {};
  rmSync(project, { recursive: true, force: true });
});

function writeLock(version: string): void {
  const lock = {
    name: "small",
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": { name: "small", version } },
  };
  writeFileSync(join(project, "package-lock.json"), JSON.stringify(lock));
}

function script(source: string): void {
  writeFileSync(join(project, "script.mjs"), source);
}

/** As on a machine that has never installed anything. */
function onNewMachine(registry: string): void {
  more = { npm_config_offline: "false", npm_config_registry: registry };
  const version = "1.0.0";
  const dependencies = { "some-package": version };
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "small", version, dependencies }));
  const lock = {
    name: "small",
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: "small", version, dependencies },
      "node_modules/some-package": { version, integrity: `sha512-${"A".repeat(86)}==` },
    },
  };
  writeFileSync(join(project, "package-lock.json"), JSON.stringify(lock));
}

/** @returns the URL of a registry */
async function registry(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** With npm's defaults, whatever this user has configured, an empty cache, and no registry unless a test brings one. */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_config_|^npm_lifecycle_event$/i.test(name),
  );
  const home = join(project, "home");
  return { ...Object.fromEntries(inherited), HOME: home, npm_config_offline: "true", ...more };
}

function start(...args: string[]): ChildProcess & { output: { stdout: string; stderr: string } } {
  const child = spawn(process.execPath, ["scripts/setup.mjs", "script.mjs", ...args], {
    cwd: project,
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = child;
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (output.stderr += text));
  return Object.assign(child, { output });
}

async function run(...args: string[]) {
  const child = start(...args);
  const [code] = await once(child, "close");
  return { code, ...child.output };
}

async function said(child: ReturnType<typeof start>, word: string): Promise<void> {
  while (!child.output.stdout.includes(word)) await once(child.stdout ?? child, "data");
}

test("installs once, and again when the lock changed; otherwise it says nothing", async () => {
  script(`console.log("hello")`);
  const first = await run();
  expect(first).toMatchObject({ code: 0, stdout: "hello\n", stderr: expect.stringContaining("npm ci") });
  expect(await run()).toEqual({ code: 0, stdout: "hello\n", stderr: "" });
  writeLock("1.0.1");
  rmSync(join(project, "node_modules/.package-lock.json"), { force: true });
  expect((await run()).stderr).toContain("npm ci");
});

test("a workspace that is linked already needs no install, one that came with a pull does", async () => {
  script(`console.log("hello")`);
  await run();
  const packages = {
    "": { name: "small", version: "1.0.0", workspaces: ["added"] },
    added: { version: "1.0.0" },
    "node_modules/added": { resolved: "added", link: true },
  };
  const lock = JSON.stringify({
    name: "small",
    version: "1.0.0",
    lockfileVersion: 3,
    requires: true,
    packages,
  });
  writeFileSync(join(project, "package-lock.json"), lock);
  const manifest = { name: "small", version: "1.0.0", workspaces: ["added"] };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  mkdirSync(join(project, "added"));
  writeFileSync(join(project, "added/package.json"), `{"name":"added","version":"1.0.0"}`);
  symlinkSync("../added", join(project, "node_modules/added"));
  // npm's record of an install before the workspace was there.
  writeFileSync(join(project, "node_modules/.package-lock.json"), `{"packages":{}}`);
  expect((await run()).stderr).toBe("");
  rmSync(join(project, "node_modules/added"));
  writeFileSync(join(project, "package-lock.json"), `${lock}\n`);
  expect((await run()).stderr).toContain("npm ci");
});

test("two first commands at once: one installs, both run", async () => {
  script(`console.log("hello")`);
  const both = await Promise.all([run(), run()]);
  expect(both.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, "hello\n"],
    [0, "hello\n"],
  ]);
  expect(both.filter(({ stderr }) => stderr.includes("npm ci"))).toHaveLength(1);
});

test("a failed install is shown, and the script is not run", async () => {
  script(`console.log("hello")`);
  writeFileSync(join(project, "package.json"), "{");
  const { code, stdout, stderr } = await run();
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/npm error code EJSONPARSE[\s\S]*npm ci failed/);
});

const oneLine = (pattern: RegExp) =>
  expect.stringMatching(new RegExp(`\\nsetup: ${pattern.source}[^\\n]*\\n$`));

test("a registry that nobody serves: a line with the cause and what to do, and nothing of npm's", async () => {
  const url = await registry(() => undefined);
  server?.close();
  onNewMachine(url);
  script(`console.log("hello")`);
  const { code, stdout, stderr } = await run();
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^setup: installing 1 packages/);
  expect(stderr).toEqual(
    oneLine(
      /no network: npm's registry http:\/\/127\.0\.0\.1:\d+\/ cannot be reached \(ECONNREFUSED\), and npm's cache lacks some-package\./,
    ),
  );
  expect(stderr).not.toContain("npm error");
});

test("a registry that says nothing is given up after two tries, and is no network", async () => {
  onNewMachine(await registry(() => undefined));
  const { code, stderr } = await run();
  expect(code).toBe(1);
  expect(stderr).toEqual(oneLine(/no network: npm's registry \S+ cannot be reached/));
});

test("a registry whose certificate is not trusted: a line that says so, once npm's cache has been tried", async () => {
  const { server: pair, stop } = certificates();
  const [cert, key] = [readFileSync(pair.cert), readFileSync(pair.key)];
  stop();
  server = createTlsServer({ cert, key }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onNewMachine(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const { code, stderr } = await run();
  expect(code).toBe(1);
  expect(stderr).toContain("trying with what npm has in its cache");
  expect(stderr).toEqual(
    oneLine(
      /npm does not trust the certificate of https:\/\/127\.0\.0\.1:\d+\/ \([A-Z_]+\): name its authority/,
    ),
  );
});

test.each([403, 404, 500])("a registry that answers %i: a line with the address", async (status) => {
  const asked = new Set<string | undefined>();
  onNewMachine(
    await registry(({ url }, res) => {
      asked.add(url);
      res.writeHead(url === "/-/ping" ? 200 : status).end("{}");
    }),
  );
  const { code, stderr } = await run();
  expect(code).toBe(1);
  expect([...asked]).toEqual(["/-/ping", "/some-package"]);
  expect(stderr).toEqual(
    oneLine(
      new RegExp(`npm's registry answered ${status} to http:\\/\\/127\\.0\\.0\\.1:\\d+\\/some-package`),
    ),
  );
});

test("without npm: a line that says so", async () => {
  more = { PATH: project, npm_execpath: "" };
  const { code, stderr } = await run();
  expect(code).toBe(1);
  expect(stderr).toEqual(oneLine(/npm could not be started \(ENOENT\): install it/));
});

test("a command that was killed while its npm installs is waited for", async () => {
  let asked: () => void = () => undefined;
  const installing = new Promise<void>((resolve) => (asked = resolve));
  const url = await registry(({ url }, res) => {
    if (url === "/-/ping") res.end("{}");
    else asked();
  });
  onNewMachine(url);
  const first = start();
  await installing;
  first.kill("SIGKILL");
  await once(first, "close");
  const second = start();
  while (!second.output.stderr.includes("another command is installing"))
    await once(second.stderr ?? second, "data");
  // Now its npm ends, too.
  server?.closeAllConnections();
  server?.close();
  await once(second, "close");
  expect(second.output.stderr).toContain("no network");
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s while npm installs ends npm and the command",
  async (signal) => {
    let asked: () => void = () => undefined;
    let closed: () => void = () => undefined;
    const [installing, gone] = [
      new Promise<void>((resolve) => (asked = resolve)),
      new Promise<void>((resolve) => (closed = resolve)),
    ];
    const url = await registry((req, res) => {
      if (req.url === "/-/ping") return void res.end("{}");
      req.socket.once("close", closed);
      asked();
    });
    onNewMachine(url);
    script(`console.log("hello")`);
    const child = start();
    await installing;
    child.kill(signal);
    const [code] = await once(child, "close");
    expect([code, child.output.stdout]).toEqual([signal === "SIGINT" ? 130 : 143, ""]);
    expect(child.output.stderr).toContain("the installation was stopped");
    await gone;
    expect(existsSync(join(project, ".data", "setup.lock"))).toBe(false);
  },
);

test("passes arguments and the exit code on", async () => {
  script(`console.log(process.argv.slice(2).join("|")); process.exitCode = 7`);
  expect(await run("a", "b c", "--flag")).toMatchObject({ code: 7, stdout: "a|b c|--flag\n" });
});

test("a file of somebody's own runs by its language, with arguments, environment and exit code", async () => {
  script(
    "console.log(process.argv.slice(2).join(), process.env.OWN, import.meta.main); process.exitCode = 7;",
  );
  const own = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/setup.mjs", "--file", ...args], {
      cwd: project,
      env: { ...environment(), OWN: "own", INIT_CWD: join(project, "scripts") },
      encoding: "utf8",
    });
  expect(own("../script.mjs", "a", "b")).toMatchObject({ status: 7, stdout: "a,b own true\n" });
  expect(own("none.ts")).toMatchObject({ status: 1, stderr: expect.stringContaining("there is no file") });
  expect(own("../package.json")).toMatchObject({ status: 1, stderr: expect.stringContaining("neither") });
  expect(own()).toMatchObject({ status: 1, stderr: expect.stringContaining("name the file to run") });
});

test("a script that a signal ended gives that signal's exit code", async () => {
  script(`process.kill(process.pid, "SIGKILL")`);
  expect(await run()).toMatchObject({ code: 137 });
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s reaches the script, which ends in its own time",
  async (signal) => {
    script(`
    process.on("${signal}", () => setTimeout(() => { console.log("tidied"); process.exit(0) }, 200));
    setInterval(() => {}, 1000);
    console.log("up");`);
    const child = start();
    await said(child, "up");
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    expect(child.output.stdout).toBe("up\ntidied\n");
  },
);
