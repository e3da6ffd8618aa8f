import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { say } from "../../cli/src/console.ts";
import type { Guard } from "../../cli/src/guard.ts";
import { SIMPLE_ASK } from "../../lib/asks.ts";
import type { Mesh } from "../../lib/mesh.ts";
import { root } from "../../lib/paths.ts";
import type { Check } from "../../lib/run-checks.ts";
import { chromiumPath } from "../../report/browser.ts";
import { packInto, type Tarball } from "../pack.ts";
import { DOCUMENT, SCOPE } from "../packages.ts";
import { turnIn } from "./browser.ts";
import { blocksToRun, expectLike, runBlocks } from "./document.ts";
import { makeDialogue, type OwnAgent } from "./own-agent.ts";
import { becomesFree, PATIENT } from "./patience.ts";
import { projectWorks } from "./project.ts";
import { checkContents, placeOf, startAgent } from "./steps.ts";
import { asHere, importAll, type Stranger } from "./stranger.ts";
import { checkTypes, RESOLUTIONS, type Resolution } from "./types.ts";
import { commandsOf, withStep, workflowIn } from "./workflow.ts";

const HAS_PYTHON = spawnSync("python3", ["--version"]).status === 0;

export interface World {
  readonly guard: Guard;
  /** A project with all packages. */
  readonly node: Stranger;
  /** A project with the client alone. */
  readonly page: Stranger;
  /** An agent in a repository of its own. */
  readonly own: Stranger;
  readonly ownAgent: OwnAgent;
  /** An agent in Python in a repository of its own. */
  readonly python: Stranger;
  /** A project on releases of Node that are older than this repository's. */
  readonly old: Stranger;
  /** Where the page is served from. The gateway lets it in. */
  readonly origin: string;
  readonly tarballs: string;
  readonly agentPort: number;
  readonly pythonPort: number;
  mesh(): Promise<Mesh>;
}

export function checksOf(world: World): Check[] {
  const { node, page, own } = world;
  let tarballs: readonly Tarball[] = [];
  const files = () => tarballs.map(({ file }) => file);
  const client = () => files().filter((file) => file.includes("interlock-client"));
  const compiled = (resolution: Resolution): Check => [
    `strict TypeScript, module resolution ${resolution}`,
    async () => {
      const compiler = node.folder;
      await Promise.all([
        checkTypes(node, "node.ts", { resolution, platform: { types: ["node"] }, compiler }),
        checkTypes(page, "page.ts", {
          resolution,
          platform: { lib: ["es2024", "dom"], types: [] },
          compiler,
        }),
      ]);
    },
  ];
  return [
    [
      "packs",
      async () => {
        tarballs = await packInto(world.tarballs);
      },
    ],
    [
      "installs in empty folders",
      async () => {
        await node.install(...files(), ...asHere("typescript", "@types/node"));
        await page.install(...client());
        await own.install(...keptIn(own, files()));
      },
    ],
    ["the tarballs hold what they should", async () => checkContents(tarballs, node)],
    ["the client needs its parser alone", () => needsItsParserAlone(page)],
    ["every module can be imported", async () => `${(await importAll(node)).trim()} modules`],
    ...Object.keys(RESOLUTIONS).map((resolution) => compiled(resolution as Resolution)),
    [`the blocks of ${DOCUMENT}`, () => documentRuns(world)],
    ["an empty project with an agent in TypeScript", () => projectWorks(node, "ts", world.guard)],
    ...(HAS_PYTHON
      ? ([
          ["an empty project with an agent in Python", () => projectWorks(node, "python", world.guard)],
        ] as const)
      : []),
    ["an agent in a repository of its own: types, tests", async () => void (await own.run("npm", "test"))],
    ["an agent that holds a dialogue: tests", () => dialogueWorks(world)],
    ["the workflow of that repository", () => templateWorks(world)],
    ["the same with the Action", () => actionWorks(world)],
    ...(HAS_PYTHON
      ? ([["the workflow of an agent in Python, with the Action", () => pythonWorks(world)]] as const)
      : []),
    ["that agent answers in the chat of a mesh", () => answersInChat(world)],
    ["installs beside older releases of Node", () => world.old.install(...files(), ...OLDER.map(releaseOf))],
    ...OLDER.map((release): Check => [`client and check on Node ${release}`, () => runsOn(release, world)]),
    ...inChromium(world),
  ];
}

