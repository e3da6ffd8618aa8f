import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { conformanceContract } from "@interlock/contracts";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { agentWith, failure, isObject, json } from "../agents/agent.ts";
import { type Served, serveAgent } from "../agents/serve.ts";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "conformance-"));
function file(name: string, content?: unknown): string {
  const path = join(folder, name);
  if (content !== undefined)
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

type Ended = { readonly code: number; readonly out: string; readonly err: string };
function run(args: readonly string[], variables: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, AGENT_CONTRACT_TARGETS: "", ...variables };
    execFile(process.execPath, [MAIN, ...args], { env }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, err });
    });
  });
}

let good: Served;
let unready: Served;
let broken: Served;
let particular: Served;

beforeAll(async () => {
  good = await serveAgent(agentWith());
  unready = await serveAgent(agentWith(() => ({ health: () => json(404, {}) })));
  broken = await serveAgent(agentWith((base) => ({ events: (asked) => base.events(asked).slice(0, 2) })));
  particular = await serveAgent(
    agentWith((base) => ({
      result: (asked) =>
        isObject(asked.inputs.order) ? base.result(asked) : failure(asked, "INVALID_INPUTS"),
    })),
  );
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([good, unready, broken, particular].map((served) => served.close()));
});

describe("exit status", () => {
  test("0 when every MUST is kept, at every target, in the order given", async () => {
    const ended = await run(["--target", `${good.url}/=ECHO`, "--target", `${unready.url}=ECHO`]);
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out.indexOf(good.url)).toBeLessThan(ended.out.indexOf(unready.url));
    expect(ended.out).toMatch(/PASS {2}2 of 2 targets pass: 0 errors, 1 warning/);
  });

  test("0 with targets from the environment", async () => {
    const variables = { AGENT_CONTRACT_TARGETS: ` ${good.url}=ECHO, ${unready.url}=ECHO,` };
    expect(await run(["--quiet"], variables)).toMatchObject({ code: 0 });
  });

  test("1 when a MUST is broken", async () => {
    const ended = await run(["--target", `${broken.url}=ECHO`, "--quiet"]);
    expect(ended.code).toBe(1);
    expect(ended.out).toContain("the stream ended without a terminal event");
  });

  test("1 when a SHOULD is broken, with --strict", async () => {
    expect(await run(["--target", `${unready.url}=ECHO`, "--strict"])).toMatchObject({ code: 1 });
  });

  test("1, in seconds, when nobody is there", async () => {
    const started = Date.now();
    const ended = await run(["--target", "http://127.0.0.1:1=ECHO", "--quiet"]);
    expect(ended.code).toBe(1);
    expect(ended.out).toContain("nothing listens there (connection refused)");
    expect(Date.now() - started).toBeLessThan(5_000);
  });

  test("a list of what nobody could judge is one row", async () => {
    const { out } = await run(["--target", "http://127.0.0.1:1=ECHO"]);
    expect(out).toMatch(/AC1-HTTP-001 .*\n.*nothing listens there \(connection refused\)/);
    expect(out).toMatch(/\n {2}\d\d rules +not reached +the agent does not answer at all\n/);
    expect(out.split("\n").length).toBeLessThan(12);
  });

  test("all that is wrong with a card is said at once, each place once", async () => {
    const card = {
      name: 3,
      verson: "1",
      contract: "agent/v1",
      task_types: [{ task_type: "ECHO", examples: {} }],
    };
    const agent = await serveAgent(agentWith(() => ({ card: () => json(200, card) })));
    const { out } = await run(["--target", `${agent.url}=ECHO`]);
    await agent.close();
    expect(out).toContain(
      "the card is not valid: /version: is required; /name: must be a string; /task_types/0/inputs: is required; " +
        "/task_types/0/outputs: is required; /task_types/0/examples: must be an array\n",
    );
  });

  test("2 for a task that is not on the card, and says which are", async () => {
    const json = file("misspelt.json");
    const ended = await run(["--target", `${good.url}=ECO`, "--target", `${good.url}=ECHO`, "--json", json]);
    expect(ended).toEqual({
      code: 2,
      out: "",
      err:
        `conformance: ${good.url}: task ECO is not on the card; did you mean ECHO? The card has: ECHO.\n` +
        "conformance: --help shows how it is used\n",
    });
    const far = await run(["--target", `${good.url}=PRICE_OPTIMIZATION`]);
    expect(far.err).toContain("task PRICE_OPTIMIZATION is not on the card. The card has: ECHO.");
  });

  test("an agent that is not ready yet is waited for, if --wait says so", async () => {
    let refusals = 1_000;
    const starting = await serveAgent(
      agentWith((base) => ({ ready: () => (refusals-- > 0 ? json(503, {}) : base.ready()) })),
    );
    const args = ["--target", `${starting.url}=ECHO`, "--strict", "--quiet"];
    expect(await run(args)).toMatchObject({ code: 1 });
    refusals = 3;
    expect(await run([...args, "--wait", "60"])).toMatchObject({ code: 0 });
    await starting.close();
    expect(await run(["--target", "http://127.0.0.1:1=ECHO", "--wait", "300ms"])).toMatchObject({ code: 1 });
  });

  test("2 when it was not asked for properly, and says what to write", async () => {
    const ended = await run(["--target", "http://me:secret@127.0.0.1:1=ECHO"]);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toMatch(/^conformance: a target's URL has no user, .+\nconformance: --help shows/);
    expect(ended.err).not.toContain("secret");
  });

  test("2 for a file that cannot be written, or is not what it should be", async () => {
    const target = ["--target", `${good.url}=ECHO`];
    const baseline = file("wrong.yaml", "known: [{rule: AC1-SYNC-004}]");
    for (const args of [
      ["--json", "/none/report.json"],
      ["--baseline", baseline],
      ["--inputs", `ECHO=${file("list.json", [1])}`],
    ]) {
      expect(await run([...target, ...args])).toMatchObject({ code: 2 });
    }
  });
});

