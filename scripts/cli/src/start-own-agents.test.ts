import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { until } from "../../../services/gateway/test/support/until.ts";
import { isRunning } from "./is-running.ts";
import { type OwnAgent, ownAgents } from "./own-agents.ts";
import { freePorts } from "./ports.ts";
import { type RunningAgents, startOwnAgents } from "./start-own-agents.ts";

const HOST = "127.0.0.1";
let dir = "";
let said: string[] = [];
const running: RunningAgents[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "interlock-own-"));
  said = [];
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((agents) => agents.stop()));
  rmSync(dir, { recursive: true, force: true });
});

const READY = `require("http").createServer((req, res) => {
  res.statusCode = req.url === "/health" ? 200 : 404;
  res.end("{}");
}).listen(process.env.PORT, process.env.HOST);`;

function start(agents: readonly OwnAgent[], limitMs?: number): RunningAgents {
  const { signal } = new AbortController();
  const options = { logDir: join(dir, "logs"), signal, say: (text: string) => said.push(text) };
  const started = startOwnAgents(
    { agents, left: [] },
    { ...options, ...(limitMs === undefined ? {} : { limitMs }) },
  );
  running.push(started);
  return started;
}

async function agent(name: string, source: string, ...args: string[]): Promise<OwnAgent> {
  const [port] = await freePorts(1, HOST);
  const command = [process.execPath, ...args, "-e", source];
  return { name, command, cwd: dir, env: {}, url: `http://${HOST}:${port}`, tasks: [] };
}

test("one that is not ready in time is named, one that is counts, and all that it prints has its name", async () => {
  const good = await agent("good", `console.log("up"); process.stdout.write("no end"); ${READY}`);
  const deaf = await agent("deaf", "setInterval(() => {}, 1000)");
  const agents = start([good]);
  expect((await agents.settled()).map(({ name }) => name)).toEqual(["good"]);
  expect(said).toContain("good | up");
  expect(await start([deaf], 500).settled()).toEqual([]);
  expect(said).toContain(`deaf is not ready after 0.5 s: ${deaf.url}/health/ready does not answer with 200.`);
  await Promise.all(running.map((each) => each.stop()));
  expect(said).toContain("good | no end");
  expect(readFileSync(join(dir, "logs", "good.log"), "utf8")).toBe("up\nno end");
  // They were to end, which is no news.
  expect(said.filter((line) => line.includes("ended"))).toEqual([]);
});

test("what a command starts ends with it, also where it does not listen to SIGTERM", async () => {
  const child = `process.on("SIGTERM", () => {}); require("fs").writeFileSync("pid", String(process.pid)); ${READY}`;
  const parent = await agent(
    "parent",
    `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "inherit" });`,
  );
  const agents = start([parent]);
  expect(await agents.settled()).toHaveLength(1);
  const pid = Number(readFileSync(join(dir, "pid"), "utf8"));
  expect(isRunning(pid)).toBe(true);
  await agents.stop();
  expect(isRunning(pid)).toBe(false);
});

test("one that is killed is started again, and said to be back once it is ready", async () => {
  const killed = await agent("killed", `console.log("pid " + process.pid); ${READY}`);
  expect(await start([killed]).settled()).toHaveLength(1);
  const pids = () => said.flatMap((line) => /^killed \| pid (\d+)$/.exec(line)?.slice(1).map(Number) ?? []);
  await until(() => pids().length > 0);
  for (const pid of pids()) process.kill(pid, "SIGKILL");
  await until(async () => said.includes("killed is back."));
  expect(said.join("\n")).toContain("killed was ended by SIGKILL. The rest of the mesh goes on");
});

test("a command that is not there is said to be, and an address where something answers is left to it", async () => {
  const none = { ...(await agent("none", "")), command: [join(dir, "none")] };
  const taken = await agent("taken", READY);
  const server = createServer().listen(Number(new URL(taken.url).port), HOST);
  const agents = start([none, taken]);
  expect((await agents.settled()).map(({ name }) => name)).toEqual(["taken"]);
  server.close();
  expect(said.join("\n")).toMatch(/none could not be started \(ENOENT\): .*none in /);
  expect(said.join("\n")).toContain(
    `taken was not started: something is at ${taken.url} already, and the mesh uses that.`,
  );
});

test("the manifest's variables are filled in, and paths lie beside it", () => {
  const file = join(dir, "mesh.yaml");
  writeFileSync(
    file,
    `agents:
  one:
    url: \${ONE_URL:-http://localhost:8090}
    command: ["\${PYTHON:-python3}", agent.py]
    cwd: agents/one
    env: { LEVEL: "\${LEVEL:-info}" }
    tasks: { ONE: First. }
  two: { url: "http://localhost:1", tasks: { TWO: Second. } }
`,
  );
  const env = { ONE_URL: "http://127.0.0.1:9000", LEVEL: "debug" };
  expect(ownAgents(file, env)).toEqual({
    agents: [
      {
        name: "one",
        command: ["python3", "agent.py"],
        cwd: join(dir, "agents/one"),
        env: { LEVEL: "debug" },
        url: "http://127.0.0.1:9000",
        tasks: ["ONE"],
      },
    ],
    left: [],
  });
  expect(ownAgents(join(dir, "none.yaml"))).toEqual({ agents: [], left: [] });
});