/** A repository keeps the tarballs that it depends on, so that `npm ci` has them. */
function keptIn({ folder }: Stranger, files: readonly string[]): string[] {
  const used = files.filter((file) => /interlock-(?:contracts|agent-kit|conformance)-/.test(file));
  mkdirSync(join(folder, "packages"));
  return used.map((file) => {
    const kept = `./packages/${basename(file)}`;
    copyFileSync(file, join(folder, kept));
    return kept;
  });
}

/** The job's end stops the agent, which is `npm start` in some: that must not leave the agent behind. */
async function runWorkflow(stranger: Stranger, workflow: string, port: number): Promise<void> {
  await stranger.run("bash", "-c", commandsOf(workflow));
  if (!(await becomesFree(port))) throw new Error("The agent goes on after it was stopped.");
}

async function templateWorks({ own, ownAgent: { order } }: World): Promise<void> {
  await runWorkflow(own, own.read(".github/workflows/check.yml"), order.port);
}

async function actionWorks({ own, ownAgent: { order } }: World): Promise<void> {
  const shown = "http://127.0.0.1:8090=WORD_COUNT";
  const here = `http://127.0.0.1:${order.port}=${order.taskType}`;
  const step = workflowIn("docs/writing-an-agent.md").replace(shown, here);
  await runWorkflow(own, withStep(own.read(".github/workflows/check.yml"), step), order.port);
}

async function pythonWorks({ python, pythonPort }: World): Promise<void> {
  python.write("agent.py", readFileSync(join(root, "docs/examples/agent.py"), "utf8"));
  const workflow = workflowIn("docs/agent-contract.md")
    .replace("python3 agent.py", `PORT=${pythonPort} python3 agent.py`)
    .replace("127.0.0.1:8090", `127.0.0.1:${pythonPort}`);
  await runWorkflow(python, workflow, pythonPort);
}

async function needsItsParserAlone(page: Stranger): Promise<void> {
  const { dependencies = {} } = JSON.parse(await page.run("npm", "ls", "--all", "--json"));
  const names = JSON.stringify(dependencies).match(/(?<=")[@\w/-]+(?=":\{"version")/g) ?? [];
  const extra = names.filter((name) => ![`${SCOPE}client`, "eventsource-parser"].includes(name));
  if (names.length < 2 || extra.length > 0) throw new Error(`It installs ${names.join(", ")}.`);
}

async function documentRuns({ node, guard, mesh, agentPort, tarballs }: World): Promise<string> {
  const { url } = await mesh();
  const text = readFileSync(join(root, DOCUMENT), "utf8");
  const here = {
    "http://127.0.0.1:8080": url,
    "http://127.0.0.1:8090": `http://127.0.0.1:${agentPort}`,
    "interlock-conformance --strict": `interlock-conformance --strict ${PATIENT.join(" ")}`,
    // It is installed: no registry is asked for it.
    "npm create interlock@latest my-mesh --": "npx create-interlock my-mesh",
    "/tmp/interlock-packages": join(tarballs, "again"),
  };
  const place = placeOf(node, { here, agentPort: String(agentPort), guard });
  return `${await runBlocks(text, place)} blocks`;
}

async function dialogueWorks({ own, ownAgent }: World): Promise<void> {
  makeDialogue(own, ownAgent);
  await own.run("node", "--test", "dialogue/agent.test.ts");
}

async function answersInChat({ own, ownAgent, guard, mesh }: World): Promise<void> {
  const { order } = ownAgent;
  await startAgent(own, "npm start", String(order.port), guard);
  const { url } = await mesh();
  const answer = await fetch(`${url}/api/v1/chat`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      message: `${order.name}: how many words does this text have?`,
      inputs: { text: "one two three" },
      session_id: "stranger",
    }),
  });
  const { tools_used, message }: { tools_used?: unknown; message?: string } = JSON.parse(await answer.text());
  const says = "3 words; the longest is three.";
  if (message !== says || String(tools_used) !== order.taskType.toLowerCase())
    throw new Error(`The chat answered ${answer.status}: ${message ?? "nothing"}`);
}

