/**
 * `npm run -s conformance:mcp`: runs the MCP project's own conformance suite against the gateway's client and its server, in both versions
 * of the protocol that the suite knows; `-- server` runs the server's part alone. Downloads the suite; outside of CI. What of it does not
 * apply is said in docs/tools.md and docs/peers.md.
 *
 * The suite starts this file once more, with the address of its server, for each scenario.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Egress, EgressRules } from "../services/gateway/src/egress/index.ts";
import type { McpAuth, McpServerSpec } from "../services/gateway/src/mesh/index.ts";
import { ToolError, ToolServers } from "../services/gateway/src/tools/index.ts";
import { say } from "./cli/src/console.ts";
import { serverResults } from "./mcp-conformance-server.ts";

const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

/** What is asked of clients that call tools and have no user, by version of the protocol; extensions belong to none. */
const SCENARIOS = {
  "2025-11-25": ["initialize", "tools_call", "sse-retry", "json-schema-2020-12-preservation"],
  "2026-07-28": [
    ...["tools_call", "request-metadata", "http-standard-headers", "http-custom-headers"],
    ...["http-invalid-tool-headers", "json-schema-ref-no-deref", "json-schema-2020-12-preservation"],
  ],
  extension: ["auth/client-credentials-basic"],
} as const;

type Context = {
  client_id?: string;
  client_secret?: string;
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
};

/** Talks to a server as the gateway does: finds its tools, and calls them. */
async function converse(url: string, context: Context): Promise<void> {
  const { client_id: clientId, client_secret: secret } = context;
  const auth: McpAuth | undefined =
    clientId === undefined
      ? undefined
      : { kind: "client_credentials", clientId, variable: "SECRET", issuer: await issuerOf(url) };
  const spec: McpServerSpec = {
    ...{
      name: "server",
      url,
      signed: false,
      timeoutMs: 20_000,
      maxResultBytes: 1_048_576,
      maxConcurrency: 1,
    },
    ...{ contentTypes: ["text/*"], tools: new Map(), ...(auth ? { auth } : {}) },
  };
  const servers = new ToolServers({
    tools: {
      servers: new Map([[spec.name, spec]]),
      pin: false,
      accepted: {},
      acceptedFile: "",
      cacheBytes: 0,
    },
    egress: new Egress({ rules: new EgressRules({ loopback: true }) }),
    taken: [],
    secret: () => secret,
    isInjection: () => false,
  });
  const { signal } = new AbortController();
  try {
    await servers.start();
    const definitions = Array.from(servers.all, ({ definition }) => definition);
    const calls = context.toolCalls ?? definitions.map((one) => callOf(one, definitions));
    for (const { name, arguments: args } of calls) {
      const tool = servers.find(`server.${name}`);
      // What the server refuses is no fault of the client.
      await tool?.server.call({ tool: name, hash: tool.hash, args, signal }).catch(unlessRefused);
    }
  } finally {
    await servers.close();
  }
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof ToolError && error.code === "refused")) throw error;
}

type Definition = { name: string; inputSchema: Readonly<Record<string, unknown>> };

/** A call with the least arguments that the schema wants. Who asks for a `schema` wants to see one as it has arrived. */
function callOf({ name, inputSchema }: Definition, all: readonly Definition[]) {
  const { properties = {}, required = [] } = Object(inputSchema);
  if (required.includes("schema"))
    return { name, arguments: { schema: all.find((one) => one.name !== name)?.inputSchema } };
  const values = { number: 2, integer: 2, boolean: true, array: [], object: {} };
  const args = [...required].map((member) => [
    member,
    Reflect.get(values, Object(properties[member]).type) ?? "text",
  ]);
  return { name, arguments: Object.fromEntries(args) };
}

/** What an operator would have written into the manifest. */
async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  const answer = await fetch(
    `${origin}/.well-known/oauth-protected-resource${pathname === "/" ? "" : pathname}`,
  );
  const { authorization_servers: servers } = Object(await answer.json());
  return String(servers[0]);
}

/** @returns whether the suite is content */
function run(scenario: string, version: string): boolean {
  const client = `${process.execPath} ${fileURLToPath(import.meta.url)}`;
  const options = ["--command", client, "--scenario", scenario];
  if (version !== "extension") options.push("--spec-version", version);
  const { status, stdout, stderr } = spawnSync("npx", ["--yes", SUITE, "client", ...options], {
    encoding: "utf8",
  });
  const passed = status === 0;
  say(`${passed ? "ok    " : "FAILED"} ${version} ${scenario}`);
  if (!passed) say(`${stdout}${stderr}`.replace(/^/gm, "    "));
  return passed;
}

const url = process.argv[2];
if (url?.startsWith("http")) {
  await converse(url, JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}"));
} else {
  const client = Object.entries(url === "server" ? {} : SCENARIOS).flatMap(([version, all]) =>
    all.map((scenario) => run(scenario, version)),
  );
  const results = [...client, ...(await serverResults(SUITE))];
  const failed = results.filter((passed) => !passed).length;
  say(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
