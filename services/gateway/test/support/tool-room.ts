import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MeshManifest } from "@interlock/contracts";
import type { ActingCaller } from "../../src/caller.ts";
import { Egress } from "../../src/egress/index.ts";
import { compileAccess } from "../../src/identity/index.ts";
import { LargeValues, loadMesh, type Mesh } from "../../src/mesh/index.ts";
import {
  type ToolCall,
  ToolServers,
  type ToolServersOptions,
  Tools,
  type ToolsDeps,
} from "../../src/tools/index.ts";
import { until } from "./until.ts";

type Servers = NonNullable<NonNullable<MeshManifest["tools"]>["servers"]>;

export type RoomOptions = {
  servers: Servers;
  /** More of the manifest. */
  manifest?: object;
  env?: Record<string, string>;
  accepted?: object;
  timing?: Partial<ToolServersOptions>;
  deps?: Partial<ToolsDeps>;
  /** Judges values; its processes take a while to start, so that tests share it. */
  values: LargeValues;
};

/** For the rooms of several tests. */
export function judging(): LargeValues & { stop(): Promise<void> } {
  const values = new LargeValues({ largeTimeoutMs: 10_000, largeMemoryMb: 128 });
  return Object.assign(values, { stop: () => values.close() });
}

/** A mesh whose only agent is never asked. */
export function meshOf(manifest: object, { env = {}, files = {} as Record<string, object> } = {}): Mesh {
  const dir = mkdtempSync(join(tmpdir(), "interlock-tools-"));
  try {
    const file = join(dir, "mesh.yaml");
    const agents = { checker: { url: "http://127.0.0.1:1", tasks: { POLICY_CHECK: "Checks." } } };
    writeFileSync(file, JSON.stringify({ agents, ...manifest }));
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(dir, name), JSON.stringify(content));
    return loadMesh(file, env);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export const callerOf = (...roles: string[]): ActingCaller => ({
  tenant: "default",
  issuer: "idp",
  subject: "ann",
  roles: roles.length > 0 ? roles : ["analyst"],
});

/** The room over real connections, as the gateway puts it together. */
export function toolRoom({ servers, manifest = {}, env = {}, accepted, timing, deps, values }: RoomOptions) {
  const { tools: more, ...others } = { tools: {}, ...manifest };
  const files = accepted ? { "tools.accepted.json": accepted } : {};
  const mesh = meshOf({ ...others, tools: { ...more, servers } }, { env, files });
  const toolServers = new ToolServers({
    tools: mesh.tools,
    egress: new Egress({ rules: mesh.egress }),
    taken: ["policy_check"],
    secret: (variable) => env[variable],
    isInjection: () => false,
    ...{ retryMs: 20, checkMs: 5_000 },
    ...timing,
  });
  /** The tools as those see them who have these roles. */
  const under = ({ roles = {} }: { roles?: Mesh["roles"] }) => {
    const { access, problems } = compileAccess({ ...mesh, roles });
    const tools = new Tools({
      servers: toolServers,
      may: (caller, name) => access.may(caller, "use", { kind: "tool", name }),
      rightsOf: (caller) => ({ roles: access.knownRoles(caller), rows: access.rowsOf(caller) }),
      sign: ({ agent, caller }) => `for ${agent} by ${caller.subject}`,
      judge: (...value) => values.judge(...value),
      cacheBytes: mesh.tools.cacheBytes,
      ...deps,
    });
    return {
      problems,
      tools,
      call: (name: string, args: Record<string, unknown> = {}, more: Partial<ToolCall> = {}) =>
        tools.call({
          ...{ caller: callerOf(), name, args, signal: new AbortController().signal },
          mayAct: true,
          ...more,
        }),
      names: (caller = callerOf()) => tools.list(caller).map(({ name }) => name),
    };
  };
  return {
    ...under(mesh),
    under,
    servers: toolServers,
    /** Waits until a server is as wanted. */
    status: (name: string, wanted: string) =>
      until(() => toolServers.servers.some(({ spec, status }) => spec.name === name && status === wanted)),
    async stop() {
      await toolServers.close();
    },
  };
}
