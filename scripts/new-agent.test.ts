import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { loadMesh } from "../services/gateway/src/mesh/index.ts";
import { ownAgents } from "./cli/src/own-agents.ts";
import { judge } from "./conformance/src/judge.ts";
import { observe } from "./conformance/src/observe.ts";
import { rules } from "./conformance/src/rules.ts";
import { SHORT } from "./conformance/test/observing.ts";
import { root } from "./lib/paths.ts";
import { program } from "./lib/tasks.ts";
import { type Copy, copyOfTheTree } from "./new-agent/test/copy.ts";

const python = spawnSync("python3", ["--version"]).status === 0;
if (!python)
  process.stdout.write("Python is not installed here: agents in Python are made, but not started\n");

/** Each kind of agent, under names that nobody is likely to have taken in this tree. The longest name and the shortest one show that nothing depends on their length. */
const VARIANTS = [
  { name: "tried-words", args: [], taskType: "TRIED_WORDS", language: "node" },
  {
    name: "tried-under-a-rather-long-name",
    args: ["--dialogue"],
    taskType: "TRIED_UNDER_A_RATHER_LONG_NAME_TURN",
    language: "node",
  },
  {
    name: "zq",
    args: ["--language", "python", "--task", "TRIED_ALL_WORDS"],
    taskType: "TRIED_ALL_WORDS",
    language: "python",
  },
  {
    name: "tried-booking",
    args: ["--language", "python", "--dialogue", "--port", "39123"],
    taskType: "TRIED_BOOKING_TURN",
    language: "python",
  },
] as const;

interface Made {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function newAgent(tree: Copy, ...args: string[]): Made {
  const { status, stdout, stderr } = node(tree, "scripts/new-agent.ts", ...args);
  return { code: status, stdout, stderr };
}

function node(tree: Copy, ...args: string[]) {
  return startedBy("", tree, ...args);
}

/** @param npm what npm says of itself and its Node to what it runs */
function startedBy(npm: string, tree: Copy, ...args: string[]) {
  const env = {
    ...process.env,
    npm_config_user_agent: npm,
    npm_config_globalconfig: join(tree.path, "global-npmrc"),
  };
  return spawnSync(process.execPath, args, { cwd: tree.path, encoding: "utf8", env });
}

/** The files that making an agent changes, as they are now. */
function texts(tree: Copy): string[] {
  const names = ["mesh.yaml", "docker-compose.yml", "Dockerfile", "biome.json", "package-lock.json"];
  return names.map((name) => readFileSync(join(tree.path, name), "utf8"));
}

let tree: Copy;
let made: Made[];
/** The folder of an agent in a repository of its own. */
let elsewhere: string;
beforeAll(() => {
  tree = copyOfTheTree();
  elsewhere = join(tree.path, "elsewhere");
  made = VARIANTS.map(({ name, args }) => newAgent(tree, name, ...args));
});
afterAll(() => tree.remove());

test("it says what it made, and what to do next", () => {
  expect(made.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    VARIANTS.map(() => ({ code: 0, stderr: "" })),
  );
  expect(made[3]?.stdout).toContain(
    "Made the agent tried-booking (Python, a dialogue): task TRIED_BOOKING_TURN, port 39123.",
  );
  expect(made[3]?.stdout).toContain("npm test -- services/tried-booking");
  expect(made[3]?.stdout).toContain("npm start");
  expect(made[3]?.stdout).toContain("--target http://127.0.0.1:39123=TRIED_BOOKING_TURN");
});

test("the documentation shows what it says, for other names and ports", () => {
  const shown = readFileSync(join(root, "docs/writing-an-agent.md"), "utf8");
  const blocks = [...shown.matchAll(/```console\n(Made [\s\S]*?)```/g)].map(([, block = ""]) => block.trim());
  const standalone = newAgent(tree, "tried-words-elsewhere", "--standalone", elsewhere).stdout;
  const neutral = (text = "") =>
    text
      .trim()
      .replaceAll(/…\/word-count|\.\.\/word-count|\/\S*\/elsewhere/g, "FOLDER")
      .replaceAll(/word-count|tried-words(?:-elsewhere)?/g, "NAME")
      .replaceAll(/WORD_COUNT|TRIED_WORDS(?:_ELSEWHERE)?/g, "TASK")
      .replaceAll(/\b\d{4,5}\b/g, "PORT");
  expect(blocks.map(neutral)).toEqual([neutral(made[0]?.stdout), neutral(standalone)]);
});

test("an older Node is told how the agent's repository gets this one, and npm there keeps its configuration", () => {
  writeFileSync(join(tree.path, "global-npmrc"), "");
  const agentFor = (version: string) => {
    const args = [`tried-for-${version}`, "--standalone", join(tree.path, `for-${version}`)];
    return startedBy(`npm/11.0.0 node/v${version}.0.0 linux x64`, tree, "scripts/new-agent.ts", ...args)
      .stdout;
  };
  const [line = ""] = /^ {2}export .*$/m.exec(agentFor("20")) ?? [];
  const script = `${line}\nnode --version; echo "$npm_config_globalconfig"`;
  const { stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect(stdout).toBe(`${process.version}\n${join(tree.path, "global-npmrc")}\n`);
  expect(agentFor(process.versions.node.split(".")[0] ?? "")).toMatch(/^Next:\n\n {2}cd /m);
});

test("an agent in a repository of its own has the packages of this version, and the manifest knows it", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { name, dependencies, scripts } = JSON.parse(readFileSync(join(elsewhere, "package.json"), "utf8"));
  expect({ name, dependencies }).toEqual({
    name: "tried-words-elsewhere",
    dependencies: { "@interlock/agent-kit": `^${version}` },
  });
  const { agents, services } = parse(readFileSync(join(tree.path, "mesh.yaml"), "utf8"));
  expect(services["tried-words-elsewhere"].agent).toBe("tried-words-elsewhere");
  const [, port] = /:(\d+)\}$/.exec(agents["tried-words-elsewhere"].url) ?? [];
  expect(scripts.conformance).toContain(`http://127.0.0.1:${port}=TRIED_WORDS_ELSEWHERE`);
  // Of the rest of this repository, nothing learns of it.
  for (const text of texts(tree).slice(1)) expect(text).not.toContain("tried-words-elsewhere");
});