/** Releases of Node that are older than this repository's, and that client and check run on. */
const OLDER = [20, 22] as const;

function releaseOf(release: number): string {
  return `node-${release}@npm:node-${process.platform}-${process.arch}@${release}`;
}

/** The client reads a turn, the check judges an agent, and the kit says what it needs. */
async function runsOn(release: number, { old, ownAgent: { order }, mesh }: World): Promise<string> {
  const node = join(old.folder, `node_modules/node-${release}/bin/node`);
  const file = "read-a-turn.mjs";
  const blocks = blocksToRun(readFileSync(join(root, DOCUMENT), "utf8"));
  const program = blocks.find(({ marker }) => marker?.kind === "file" && marker.path === file)?.text ?? "";
  old.write(file, program.replace("http://127.0.0.1:8080", (await mesh()).url));
  expectLike(await old.run(node, file), "policy_check: started\n…\nThe prices of 8 items …\n…");
  const check = join(old.installed("conformance"), "dist/main.js");
  const target = `http://127.0.0.1:${order.port}=${order.taskType}`;
  expectLike(
    await old.run(node, check, "--strict", ...PATIENT, "--target", target),
    "…\nPASS  1 of 1 target pass: …",
  );
  const kit = `import("@interlock/agent-kit").catch(({ message }) => console.log(message))`;
  expectLike(
    await old.run(node, "-e", kit),
    `@interlock/agent-kit needs Node 24 or newer; this is ${release}.…`,
  );
  expectLike(
    await old.run(
      "bash",
      "-c",
      `"${node}" "${join(old.installed("cli"), "dist/main.js")}" start 2>&1 || true`,
    ),
    `Node 24 is needed; this is ${release}.…`,
  );
  const maker = join(old.installed("create-interlock"), "dist/main.js");
  expectLike(await old.run(node, maker, `made-${release}`), `Made made-${release}:\n…`);
  return (await old.run(node, "--version")).trim();
}

/** A page may read a turn if the gateway names its origin, and from another origin it may not. */
function inChromium({ origin, mesh }: World): Check[] {
  const chromium = chromiumPath(process.env);
  if (chromium === undefined) {
    say("No Chromium on this machine: the client is not tried in one.");
    return [];
  }
  const stranger = origin.replace("127.0.0.1", "localhost");
  return [
    [
      "a page of another origin reads a turn in Chromium",
      async () => {
        const { url } = await mesh();
        const { types, message = "", failed } = await turnIn(chromium, origin, url, SIMPLE_ASK);
        if (failed !== undefined) throw new Error(`The client failed with ${failed}.`);
        expectLike(message, "…\nThe prices of 8 items break the rules 3 times: …\n…");
        const [first, last] = [types[0], types.at(-1)];
        if (first !== "started" || last !== "end") throw new Error(`It read ${types.join(", ")}.`);
        return `${types.length} events`;
      },
    ],
    [
      "a page of an origin that the gateway does not name reads nothing",
      async () => {
        const { types, failed } = await turnIn(chromium, stranger, (await mesh()).url, SIMPLE_ASK);
        if (types.length > 0 || failed !== "connection_failed")
          throw new Error(`It read ${types.length} events, and ended with ${failed ?? "no error"}.`);
      },
    ],
  ];
}
