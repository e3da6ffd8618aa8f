import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import { ownAgents } from "./cli/src/own-agents.ts";
import { freePort } from "./cli/src/ports.ts";
import { startOwnAgents } from "./cli/src/start-own-agents.ts";
import { startMesh } from "./lib/mesh.ts";
import { root } from "./lib/paths.ts";
import { servicesFor } from "./lib/services.ts";

const HOST = "127.0.0.1";
const TEMPLATE = join(root, "scripts/create-interlock/template/ts");
const AGENT = `agents:
  quotes:
    url: \${QUOTES_URL:-http://127.0.0.1:8090}
    command: [node, ${join(TEMPLATE, "agent/agent.ts")}]
    tasks: { QUOTE: What an order costs. }
`;

const folder = mkdtempSync(join(tmpdir(), "interlock-new-flow-"));
const manifest = join(folder, "mesh.yaml");
const part = join(folder, "shop/domain.yaml");
mkdirSync(join(folder, "shop"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => copyFileSync(join(TEMPLATE, "mesh.yaml"), manifest));

function newFlow(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, "scripts/cli/src/main.ts"), "new:flow", ...args],
    { cwd: folder, encoding: "utf8" },
  );
  return { status, stdout, stderr };
}

const read = (file: string) => readFileSync(file, "utf8");

test("beside other flows it is added, checked, and removed without a trace", () => {
  const before = read(manifest);
  const made = newFlow("trip-plan");
  expect(made).toMatchObject({ status: 0, stderr: "" });
  expect(made.stdout).toContain("The manifest is valid: 1 agent, 2 flows, 4 services.");
  expect(read(manifest)).toContain("    trip-plan-approver: { inherits: [viewer]");
  expect(newFlow("trip-plan", "--remove")).toMatchObject({ status: 0, stderr: "" });
  expect(read(manifest)).toBe(before);
});

test("in a part it has all but its role, which is the mesh's", () => {
  const include = "include:\n  - shop/domain.yaml\n";
  writeFileSync(manifest, include);
  writeFileSync(part, AGENT);
  expect(newFlow("order", "--in", "shop/domain.yaml", "--task", "quotes/QUOTE")).toMatchObject({ status: 0 });
  expect(read(part)).toContain("flows:\n  order:\n");
  expect(read(manifest)).toBe(
    `${include}\naccess:\n  roles:\n    order-approver: { inherits: [viewer], approvals: { decide: [order/submit] } }\n`,
  );
  expect(newFlow("order", "--remove")).toMatchObject({ status: 0, stderr: "" });
  expect([read(manifest), read(part)]).toEqual([include, AGENT]);
});

test("what somebody has changed is not removed", () => {
  newFlow("trip");
  const changed = read(manifest).replace("proposal: steps.prepare.outputs\n", "proposal: request.inputs\n");
  writeFileSync(manifest, changed);
  const { status, stderr } = newFlow("trip", "--remove");
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("is not as it was made") });
  expect(read(manifest)).toBe(changed);
});

test.each([
  ["no name is given", [], "Name one flow."],
  ["the name is none", ["Trip"], "A name has lower-case letters"],
  ["the flow is there", ["purchase"], "flows has an entry purchase already. Nothing was changed."],
  ["a service has the name", ["quoting"], "services has an entry quoting already. Nothing was changed."],
  ["the task is unknown", ["trip", "--task", "quotes/QUOT"], "--task is one of quotes/QUOTE"],
  ["the file is no part", ["trip", "--in", "other.yaml"], "other.yaml is no part of mesh.yaml"],
  ["an option is unknown", ["trip", "--agent", "x"], "usage: npx interlock new:flow"],
  ["there is nothing to remove", ["trip", "--remove"], "There is no flow trip."],
])("it changes nothing where %s", (_why, args, message) => {
  const before = read(manifest);
  expect(newFlow(...args)).toEqual({ status: 1, stdout: "", stderr: expect.stringContaining(message) });
  expect(read(manifest)).toBe(before);
});

test("it changes nothing where the manifest is not valid with it", () => {
  const before = `${read(manifest)}nonsense: 1\n`;
  writeFileSync(manifest, before);
  const { status, stderr } = newFlow("trip");
  expect({ status, lines: stderr.split("\n").slice(0, 2) }).toEqual({
    status: 1,
    lines: [
      "Nothing was changed: the manifest would not be valid.",
      expect.stringMatching(/^mesh\.yaml:\d+:1: nonsense: is not a known field/),
    ],
  });
  expect(read(manifest)).toBe(before);
});

test("asked in words it waits for its approver, and is then in its book", async () => {
  writeFileSync(manifest, AGENT);
  expect(newFlow("trip")).toMatchObject({ status: 0 });
  const env = { MESH_FILE: manifest, QUOTES_URL: `http://${HOST}:${await freePort(HOST)}` };
  const logDir = join(folder, "logs");
  mkdirSync(logDir);
  const stopping = new AbortController();
  const agents = startOwnAgents(ownAgents(manifest, env), { logDir, signal: stopping.signal, say: () => {} });
  const mesh = await startMesh({
    services: servicesFor(new Set()),
    env,
    logDir,
    redis: { durable: false },
  }).catch(async (error: unknown) => {
    stopping.abort();
    await agents.stop();
    throw error;
  });
  try {
    expect(await agents.settled()).toHaveLength(1);
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${mesh.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
      return Object(await answer.json());
    };
    const inputs = { item: "desk", quantity: 2 };
    const ask = (message: string) =>
      post("/api/v1/chat", { message, inputs, session_id: crypto.randomUUID() });
    expect(await ask("Prepare the trip")).toMatchObject({ status: "ok", message: "2 × desk: 680." });
    const paused = await ask("Submit the trip");
    expect(paused).toMatchObject({ status: "paused", node: "submit" });
    const { id, proposal_hash, roles } = paused.approval;
    expect(roles).toEqual(["trip-approver"]);
    const authorization = `Bearer ${await mesh.token({ user: "bo", roles })}`;
    const decision = { decision: "approve", proposal_hash };
    await post(`/api/v1/approvals/${id}/decision`, decision, { authorization });
    // Ends once the run does.
    await (await fetch(`${mesh.url}/api/v1/runs/${paused.thread_id}/events`)).text();
    const { entries } = Object(await (await fetch(`${mesh.url}/api/v1/trip`)).json());
    expect(entries).toMatchObject([
      { payload: { quote: { cost: 680 } }, approval: { decided_by: "bo" }, requested_by: "local" },
    ]);
  } finally {
    stopping.abort();
    await Promise.all([mesh.stop(), agents.stop()]);
  }
});
