import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { loadMesh } from "../services/gateway/src/mesh/index.ts";
import { ownAgents } from "./cli/src/own-agents.ts";
import { freePort } from "./cli/src/ports.ts";
import { type RunningAgents, startOwnAgents } from "./cli/src/start-own-agents.ts";
import { type Mesh, startMesh } from "./lib/mesh.ts";
import { root } from "./lib/paths.ts";
import { servicesFor } from "./lib/services.ts";
import { program } from "./lib/tasks.ts";
import { type Copy, copyOfTheTree } from "./new-agent/test/copy.ts";

/** One domain, from its making to its removal, in a copy of the tree. Its name is as long as one may be: no line becomes too long by it. */
const NAME = "tried-stock-of-a-rather-long-one";
const TASK = "TRIED_STOCK_OF_A_RATHER_LONG_ONE";
const HOST = "127.0.0.1";

let tree: Copy;
let before: ReadonlyMap<string, string>;
beforeAll(() => {
  tree = copyOfTheTree();
  before = snapshot();
});
afterAll(() => tree.remove());

/** Every file and link of the copy; what links lead to belongs to this repository. */
function snapshot(folder = tree.path): Map<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true }).map((entry): [string, string][] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return [[relative(tree.path, path), ""], ...snapshot(path)];
    return [[relative(tree.path, path), entry.isFile() ? readFileSync(path, "utf8") : readlinkSync(path)]];
  });
  return new Map(entries.flat());
}

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree.path, encoding: "utf8" });
  return { status, stdout, stderr };
}

const newDomain = (...args: string[]) => run("scripts/new-domain.ts", ...args);

test("it makes a folder and a line, and says what to do next", () => {
  const { status, stdout, stderr } = newDomain(NAME);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain(`Made the domain ${NAME}: task ${TASK}, port `);
  expect(stdout).toContain(`npm start -- --only ${NAME}`);
  const now = snapshot();
  const changed = [...now].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  expect(changed.filter((path) => !path.startsWith(`services/${NAME}`))).toEqual(["mesh.yaml"]);
  expect(now.get("mesh.yaml")?.replace(`  - services/${NAME}/domain.yaml\n`, "")).toBe(
    before.get("mesh.yaml"),
  );
});

test("the manifest loads with it beside the others, and alone", () => {
  const mesh = loadMesh(join(tree.path, "mesh.yaml"), {});
  expect(mesh.agents.has("optimizer") && mesh.agents.has(NAME)).toBe(true);
  expect(mesh.flows.get(NAME)?.slots?.slots.map(({ name }) => name)).toEqual(["items", "top"]);
  expect(mesh.services.get(NAME)?.examples).toContain("재고가 몇 개야");
  expect(ownAgents(join(tree.path, "mesh.yaml"), {}, [NAME]).agents).toMatchObject([
    { name: NAME, tasks: [TASK], cwd: join(tree.path, "services", NAME) },
  ]);
});

test("types, lint and format hold", () => {
  const include = [`services/${NAME}`];
  const config = join(tree.path, "tsconfig.made.json");
  writeFileSync(config, JSON.stringify({ extends: "./tsconfig.base.json", include }));
  const types = run(program("typescript/bin/tsc"), "-p", "tsconfig.made.json");
  spawnSync("rm", [config]);
  expect(types.stdout).toBe("");
  const lint = ["ci", "--vcs-enabled=false", "--colors=off", ...include];
  const { status, stdout, stderr } = run(program("@biomejs/biome/bin/biome"), ...lint);
  expect({ status, said: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, said: "" });
});

