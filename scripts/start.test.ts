import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { freePorts, isFree } from "./cli/src/ports.ts";
import { root } from "./lib/paths.ts";
import { SERVICES } from "./lib/services.ts";

const HOST = "127.0.0.1";

/** Runs `npm start` through setup.mjs, with its own ports and data directory. */
class Start {
  readonly child: ChildProcess;
  text = "";

  constructor(env: NodeJS.ProcessEnv) {
    const { REDIS_URL: _, ...inherited } = process.env;
    this.child = spawn(process.execPath, ["scripts/setup.mjs", "scripts/start.ts"], {
      cwd: root,
      env: { ...inherited, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => (this.text += text));
    }
  }

  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.text);
      if (found) return found;
      if (this.child.exitCode !== null) throw new Error(`it ended without saying ${pattern}:\n${this.text}`);
      await delay(20);
    }
  }

  async ended(): Promise<number> {
    if (this.child.exitCode === null) await once(this.child, "close");
    return this.child.exitCode ?? -1;
  }
}

/** What is true of any mesh is tested with a small one; the first test starts all that ships. */
const SMALL = { MESH_ONLY: "transfer" };

const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let env: NodeJS.ProcessEnv = {};
let data = "";
let ports: number[] = [];
let started: Start[] = [];

beforeEach(async () => {
  ports = await freePorts(SERVICES.length, HOST);
  const variables = SERVICES.map(({ portVariable }, index) => [portVariable, String(ports[index])]);
  data = mkdtempSync(join(tmpdir(), "interlock-start-"));
  env = { ...Object.fromEntries(variables), INTERLOCK_DATA_DIR: data };
});

afterEach(async () => {
  for (const { child } of started.splice(0)) child.kill("SIGKILL");
  await until(async () => (await freeNow()) === ports.length);
  for (const dir of [data, env.INTERLOCK_DATA_DIR ?? data]) rmSync(dir, { recursive: true, force: true });
});

function start(): Start {
  const result = new Start(env);
  started = [...started, result];
  return result;
}

async function freeNow(): Promise<number> {
  return (await Promise.all(ports.map((port) => isFree(port, HOST)))).filter(Boolean).length;
}

/** What each service has logged; Redis has a form of its own. */
function logLines(dir: string): [service: string, lines: unknown[]][] {
  const files = readdirSync(join(dir, "logs")).filter((name) => name !== "redis.log");
  expect(files).toHaveLength(SERVICES.length);
  return files.map((name) => {
    const text = readFileSync(join(dir, "logs", name), "utf8");
    return [
      name,
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ];
  });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    if (await condition()) return;
    await delay(50);
  }
  throw new Error("did not come true within 60 s");
}

test("starts everything, refuses other starts, and stops everything when asked", async () => {
  env = { ...env, REDIS_ULR: "redis://127.0.0.1:1" };
  const both = [start(), start()] as const;
  await until(async () => both.some(({ text }) => text.includes("runs here already")));
  const [first, second] = both[0].text.includes("already") ? [both[1], both[0]] : both;
  expect(await second.ended()).toBe(1);
  expect(second.text).toContain(
    `Interlock runs here already: http://${HOST}:${env.GATEWAY_PORT} (process ${/process (\d+)/.exec(second.text)?.[1]}). ` +
      `Use that one, or stop it first: kill ${/process (\d+)/.exec(second.text)?.[1]}\n`,
  );
  await first.says(/Interlock is ready .*: http:\/\/127\.0\.0\.1:\d+/);
  expect(first.text).toContain("/api/v1/chat?stream=true");
  expect(await freeNow()).toBe(0);

  env = { ...env, INTERLOCK_DATA_DIR: mkdtempSync(join(tmpdir(), "interlock-start-")) };
  const elsewhere = start();
  expect(await elsewhere.ended()).toBe(1);
  expect(elsewhere.text).toContain(
    `Port ${env.GATEWAY_PORT} (gateway) is taken by an Interlock gateway: set GATEWAY_PORT to a free one.`,
  );
  expect(elsewhere.text).toContain(`Port ${env.POLICY_PORT} (policy) is taken by the agent "policy"`);
  expect(elsewhere.text).toContain(`Port ${env.ISSUER_PORT} (issuer) is taken by an issuer of tokens`);
  expect(elsewhere.text).toMatch(/Ports that are free now: OPTIMIZER_PORT=\d+ .*GATEWAY_PORT=\d+ npm start/);

  expect(first.text).toContain("REDIS_ULR is no setting: did you mean REDIS_URL?");
  const warning = {
    level: 40,
    msg: "no setting has this name",
    variable: "REDIS_ULR",
    did_you_mean: "REDIS_URL",
  };
  for (const [service, lines] of logLines(data)) {
    expect([service, lines]).toEqual([service, expect.arrayContaining([expect.objectContaining(warning)])]);
    for (const line of lines) expect(line).toMatchObject({ level: expect.any(Number), time: ISO_TIME });
  }
  for (const [name, port] of [
    ["policy", env.POLICY_PORT],
    ["gateway", env.GATEWAY_PORT],
  ] as const) {
    process.kill(pidAt(port), "SIGKILL");
    await first.says(new RegExp(`${name} was ended by SIGKILL[\\s\\S]*Starting ${name} again in 0\\.5 s`));
    await first.says(new RegExp(`${name} is back`));
  }
  expect((await fetch(`http://${HOST}:${env.GATEWAY_PORT}/readyz`)).status).toBe(200);
  first.child.kill("SIGINT");
  expect(await first.ended()).toBe(0);
  expect(first.text).toContain("Stopped.");
  expect(await freeNow()).toBe(ports.length);
});

