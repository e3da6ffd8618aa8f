import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startAgent, type TestAgent } from "./support/agent.ts";
import { type GatewayProcess, startGateway, tokenOf } from "./support/gateway.ts";
import { type TestRedis, testRedis } from "./support/redis.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const EXAMPLES = [
  ...readFileSync(join(ROOT, "docs/client.md"), "utf8").matchAll(/^```ts\n(.*?)^```$/gms),
].map(([, code = ""], index) => ({ name: `example ${index + 1}`, code }));

/** The smallest manifest that has all services and roles which the document's examples use. */
function meshOf(url: string) {
  return {
    agents: {
      optimizer: { url, tasks: { PRICE_OPTIMIZATION: "Proposes prices.", PUBLISH: "Publishes them." } },
    },
    flows: {
      pricing: {
        steps: {
          optimize: { agent: "optimizer", task_type: "PRICE_OPTIMIZATION", inputs: "{}" },
          publish: {
            agent: "optimizer",
            task_type: "PUBLISH",
            needs: ["optimize"],
            inputs: "{}",
            approval: { proposal: "steps.optimize.outputs", roles: ["pricing_approver"], four_eyes: true },
          },
          report: { needs: ["optimize"], after: ["publish"], render: '"Done."' },
        },
        goals: { optimizer: ["optimize"], publisher: ["publish"] },
        answer: "report",
      },
    },
    services: {
      optimizer: {
        agent: "optimizer",
        task_type: "PRICE_OPTIMIZATION",
        keywords: ["propose"],
        answer: "outputs.text",
      },
      publisher: { agent: "optimizer", task_type: "PUBLISH", keywords: ["publish"] },
    },
  };
}

let redis: TestRedis;
let agent: TestAgent;
let gateway: GatewayProcess;
let folder: string;

beforeAll(async () => {
  redis = await testRedis();
  agent = await startAgent();
  gateway = await startGateway(meshOf(agent.url), redis.url);
  folder = mkdtempSync(join(tmpdir(), "interlock-docs-"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
});

afterAll(async () => {
  await gateway?.stop();
  await agent?.close();
  await redis?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program and returns its output; if it fails, its output and its errors. */
async function run(...args: string[]): Promise<string> {
  const tokens = { ANN_TOKEN: tokenOf("ann", "analyst"), BO_TOKEN: tokenOf("bo", "pricing_approver") };
  const env = { ...process.env, ...tokens };
  return await promisify(execFile)(process.execPath, args, { cwd: folder, env }).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => `failed:\n${error.stdout}${error.stderr}`,
  );
}

const SAYS: readonly RegExp[] = [
  /^price_optimization: started\ngrüße \n🙂\nprice_optimization: ok\nok grüße 🙂\n$/,
  /^grüße 🙂 \[ 'price_optimization' \]\n$/,
  /^left run \w+ after event 3\n$/,
  /^1 run_started\n2 plan\n(?:\d+ \w+\n)+Done\.\n$/,
  /^approval of step publish, asked for by ann\napproved by bo\nrun_finished\n$/,
];

test("every example of the document has an expected output here", () => {
  expect(EXAMPLES.length).toBe(SAYS.length);
});

test.each(EXAMPLES.map((example, index) => ({ ...example, says: SAYS[index] ?? /$^/, index })))(
  "$name prints what it should",
  async ({ code, says, index }) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, code.replaceAll("http://127.0.0.1:8080", gateway.url));
    expect(await run(file)).toMatch(says);
  },
);

test("the examples type-check", async () => {
  const files = EXAMPLES.map(({ code }, index) => {
    const file = join(folder, `typed-${index}.ts`);
    writeFileSync(file, code);
    return file;
  });
  const types = [join(ROOT, "node_modules/@types")];
  const config = { extends: join(ROOT, "tsconfig.base.json"), compilerOptions: { typeRoots: types }, files };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  expect(await run(join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder)).toBe("");
});
