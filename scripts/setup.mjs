/**
 * Installs what a fresh clone needs, then runs the script named in its arguments with Node 24.
 * Plain JavaScript without dependencies, because it runs before anything is installed.
 *
 *     node scripts/setup.mjs scripts/start.ts [arguments…]
 *     node scripts/setup.mjs --file FILE [arguments…]          a file of somebody's own, in JavaScript, TypeScript or Python
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { isatty } from "node:tty";
import { fileURLToPath } from "node:url";
// biome-ignore lint/correctness/useImportExtensions: the declaration beside it is for TypeScript alone
import { releaseLock, shareLock, takeLock } from "./cli/src/lock.mjs";
import { install } from "./lib/install.mjs";

const WANTED_NODE = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const lock = join(root, ".data", "setup.lock");
const platform = `${process.platform}-${process.arch}`;
/** An optional dependency, on the platforms that have such a package. */
const shippedNode = join(modules, `node-${platform}`, "bin", "node");

async function main() {
  const [script, ...args] = process.argv.slice(2);
  if (script === "--file") return await runFile(args);
  if (script === undefined) fail("name the script to run: node scripts/setup.mjs scripts/start.ts");
  const installed = await ensureDependencies();
  run(chooseNode(installed), [script, ...args]);
}

/** `npm run -s agent -- FILE [arguments…]`: the file by its language, JavaScript and TypeScript with the same Node as everything else. */
async function runFile([name, ...args]) {
  if (name === undefined) fail("name the file to run: npm run -s agent -- FILE [arguments…]");
  // npm has gone to the root; whoever typed the name may be elsewhere.
  const file = resolve(process.env.INIT_CWD ?? process.cwd(), name);
  if (!existsSync(file)) fail(`there is no file ${file}`);
  const installed = await ensureDependencies();
  if (/\.[cm]?[jt]s$/.test(file)) run(chooseNode(installed), [file, ...args]);
  else if (file.endsWith(".py")) run(chooseNode(installed), [file, ...args], "python3");
  else
    fail(`${name} is neither JavaScript nor TypeScript nor Python (.js, .mjs, .cjs, .ts, .mts, .cts, .py)`);
}

async function ensureDependencies() {
  return (
    validStamp() ??
    (await withLock(async () => {
      const finishedMeanwhile = validStamp();
      if (finishedMeanwhile) return finishedMeanwhile;
      const before = readJson(stampFile());
      const fromElsewhere = before !== undefined && before.platform !== platform;
      if (fromElsewhere || !isInstalled()) await installAll();
      const stamp = { lock: lockHash(), platform, shippedNode: majorOf(shippedNode) >= WANTED_NODE };
      mkdirSync(modules, { recursive: true });
      writeFileSync(stampFile(), JSON.stringify(stamp));
      return stamp;
    }))
  );
}

/** Kept in node_modules, so that deleting node_modules deletes it too. */
function stampFile() {
  return join(modules, ".interlock-setup.json");
}

function validStamp() {
  const stamp = readJson(stampFile());
  return stamp?.platform === platform && stamp.lock === lockHash() ? stamp : undefined;
}

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}

/** Whether all is there without an install: npm's record of its last one has every package of the lock file, and workspaces are linked. */
function isInstalled() {
  const wanted = readJson(join(root, "package-lock.json"))?.packages ?? {};
  const present = readJson(join(modules, ".package-lock.json"))?.packages;
  if (!present) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true;
    // A workspace that has come with a pull is no package of a registry, but has to be linked. `new:agent` has linked its own.
    if (entry.link) return existsSync(join(root, path));
    return present[path] ? present[path].version === entry.version : entry.optional === true;
  });
}

async function installAll() {
  // npm ends with us, whoever the signal was sent to: at a terminal, Ctrl-C goes to both.
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopping.abort(signal));
  const failed = await install({
    root,
    say,
    onStart: (pid) => shareLock(lock, pid),
    signal: stopping.signal,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(signal);
  if (stopping.signal.aborted) {
    releaseLock(lock);
    say("the installation was stopped; the next command goes on with it");
    process.exit(128 + constants.signals[stopping.signal.reason]);
  }
  if (!failed) return;
  if (failed.output) process.stderr.write(failed.output);
  fail(failed.problem);
}

/** Of two commands at once on a fresh clone, one installs; the other waits, and takes over if the first one and its npm have died. */
async function withLock(work) {
  for (let told = false; takeLock(lock) !== undefined; told = true) {
    if (!told) say("another command is installing: waiting for it…");
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const result = await work();
  releaseLock(lock);
  return result;
}

function chooseNode(installed) {
  if (installed.shippedNode && existsSync(shippedNode)) return shippedNode;
  if (Number.parseInt(process.versions.node, 10) >= WANTED_NODE) return process.execPath;
  return fail(
    `Node ${WANTED_NODE} or newer is needed; this is ${process.version}, and there is no ready-made Node for ` +
      `${platform} among the dependencies. Install it (https://nodejs.org, or: nvm install ${WANTED_NODE}) and run this again.`,
  );
}

function majorOf(node) {
  const answer = existsSync(node) ? spawnSync(node, ["--version"], { encoding: "utf8" }).stdout : "";
  return Number(/^v(\d+)/.exec(answer ?? "")?.[1] ?? 0);
}

/** Runs the script as a child: passes signals on to it, and exits with its exit code. */
function run(node, args, program = node) {
  const path = [dirname(node), join(modules, ".bin"), process.env.PATH].join(delimiter);
  // Caches compiled modules for all processes started from here: the next start takes a third less time.
  const cache = { NODE_COMPILE_CACHE: join(root, ".data", "compile-cache") };
  const env = { ...cache, ...process.env, PATH: path, INTERLOCK_SETUP: "1" };
  const child = spawn(program, args, { stdio: "inherit", env });
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  process.on("SIGHUP", () => child.kill("SIGHUP"));
  // At a terminal, Ctrl-C goes to the whole process group: the child has received it already.
  process.on("SIGINT", () => isatty(0) || child.kill("SIGINT"));
  child.on("error", (error) => fail(`${args[0]} could not be started with ${program} (${error.code})`));
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
  if (process.env.npm_lifecycle_event) stopWhenOrphaned(child);
}

/** Neither npm nor the shell that it may start us in passes SIGKILL on: stops the child when one of them has gone. */
function stopWhenOrphaned(child) {
  const before = lineage();
  setInterval(() => lineage() !== before && child.kill("SIGTERM"), 500).unref();
}

/** The parent process, and, if that is a shell, its parent too (only known on Linux). */
function lineage() {
  const parent = process.ppid;
  const [, name, grandparent] = /\((.*)\) \S (\d+)/.exec(readText(`/proc/${parent}/stat`) ?? "") ?? [];
  return /^(sh|dash|bash|ash|busybox|zsh)$/.test(name ?? "") ? `${parent} of ${grandparent}` : `${parent}`;
}

function readText(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function readJson(file) {
  try {
    return JSON.parse(readText(file) ?? "");
  } catch {
    return undefined;
  }
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

/** What cannot be written, in a line. */
function failToWrite(error) {
  const meanings = {
    ENOSPC: "the disk is full",
    EROFS: "it is read-only",
    EACCES: "this user may not",
    EPERM: "this user may not",
  };
  const meaning = meanings[error.code];
  if (!meaning) throw error;
  fail(`cannot write ${error.path ?? root}: ${meaning} (${error.code})`);
}

await main().catch(failToWrite);
