import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { type Gateway, startGateway } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { SHIPPED_ROLES } from "../../src/identity/shipped-roles.ts";
import { compileCache } from "./compile-cache.ts";
import { TEST_IDENTITY, TEST_JWKS } from "./issuer.ts";

export type TestGateway = {
  url: string;
  metricsUrl?: string;
  /** Changes its manifest on disk. */
  write(manifest: object): void;
  /** Everything it logged, at the level `trace`. */
  logs(): string;
  stop(): Promise<void>;
};

export type GatewayOptions = {
  manifest: object;
  redisUrl: string;
  /** More of the gateway's environment. */
  env?: Readonly<Record<string, string>>;
};

/** The gateway in this process, as `main` starts it. */
export async function testGateway(
  options: GatewayOptions,
): Promise<TestGateway & Pick<Gateway, "endpoints" | "reload">> {
  // The test has the same event loop, and a busy machine holds it.
  const shed = { LOOP_SHED_MS: "60000" };
  const { env, write, remove } = environment({ ...options, env: { ...shed, ...options.env } });
  let text = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const gateway = await startGateway(readConfig(env), env, pino({ level: "trace" }, sink));
  return {
    url: gateway.url,
    ...(gateway.metricsUrl ? { metricsUrl: gateway.metricsUrl } : {}),
    endpoints: gateway.endpoints,
    reload: () => gateway.reload(),
    write,
    logs: () => text,
    async stop() {
      await gateway.stop();
      remove();
    },
  };
}

export type GatewayProcess = TestGateway & {
  child: ChildProcess;
  /** Settles with exit code and signal when the process is gone. */
  exited: Promise<{ code: number | null; signal: string | null }>;
};

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The gateway as a process of its own. `npm test` looks for stalls of its event loop in its log. */
export async function gatewayProcess(options: GatewayOptions): Promise<GatewayProcess> {
  const { env, write, remove } = environment({ ...options, env: { LOOP_REPORT_MS: "5", ...options.env } });
  const child = spawn(process.execPath, [MAIN], {
    env: { ...compileCache(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (chunk) => (text += String(chunk)));
  const listening = Promise.withResolvers<Pick<Gateway, "url" | "metricsUrl">>();
  createInterface(child.stdout).on("line", (line) => {
    text += `${line}\n`;
    const { url, metrics_url } = line.startsWith("{") ? JSON.parse(line) : {};
    if (typeof url === "string") listening.resolve({ url, metricsUrl: metrics_url });
  });
  // Not at its exit: what it wrote last may still be on its way.
  const exited = once(child, "close").then(([code, signal]) => ({ code, signal }));
  const logs = process.env.TEST_GATEWAY_LOGS;
  if (logs) exited.then(() => writeFileSync(join(logs, `gateway-${child.pid}.log`), text));
  exited.then(() => listening.reject(new Error(`the gateway did not start:\n${text}`)));
  return {
    ...(await listening.promise),
    write,
    logs: () => text,
    child,
    exited,
    async stop() {
      child.kill("SIGKILL");
      await exited;
      remove();
    },
  };
}

function environment({ manifest, redisUrl, env = {} }: GatewayOptions) {
  const dir = mkdtempSync(join(tmpdir(), "interlock-mesh-"));
  const file = join(dir, "mesh.yaml");
  // JSON is YAML.
  const write = (manifest: object) =>
    writeFileSync(file, JSON.stringify({ identity: TEST_IDENTITY, ...withAccess(manifest) }));
  write(manifest);
  writeFileSync(join(dir, "jwks.json"), JSON.stringify(TEST_JWKS));
  const variables = { MESH_FILE: file, REDIS_URL: redisUrl, PORT: "0", SHUTDOWN_GRACE_MS: "2000", ...env };
  return { env: variables, write, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

type Gates = { flows?: Record<string, { steps: Record<string, { approval?: Gate }> }> };
type Gate = { roles?: string[]; escalate_to?: string[] };

/** Where a manifest says nothing of roles, those that its approvals name may do what the built-in `pricing_approver` may. */
function withAccess(manifest: object): object {
  if ("access" in manifest) return manifest;
  const { flows = {} }: Gates = manifest;
  const gates = Object.values(flows).flatMap(({ steps }) => Object.values(steps));
  const named = gates.flatMap(({ approval }) => [
    ...(approval?.roles ?? []),
    ...(approval?.escalate_to ?? []),
  ]);
  const roles = new Set(["pricing-lead", ...named].filter((role) => !Object.hasOwn(SHIPPED_ROLES, role)));
  const approver = { inherits: ["pricing_approver"] };
  return { ...manifest, access: { roles: Object.fromEntries([...roles].map((role) => [role, approver])) } };
}