/** The service that was started with this port. */
function pidAt(port: string | undefined): number {
  const pids = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && variablesOf(name).includes(`PORT=${port}`),
  );
  expect(pids).toHaveLength(1);
  return Number(pids[0]);
}

function variablesOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // It has ended, or is somebody else's.
    return [];
  }
}

test("agents that the manifest has a command for are started with the mesh, answer in chat, and end with it", async () => {
  const [words = 0, short = 0] = await freePorts(2, HOST);
  const own = manifestWith(
    `
  words:
    url: http://${HOST}:${words}
    command: [node, words.ts]
    env: { GREETING: own }
    tasks: { WORDS_OF: Takes a text apart. }
  short:
    url: http://${HOST}:${short}
    command: [node, -e, "console.error('no licence'); process.exit(3)"]
    tasks: { SHORT: Ends at once. }
  far:
    url: https://agents.example.com
    command: [node, words.ts]
    tasks: { FAR: Is elsewhere. }`,
    `
  words: { agent: words, task_type: WORDS_OF, keywords: [take apart], examples: [take apart this text] }`,
  );
  ports.push(words, short);
  env = { ...env, ...SMALL, MESH_FILE: own.manifest };
  const run = start();
  await run.says(/Interlock is ready/);
  await run.says(/Your agent words: http:\/\/127\.0\.0\.1:\d+/);
  await run.says(/short \| no licence/);
  await run.says(
    /short ended with exit code 3\. The rest of the mesh goes on; starting short again in 0\.5 s/,
  );
  expect(run.text).toContain(
    "far is not started: https://agents.example.com is not an address of this machine.",
  );
  expect(run.text).toMatch(/words \| .*listening/);

  const [, url] = /ready .*: (http:\S+)/.exec(run.text) ?? [];
  // The examples are those of the manifest.
  expect(run.text).toContain(`'${url}/api/v1/chat?stream=true'`);
  expect(run.text).toContain('"message":"take apart this text"');
  const answer = await fetch(`${url}/api/v1/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "take apart this text", session_id: "s-1", inputs: { text: "one two" } }),
  });
  expect(await answer.json()).toMatchObject({
    message: "words: one, two\ngreeting: own",
    outputs: { words: ["one", "two"], greeting: "own" },
    tools_used: ["words_of"],
  });

  run.child.kill("SIGINT");
  expect(await run.ended()).toBe(0);
  expect(await freeNow()).toBe(ports.length);
  own.remove();
});

/** A manifest with the parts that ship, and agents and services of its own, beside an agent on the kit. */
function manifestWith(agents: string, services: string): { manifest: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "interlock-own-"));
  const manifest = join(dir, "mesh.yaml");
  const shipped = readFileSync(join(root, "mesh.yaml"), "utf8").replaceAll("services/", `${root}services/`);
  const text = `${shipped}\nagents:${agents}\nservices:${services}\n`;
  writeFileSync(manifest, text);
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }');
  writeFileSync(
    join(dir, "words.ts"),
    `import { createAgent, serve } from "${root}services/agent-kit/src/index.ts";
const agent = createAgent({
  card: { name: "words", version: "1.0.0" },
  tasks: {
    WORDS_OF: {
      inputs: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
      outputs: { type: "object" },
      async *run({ inputs }: { inputs: { text: string } }) {
        return { words: inputs.text.split(" "), greeting: process.env.GREETING };
      },
    },
  },
});
await serve(agent, process.env, { port: 1 });
`,
  );
  return { manifest, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

test("a service that does not come up ends the start with a clear message", async () => {
  env = { ...env, MESH_ONLY: "pricing", RULE_PACK: "/no/such/rule-pack.json" };
  const { text, code } = await (async () => {
    const run = start();
    return { code: await run.ended(), text: run.text };
  })();
  expect(code).toBe(1);
  expect(text).toMatch(
    /(policy|optimizer|explainer|sensitivity|reporter) ended with exit code 1; its log ends:/,
  );
  expect(await freeNow()).toBe(ports.length);
});

test("when it is killed outright, nothing stays", async () => {
  env = { ...env, ...SMALL };
  const run = start();
  await run.says(/Interlock is ready/);
  run.child.kill("SIGKILL");
  await until(async () => (await freeNow()) === ports.length);
});

test("stopped while it starts, it ends quietly", async () => {
  env = { ...env, ...SMALL };
  const run = start();
  await until(async () => (await freeNow()) < ports.length);
  run.child.kill("SIGTERM");
  expect(await run.ended()).toBe(0);
  expect(run.text).toContain("Stopped.");
});
