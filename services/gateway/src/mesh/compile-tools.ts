import type { MeshManifest, MeshMcpServer, MeshMcpTool } from "@interlock/contracts";
import { DAY_S } from "./compile-step.ts";
import type { DataCompiler } from "./data/index.ts";
import type { McpAuth, McpServerSpec, McpToolRule, MeshTools } from "./model.ts";

type Env = Readonly<Record<string, string | undefined>>;

const MIB = 1024 * 1024;
const NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** Content that a result may have. Not images with scripts in them. */
const CONTENT_TYPES = [
  "text/*",
  "application/json",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "audio/*",
];

/** Where accepted definitions are, unless the manifest says so. */
export const ACCEPTED_FILE = "tools.accepted.json";

/**
 * The manifest with the servers that the environment has: `MCP_ENDPOINTS` maps names to URLs, and `LIST_OF_MCPS` takes some of these names.
 * A server that the manifest declares, too, keeps what it declares and gets the URL.
 */
export function withEndpoints(
  manifest: MeshManifest,
  { MCP_ENDPOINTS: endpoints, LIST_OF_MCPS: list }: Env,
): { manifest: MeshManifest; problems: string[] } {
  if (!endpoints) return { manifest, problems: list ? ["LIST_OF_MCPS: there are no MCP_ENDPOINTS"] : [] };
  const urls = urlsIn(endpoints);
  if (!urls)
    return {
      manifest,
      problems: [
        `MCP_ENDPOINTS: must be a JSON object of names and URLs such as {"sql":"http://127.0.0.1:8001/mcp"}`,
      ],
    };
  const wanted = list ? list.split(",").map((name) => name.trim()) : [...urls.keys()];
  const problems = wanted.flatMap((name) =>
    urls.has(name) ? [] : [`LIST_OF_MCPS: MCP_ENDPOINTS has no "${name}"`],
  );
  const declared = manifest.tools?.servers ?? {};
  const servers = wanted.map((name) => [name, { ...declared[name], url: urls.get(name) ?? "" }] as const);
  const tools = { ...manifest.tools, servers: { ...declared, ...Object.fromEntries(servers) } };
  return { manifest: { ...manifest, tools }, problems };
}

function urlsIn(json: string): ReadonlyMap<string, string> | undefined {
  try {
    const read: unknown = JSON.parse(json);
    if (typeof read !== "object" || read === null || Array.isArray(read)) return undefined;
    const entries = Object.entries(read);
    const fits = entries.every(
      ([name, url]) => NAME.test(name) && typeof url === "string" && /^https?:\/\/[^\s?#]+$/.test(url),
    );
    return fits ? new Map(entries) : undefined;
  } catch {
    return undefined;
  }
}

/** A server is at a URL; one that the gateway starts has the rights of the gateway, which is for a developer's machine. */
export function serverProblems({ tools }: MeshManifest, { DEV_MODE: devMode }: Env): string[] {
  return Object.entries(tools?.servers ?? {}).flatMap(([name, { url, command, auth }]) => {
    const where = `tools.servers.${name}`;
    if ((url === undefined) === (command === undefined)) return `${where}: must have a url or a command`;
    if (command && devMode !== "true") return `${where}.command: is for development (DEV_MODE=true) alone`;
    return command && auth ? `${where}.auth: is for a server with a url` : [];
  });
}

/** @param readObject reads a JSON file beside the manifest */
export function compileTools(
  { tools = {} }: MeshManifest,
  readObject: (file: string) => Record<string, unknown> | undefined,
  data: DataCompiler,
): MeshTools {
  const { servers = {}, pin = false, accepted: file = ACCEPTED_FILE, cache_mb: cacheMb = 32 } = tools;
  return {
    servers: new Map(
      Object.entries(servers).map(([name, server]) => [name, compileServer(name, server, data)]),
    ),
    pin,
    acceptedFile: file,
    accepted: Object.keys(servers).length > 0 ? definitionsIn(readObject(file)) : {},
    cacheBytes: cacheMb * MIB,
  };
}

/** What is no object is no definition, and accepts none. */
function definitionsIn(read: Record<string, unknown> = {}): MeshTools["accepted"] {
  const entries = Object.entries(read).flatMap(([name, one]) =>
    typeof one === "object" && one !== null ? [[name, one] as const] : [],
  );
  return Object.fromEntries(entries);
}

function compileServer(name: string, server: MeshMcpServer, data: DataCompiler): McpServerSpec {
  const { command, description, identity = "none", auth, limits = {}, tools = {} } = server;
  const credentials = auth && compileAuth(auth);
  return {
    name,
    url: server.url ?? `stdio:${name}`,
    ...(command ? { command } : {}),
    ...(description === undefined ? {} : { description }),
    signed: identity === "signed",
    ...(credentials ? { auth: credentials } : {}),
    timeoutMs: limits.timeout_ms ?? 30_000,
    maxResultBytes: limits.max_result_bytes ?? MIB,
    maxConcurrency: limits.max_concurrency ?? 8,
    contentTypes: limits.content_types ?? CONTENT_TYPES,
    tools: new Map(
      Object.entries(tools).map(([tool, rule]) => [
        tool,
        compileRule(`tools.servers.${name}.tools.${tool}`, rule, data),
      ]),
    ),
  };
}

/** What the approval of a call can see. */
const CALL = ["arguments", "request"] as const;

function compileRule(where: string, rule: MeshMcpTool, data: DataCompiler): McpToolRule {
  const { reads, idempotent, cache_s, effect, approval, orders } = rule;
  const compiled: McpToolRule = {
    // What the manifest says that acts does so, whatever the server says.
    ...(effect === undefined ? {} : { effect, reads: false }),
    ...(reads === undefined ? {} : { reads }),
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(cache_s === undefined ? {} : { cacheS: cache_s }),
    ...(orders === undefined ? {} : { orders }),
  };
  if (reads && effect !== undefined) data.problems.push(`${where}: a tool that reads has no effect`);
  if (approval) {
    const { when, roles = [], four_eyes: fourEyes = false, max_age, expires_in_s = DAY_S } = approval;
    compiled.approval = {
      ...(when === undefined ? {} : { when: data.condition(`${where}.approval.when`, when, CALL) }),
      ...(max_age === undefined ? {} : { maxAgeS: max_age }),
      ...{ roles, fourEyes, expiresInS: expires_in_s, warnBeforeS: Math.ceil(expires_in_s / 10) },
      ...{ onExpiry: "reject", escalateTo: [] },
    };
  }
  return compiled;
}

function compileAuth({
  bearer_env,
  client_credentials: client,
}: NonNullable<MeshMcpServer["auth"]>): McpAuth | undefined {
  if (bearer_env !== undefined) return { kind: "bearer", variable: bearer_env };
  if (!client) return undefined;
  const { issuer, client_id: clientId, secret_env: variable, scope } = client;
  return {
    kind: "client_credentials",
    issuer,
    clientId,
    variable,
    ...(scope === undefined ? {} : { scope }),
  };
}