describe("inputs", () => {
  test("a run that needs them fails the check, and says how to give them", async () => {
    const ended = await run(["--target", `${particular.url}=ECHO`, "--quiet"]);
    expect(ended.code).toBe(1);
    expect(ended.out).toContain("AC1-RUN-001     needs inputs");
    expect(ended.out).toContain("the run on empty inputs (mode DEMO) failed (code INVALID_INPUTS)");
    expect(ended.out).toContain("--inputs TASK=file.json");
  });

  test("and passes with them", async () => {
    const inputs = file("inputs.json", { order: { id: "secret-order" } });
    const json = file("particular.json");
    const ended = await run([
      "--target",
      `${particular.url}=ECHO`,
      "--inputs",
      `ECHO=${inputs}`,
      "--json",
      json,
    ]);
    expect(ended.code).toBe(0);
    expect(ended.out + readFileSync(json, "utf8")).not.toContain("secret-order");
  });
});

test("reports are written, keep their schema, and hold nothing that an agent said", async () => {
  const [json, junit] = [file("report.json"), file("report.xml")];
  await run(["--target", `${broken.url}=ECHO`, "--json", json, "--junit", junit]);
  const report: unknown = JSON.parse(readFileSync(json, "utf8"));
  expect(conformanceContract.report(report)).toMatchObject({ ok: true, value: { passed: false } });
  expect(readFileSync(junit, "utf8")).toContain('<testsuites name="Agent contract" tests="60"');
  expect(readFileSync(json, "utf8")).not.toMatch(/halfway|ran on the sample/);
});

test("a baseline lets a known failure pass, and fails when it is stale", async () => {
  const baseline = file(
    "known.yaml",
    "known:\n  - rule: AC1-STREAM-006\n    reason: mended in the next release\n",
  );
  expect(await run(["--target", `${broken.url}=ECHO`, "--baseline", baseline])).toMatchObject({ code: 0 });
  const mended = await run(["--target", `${good.url}=ECHO`, "--baseline", baseline]);
  expect(mended.code).toBe(1);
  expect(mended.out).toContain("stale baseline entry: AC1-STREAM-006");
});

test("--rule checks one rule alone", async () => {
  const ended = await run([
    "--target",
    `${broken.url}=ECHO`,
    "--rule",
    "AC1-SYNC-004",
    "--rule",
    "AC1-REFUSE-001",
  ]);
  expect(ended.code).toBe(0);
  expect(ended.out.match(/AC1-/g)).toHaveLength(2);
});

test("--list shows every rule, --tap prints TAP, --help and --version help", async () => {
  expect((await run(["--list"])).out.match(/^AC1-/gm)).toHaveLength(60);
  expect((await run(["--target", `${good.url}=ECHO`, "--tap"])).out).toMatch(
    /^TAP version 14\n1\.\.60\nok 1 /,
  );
  expect((await run(["--help"])).out).toContain("--target URL=TASK");
  expect((await run(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("a token is sent with run requests, by the environment or an option, and is in no report", async () => {
  const verifying = await serveGuarded();
  const target = ["--target", `${verifying.url}=ECHO`];
  const report = file("guarded.json");
  const refused = await run([...target]);
  expect([refused.code, verifying.shown()]).toEqual([1, []]);
  const byVariable = await run([...target, "--json", report], { AGENT_CONTRACT_TOKEN: "one.two-three" });
  expect(byVariable.code).toBe(0);
  expect(readFileSync(report, "utf8")).not.toContain("one.two-three");
  const byOption = await run([...target, "--token", "one.two-three"], { AGENT_CONTRACT_TOKEN: "other" });
  expect(byOption.code).toBe(0);
  // Probes and the card are public: nothing is shown to them.
  expect(new Set(verifying.shown())).toEqual(new Set(["POST /agents/run/sync", "POST /agents/run/stream"]));
  await verifying.close();
});

/** An agent that refuses run requests without the token; it notes where it was shown one. */
async function serveGuarded(): Promise<Served & { shown: () => string[] }> {
  const shown = new Set<string>();
  const { hostname, port } = new URL(good.url);
  const server = createServer((req, res) => {
    const { authorization } = req.headers;
    if (authorization !== undefined) shown.add(`${req.method} ${req.url}`);
    if (req.method === "POST" && authorization !== "Bearer one.two-three") {
      req.resume();
      res.writeHead(401, { "Content-Type": "application/json" });
      res.end(
        JSON.stringify({
          request_id: "",
          ok: false,
          status: "error",
          outputs: {},
          warnings: [],
          error: { code: "UNAUTHORIZED", message: "Who asks?" },
        }),
      );
      return;
    }
    const { method, url: path, headers } = req;
    const passed = request({ hostname, port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    passed.on("error", () => res.destroy());
    res.on("close", () => passed.destroy());
    req.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    shown: () => [...shown],
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
