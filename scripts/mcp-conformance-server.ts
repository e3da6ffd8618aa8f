import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gatewayProcess } from "../services/gateway/test/support/gateway.ts";
import { startRedis } from "../services/gateway/test/support/redis.ts";
import {
  answering,
  begin,
  type Call,
  event,
  failing,
  finish,
  sendJson,
  standIn,
} from "../services/gateway/test/support/stand-in.ts";
import { until } from "../services/gateway/test/support/until.ts";
import { say } from "./cli/src/console.ts";

/** What is asked of servers whose tools answer with data and text; what of the rest does not apply is said in docs/peers.md. */
const COMMON = [
  ...["tools-list", "tools-call-simple-text", "tools-call-error", "tools-call-with-progress"],
  ...["json-schema-2020-12", "resources-list", "prompts-list", "dns-rebinding-protection"],
];
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [...COMMON, "server-initialize", "ping"],
  "2026-07-28": [
    ...COMMON,
    ...["server-stateless", "server-sse-multiple-streams", "sep-2164-resource-not-found", "caching"],
    ...["http-header-validation", "input-required-result-missing-input-response"],
    ...["input-required-result-unsupported-methods", "input-required-result-ignore-extra-params"],
    "input-required-result-validate-input",
  ],
};

/** Checks within these scenarios that need a tool which asks its caller something. */
const ASKING = new Set([
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
]);

const ANY = { type: "object" };
const TEXT = { type: "string" };

/** The schema that the suite expects of its tool, with every keyword that a gateway could lose. */
const KEYWORDS = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: TEXT, city: TEXT } } },
  properties: {
    name: TEXT,
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: TEXT,
    email: TEXT,
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** Tasks of an agent that are the suite's tools. */
const TASKS: Readonly<Record<string, (call: Call) => unknown>> = {
  TEST_SIMPLE_TEXT: answering({ text: "This is a simple text response for testing." }),
  TEST_ERROR_HANDLING: failing("FAILED", "This tool intentionally returns an error for testing"),
  TEST_LOGGING_TOOL: answering({ logged: false }),
  JSON_SCHEMA_2020_12_TOOL: answering({ valid: true }),
  TEST_TOOL_WITH_PROGRESS: (call) => {
    begin(call);
    let step = 0;
    const timer = setInterval(() => {
      step += 1;
      call.res.write(event("progress", { message: `Step ${step}.` }));
      if (step < 3) return;
      clearInterval(timer);
      finish(call, { done: true });
    }, 300);
  },
};

/**
 * Runs the suite's scenarios for servers against a gateway of its own.
 * @param suite the package that is the suite
 * @returns for each scenario, whether the suite is content
 */
export async function serverResults(suite: string): Promise<boolean[]> {
  const names = Object.keys(TASKS);
  const task_types = names.map((task_type) => ({
    ...{ task_type, outputs: ANY },
    inputs: task_type.startsWith("JSON_SCHEMA") ? KEYWORDS : ANY,
  }));
  const card = { name: "agent", version: "1", contract: "agent/v1", task_types };
  const redis = await startRedis();
  const agent = await standIn({ ...TASKS, "/agents/card": (call) => sendJson(call, card) });
  const manifest = {
    egress: { allow: ["127.0.0.0/8"] },
    agents: {
      agent: { url: agent.url, tasks: Object.fromEntries(names.map((task) => [task, `Does ${task}.`])) },
    },
    services: { simple: { agent: "agent", task_type: "TEST_SIMPLE_TEXT", examples: ["Say something."] } },
    models: { default: "rules", allow: ["rules"] },
  };
  const gateway = await gatewayProcess({ manifest, redisUrl: redis.url });
  try {
    await until(async () => (await (await fetch(`${gateway.url}/api/v1/agents`)).text()).includes('"card"'));
    const results: boolean[] = [];
    for (const [version, all] of Object.entries(SCENARIOS))
      for (const scenario of all) results.push(await run(suite, `${gateway.url}/mcp`, scenario, version));
    return results;
  } finally {
    await Promise.all([gateway.stop(), agent.stop()]);
    await redis.stop();
  }
}

type Check = { id: string; status: string; errorMessage?: string };

async function run(suite: string, url: string, scenario: string, version: string): Promise<boolean> {
  const results = mkdtempSync(join(tmpdir(), "interlock-mcp-"));
  const options = ["--url", url, "--scenario", scenario, "--spec-version", version, "--output-dir", results];
  // Not synchronously: the agent is in this process.
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile("npx", ["--yes", suite, "server", ...options], (_error, out, err) => resolve(out + err));
  const said = await promise;
  const files = globSync("**/checks.json", { cwd: results });
  const checks = files.flatMap((file): Check[] => JSON.parse(readFileSync(join(results, file), "utf8")));
  rmSync(results, { recursive: true });
  const failed = checks.filter(({ id, status }) => status === "FAILURE" && !ASKING.has(id));
  const passed = failed.length === 0 && checks.some(({ status }) => status === "SUCCESS");
  say(`${passed ? "ok    " : "FAILED"} ${version} server ${scenario}`);
  for (const { id, errorMessage = "" } of failed) say(`    ${id}: ${errorMessage}`);
  if (checks.length === 0) say(said.replace(/^/gm, "    "));
  return passed;
}