describe("the agents that were made", () => {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    await Promise.all(
      children.splice(0).map(async (child) => {
        child.kill("SIGTERM");
        if (child.exitCode === null) await once(child, "exit");
      }),
    );
  });

  /** Starts an agent on a free port. */
  async function started(command: string, main: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
    const child = spawn(command, [main], {
      cwd: tree.path,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        PYTHONDONTWRITEBYTECODE: "1",
        ...env,
        PORT: "0",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /"url":"([^"]+)"/.exec(line)?.[1];
      if (url === undefined) continue;
      child.stdout.resume();
      return url;
    }
    throw new Error(`${main} ended`);
  }

  test("npm start knows them, and each keeps every rule of the contract", async () => {
    const { agents } = ownAgents(join(tree.path, "mesh.yaml"), {});
    const rows = VARIANTS.flatMap(({ name }) => agents.filter((agent) => agent.name === name));
    expect(rows.map(({ tasks, cwd }) => [...tasks, cwd])).toEqual(
      VARIANTS.map(({ taskType }) => [taskType, tree.path]),
    );
    const targets = await Promise.all(
      rows
        .filter(({ command: [program] }) => python || program !== "python3")
        .map(
          async ({ command: [program = "", main = ""], tasks: [task] }) =>
            `${await started(program, main)}=${task}`,
        ),
    );
    const check = spawn(
      process.execPath,
      ["scripts/conformance/src/main.ts", "--strict", ...targets.flatMap((target) => ["--target", target])],
      { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
    );
    const lines: string[] = [];
    for await (const line of createInterface({ input: check.stdout })) lines.push(line);
    expect(lines.filter((line) => / (?:FAIL|warn|needs inputs|not reached) /.test(line))).toEqual([]);
    expect(lines.at(-1)).toContain(`PASS  ${targets.length} of ${targets.length} targets pass`);
  });

  (python ? test : test.skip)("those in Python pass their own tests", () => {
    for (const { name } of VARIANTS.filter(({ language }) => language === "python")) {
      const cwd = join(tree.path, "services", name);
      const { status, stderr } = spawnSync("python3", ["-B", "-m", "unittest", "discover"], {
        cwd,
        encoding: "utf8",
      });
      expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringMatching(/\nOK\n$/) });
    }
  });

  (python ? test : test.skip)(
    "those in Python keep deadlines, and stop when the client leaves, which only long runs show",
    async () => {
      const slow = join(root, "scripts/new-agent/test/slow_agent.py");
      const url = await started("python3", slow, { PYTHONPATH: join(tree.path, "services/tried-booking") });
      const results = judge(await observe({ url, taskType: "SLOW" }, { bounds: SHORT }));
      const kept = results.filter(({ verdict }) => verdict === "pass").map(({ rule }) => rule.id);
      expect(kept).toEqual(rules.map(({ id }) => id));
    },
  );

  test("types, lint and format hold", () => {
    const folders = VARIANTS.map(({ name }) => `services/${name}`);
    const include = folders;
    writeFileSync(
      join(tree.path, "tsconfig.made.json"),
      JSON.stringify({ extends: "./tsconfig.base.json", include }),
    );
    const types = node(tree, program("typescript/bin/tsc"), "-p", "tsconfig.made.json");
    expect(types.stdout).toBe("");
    const lint = ["ci", "--vcs-enabled=false", "--colors=off", ...include, "biome.json"];
    const { status, stderr } = node(tree, program("@biomejs/biome/bin/biome"), ...lint);
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
  });

  test("the manifest sends messages to them, and loads", () => {
    const { agents, services } = loadMesh(join(tree.path, "mesh.yaml"), {});
    expect(VARIANTS.map(({ name }) => services.get(name)?.target)).toEqual([
      { kind: "agent", agent: "tried-words", taskType: "TRIED_WORDS", answer: expect.any(Function) },
      expect.objectContaining({ kind: "dialogue", taskType: "TRIED_UNDER_A_RATHER_LONG_NAME_TURN" }),
      { kind: "agent", agent: "zq", taskType: "TRIED_ALL_WORDS", answer: expect.any(Function) },
      expect.objectContaining({ kind: "dialogue", taskType: "TRIED_BOOKING_TURN" }),
    ]);
    expect(services.get("tried-words")?.keywords).toEqual(["tried words", "tried-words"]);
    expect(agents.get("tried-booking")?.url).toBe("http://127.0.0.1:39123");
  });

  test("Compose starts them before the gateway, which may reach them", () => {
    const { services } = parse(readFileSync(join(tree.path, "docker-compose.yml"), "utf8"), { merge: true });
    const { depends_on, environment } = services.gateway;
    expect(services["tried-words"]).toMatchObject({
      build: { context: ".", target: "tried-words" },
      read_only: true,
    });
    expect(services["tried-booking"]).toMatchObject({
      build: { context: "services/tried-booking" },
      read_only: true,
    });
    expect(environment.TRIED_BOOKING_URL).toBe("http://tried-booking:39123");
    for (const { name } of VARIANTS) {
      expect(depends_on[name]).toEqual({ condition: "service_healthy" });
      expect(environment.EGRESS_ALLOW.split(", ")).toContain(name);
    }
    const dockerfile = readFileSync(join(tree.path, "Dockerfile"), "utf8");
    expect(dockerfile).toContain("FROM service AS tried-words\n");
    expect(dockerfile).not.toContain("tried-booking");
  });

  test("the lock file is the one that npm would write", () => {
    const before = readFileSync(join(tree.path, "package-lock.json"), "utf8");
    const args = [
      "install",
      "--package-lock-only",
      "--offline",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
    ];
    const { status, stderr } = spawnSync("npm", args, { cwd: tree.path, encoding: "utf8" });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(readFileSync(join(tree.path, "package-lock.json"), "utf8")).toBe(before);
  });
});

describe("it changes nothing", () => {
  test.each([
    ["the name is taken", ["policy"], "There is something of the name policy already"],
    ["no name is given", [], "Name one agent."],
    [
      "it is to be a repository of its own in Python",
      ["a-b", "--language", "python", "--standalone", "x"],
      "--standalone makes",
    ],
    ["the folder exists", ["a-b", "--standalone", "contracts"], "EEXIST"],
  ])("where %s", (_why, args, message) => {
    const before = texts(tree);
    expect(newAgent(tree, ...args)).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
    expect(texts(tree)).toEqual(before);
  });

  test("where one of the files cannot be edited", () => {
    const file = join(tree.path, "docker-compose.yml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/^ +EGRESS_ALLOW:.*\n/m, ""));
    const before = texts(tree);
    const { code, stderr } = newAgent(tree, "tried-again");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "docker-compose.yml cannot be edited: services.gateway.environment.EGRESS_ALLOW is not a text. Nothing was changed.\n",
    });
    expect(texts(tree)).toEqual(before);
    writeFileSync(file, text);
  });
});