test("it is asked in words in both languages, and keeps every rule of the contract", async () => {
  const port = await freePort(HOST);
  const env = {
    MESH_FILE: join(tree.path, "mesh.yaml"),
    [`${TASK}_URL`]: `http://${HOST}:${port}`,
    LOOP_SHED_MS: "60000",
  };
  const logDir = join(tree.path, ".data");
  mkdirSync(logDir);
  const stopping = new AbortController();
  let agents: RunningAgents | undefined;
  let mesh: Mesh | undefined;
  try {
    agents = startOwnAgents(ownAgents(env.MESH_FILE, env, [NAME]), {
      logDir,
      signal: stopping.signal,
      say: () => {},
    });
    // The other domains' agents are not needed; what they can be asked competes for the messages all the same.
    const services = servicesFor(new Set());
    mesh = await startMesh({ services, env, logDir, redis: { durable: false } });
    expect(await agents.settled()).toHaveLength(1);
    expect(await said(mesh, "How many items are in stock?")).toBe(
      "Sample stock, 3 items.\n\n1239 in stock: BOLT-M8 1200, VALVE-V7 35, PUMP-P1 4.",
    );
    expect(await said(mesh, "재고가 몇 개야?")).toBe(
      "샘플 재고, 3개 품목.\n\n재고 1239개: BOLT-M8 1200, VALVE-V7 35, PUMP-P1 4.",
    );
    // What is said of its slots reaches its agent, though nobody has trained anything.
    expect(await said(mesh, "how many items are in stock except the bolt?")).toBe(
      "For item VALVE-V7 and PUMP-P1 (sample stock, 3 items).\n\n39 in stock: VALVE-V7 35, PUMP-P1 4.",
    );
    expect(await said(mesh, "VALVE-V7만 재고를 세어 줘")).toBe(
      "품목 VALVE-V7 (샘플 재고, 3개 품목).\n\n재고 35개: VALVE-V7 35.",
    );
    const own = { items: [{ id: "NUT-N1", count: 5 }] };
    expect(await said(mesh, "count the stock", own)).toBe("Your inputs, 1 item.\n\n5 in stock: NUT-N1 5.");
    const target = `http://${HOST}:${port}=${TASK}`;
    const check = spawnSync(
      process.execPath,
      ["scripts/conformance/src/main.ts", "--strict", "--target", target],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    expect(check.stdout).toContain("PASS  1 of 1 target pass");
  } finally {
    stopping.abort();
    await Promise.all([mesh?.stop(), agents?.stop()]);
    spawnSync("rm", ["-r", logDir]);
  }
});

/** What is answered; where it is asked whether the message was read right, it was. */
async function said(mesh: Mesh, message: string, inputs?: object): Promise<unknown> {
  const session_id = crypto.randomUUID();
  const say = async (words: string) => {
    const answer = await fetch(`${mesh.url}/api/v1/chat`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: words, session_id, ...(inputs ? { inputs } : {}) }),
    });
    return Object(await answer.json()) as { message: string; ui_hint?: { buttons?: string[] } };
  };
  const reply = await say(message);
  const [button] = reply.ui_hint?.buttons ?? [];
  return (button === "Yes, like that" ? await say(button) : reply).message;
}

test("what somebody has written is not removed", () => {
  const file = join(tree.path, "services", NAME, "agent/texts.ts");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, `${text}// Ours.\n`);
  const { status, stderr } = newDomain(NAME, "--remove");
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("is not as it was made") });
  expect(newDomain("pricing", "--remove").status).toBe(1);
  writeFileSync(file, text);
});

test("removed, it leaves the tree as it was", () => {
  expect(newDomain(NAME, "--remove")).toEqual({
    status: 0,
    stdout: expect.stringContaining(`Removed services/${NAME}`),
    stderr: "",
  });
  expect(snapshot()).toEqual(before);
});

test.each([
  ["the name is taken", ["pricing"], "There is something of the name pricing already"],
  ["an agent of a part has the name", ["optimizer"], "There is something of the name optimizer already"],
  ["no name is given", [], "Name one domain."],
  ["there is nothing to remove", ["gone", "--remove"], "There is no services/gone/domain.yaml."],
])("it changes nothing where %s", (_why, args, message) => {
  expect(newDomain(...args)).toEqual({ status: 1, stdout: "", stderr: expect.stringContaining(message) });
  expect(snapshot()).toEqual(before);
});
