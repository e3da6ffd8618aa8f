/** Runs `npm ci`. Plain JavaScript without dependencies, because it runs before anything is installed. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What does not answer soon is not waited for: npm by itself takes a minute and a half to say so. */
const PING = ["--fetch-retries=1", "--fetch-retry-mintimeout=300", "--fetch-timeout=8000"];
const PATIENCE = ["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
/** By default npm also asks its registry for a newer version of itself. */
const QUIET = ["--loglevel=error", "--no-audit", "--no-fund", "--no-update-notifier"];
const TELL_EVERY_MS = 15_000;
const GRACE_MS = 1_000;

const NO_NETWORK =
  /^(?:EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EPIPE|ERR_SOCKET_TIMEOUT|FETCH_ERROR|ENETDOWN)$/;
const UNTRUSTED =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+)$/;

/**
 * Installs what the lock file names, from npm's cache alone if its registry cannot be reached.
 * @param onStart called with the process id of each npm
 * @param signal ends npm; nothing is started after it
 * @returns undefined, or `problem`: why it failed, in a line, and `output`: npm's own, where that is not enough
 */
export async function install({ root, say, onStart, signal }) {
  const started = Date.now();
  say(`installing ${packageCount(root)} packages into node_modules (npm ci), which takes half a minute…`);
  const run = (...args) => npm(root, [...args, ...QUIET], { onStart, signal });
  const ping = await run("ping", ...PING);
  if (signal.aborted) return { problem: "stopped" };
  if (ping.missing)
    return { problem: `npm could not be started (${ping.missing}): install it and run this again` };
  const offline = NO_NETWORK.test(ping.code) || UNTRUSTED.test(ping.code) ? ping.code : undefined;
  if (offline) say(`npm's registry cannot be reached (${offline}): trying with what npm has in its cache`);
  const told = setInterval(() => say(`still installing (${seconds(started)} s)`), TELL_EVERY_MS);
  const ci = await run("ci", ...(offline ? ["--offline"] : PATIENCE));
  clearInterval(told);
  if (signal.aborted) return { problem: "stopped" };
  if (ci.status !== 0) return problemOf(ci, offline, await registryOf(run));
  say(`dependencies installed in ${seconds(started)} s`);
  return undefined;
}

function problemOf({ signal, code, output }, offline, registry) {
  if (signal) return { problem: `npm ci was stopped by ${signal}` };
  if (code === "ENOTCACHED" || NO_NETWORK.test(code) || UNTRUSTED.test(code)) {
    const missing = /request to (?:\S+\/)?(\S+) failed/.exec(output)?.[1] ?? "packages";
    const cause = offline ?? (code === "ENOTCACHED" ? "npm is set to work offline" : code);
    if (UNTRUSTED.test(cause))
      return {
        problem: `npm does not trust the certificate of ${registry} (${cause}): name its authority (NODE_EXTRA_CA_CERTS=file.pem) and run this again`,
      };
    return {
      problem:
        `no network: npm's registry ${registry} cannot be reached (${cause}), and npm's cache lacks ${missing}. Connect this machine, ` +
        "or name a proxy (npm_config_https_proxy) or a registry that it reaches (npm_config_registry), and run this again",
    };
  }
  const [, url] = /(?:GET|HEAD) (\S+)/.exec(output) ?? [];
  if (/^E[45]\d\d$/.test(code))
    return {
      problem:
        `npm's registry answered ${code.slice(1)} to ${url ?? registry}. Name another one (npm_config_registry)` +
        `${code === "E401" || code === "E403" ? ", or log in to it (npm login)" : " or try again later"}, and run this again`,
    };
  const [, path] = /^npm (?:error|ERR!) path (.+)$/m.exec(output) ?? [];
  if (code === "ENOSPC")
    return {
      problem: `the disk is full (ENOSPC${path ? `: ${path}` : ""}): free some space and run this again`,
    };
  if (/^(?:EROFS|EACCES|EPERM|ENOTDIR)$/.test(code))
    return {
      problem:
        `npm may not write ${path ?? "to its folders"} (${code}): give this user that right, ` +
        "or another cache (npm_config_cache) if it is npm's, and run this again",
    };
  if (code === "EINTEGRITY")
    return { problem: "a package is not what package-lock.json says (EINTEGRITY): see above", output };
  return { problem: "npm ci failed: see above", output };
}

/** @returns how it ended, and the code that it names, which is empty if it names none */
function npm(root, args, { onStart, signal }) {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const [command, first] = cli && node ? [node, [cli]] : ["npm", []];
  return new Promise((done) => {
    const child = spawn(command, [...first, ...args], { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let grace;
    // npm may not end at its first signal; the next `npm ci` begins anew, whatever this one leaves.
    const stop = () => {
      child.kill("SIGTERM");
      grace = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    };
    signal.addEventListener("abort", stop, { once: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    child.once("error", (error) => done({ missing: error.code, code: "", output }));
    child.once("close", (status, endedBy) => {
      clearTimeout(grace);
      signal.removeEventListener("abort", stop);
      const [, code = ""] = /^npm (?:error|ERR!) code (\S+)$/m.exec(output) ?? [];
      done({ status, signal: endedBy, code, output });
    });
    if (child.pid !== undefined) onStart(child.pid);
  });
}

async function registryOf(run) {
  const { output } = await run("config", "get", "registry");
  return /https?:\/\/\S+/.exec(output)?.[0].replace(/\/\/[^@/]*@/, "//") ?? "";
}

/** A number as a word for the user: a lock file that npm cannot read is npm's to refuse. */
function packageCount(root) {
  try {
    const { packages = {} } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    return Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link)
      .length;
  } catch {
    return "the";
  }
}

function seconds(since) {
  return Math.round((Date.now() - since) / 1000);
}
