/**
 * A file that at most one command on this machine has. Plain JavaScript without dependencies: setup.mjs uses it before anything is installed.
 */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Whoever removes a dead holder's lock needs an instant. Longer than this, it has died over it. */
const REMOVAL_MS = 10_000;

/**
 * Takes the lock, also from a holder whose processes have all ended.
 * @param facts what others are told of the holder
 * @returns the holder's facts where another process has it; undefined if it is ours now
 */
export function takeLock(file, facts = {}) {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, textOf(process.pid, undefined, facts));
  try {
    for (;;) {
      if (linked(mine, file)) return undefined;
      const holder = read(file);
      if (holder === undefined) continue;
      if (holder.processes.some(isThere)) return { ...holder.facts, pid: holder.processes[0]?.pid };
      removeDead(file, mine, holder);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Whoever has the lock has started a process that has to have ended, too, before another may take it. */
export function shareLock(file, pid, facts = {}) {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, textOf(process.pid, pid, facts));
  renameSync(mine, file);
}

export function releaseLock(file) {
  rmSync(file, { force: true });
}

/** Of several that find the same dead holder one removes it, and none removes its successor. */
function removeDead(file, mine, holder) {
  const removal = `${file}.removal`;
  if (!linked(mine, removal)) {
    if (ageMs(removal) > REMOVAL_MS) rmSync(removal, { force: true });
    return;
  }
  if (read(file)?.text === holder.text) rmSync(file, { force: true });
  rmSync(removal, { force: true });
}

/** A hard link is atomic: whoever sees the lock can also read whose it is. */
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function read(file) {
  try {
    const text = readFileSync(file, "utf8");
    return { text, ...JSON.parse(text) };
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    return { text: "", processes: [], facts: {} };
  }
}

function textOf(pid, child, facts) {
  const processes = [pid, child].filter((one) => one !== undefined);
  return JSON.stringify({ processes: processes.map((one) => ({ pid: one, since: since(one) })), facts });
}

/** A number may belong to another process by now; a zombie has ended. */
function isThere({ pid, since: then }) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== "EPERM") return false;
  }
  const now = since(pid);
  return now !== "ended" && (now === undefined || then === undefined || now === then);
}

/** When a process has started, in a unit of the kernel's. Only known on Linux. */
function since(pid) {
  try {
    const [, state, rest] = /\) (\S) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    return state === "Z" || state === "X" ? "ended" : rest?.split(" ")[18];
  } catch {
    return undefined;
  }
}

function ageMs(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}
