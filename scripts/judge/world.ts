import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parse, stringify } from "yaml";
import { freePorts } from "../cli/src/ports.ts";
import { type Mesh, startMesh } from "../lib/mesh.ts";
import { GATEWAY, ISSUER } from "../lib/services.ts";
import type { Script } from "../model-server/script.ts";
import { startModelServer } from "../model-server/server.ts";
import type { Domain } from "./domain.ts";
import { Recorder } from "./recorder.ts";

const HOST = "127.0.0.1";

export type World = { readonly mesh: Mesh; readonly recorder: Recorder; stop(): Promise<void> };

/** A model server, and the domain's manifest with it as the model that reads messages first. */
async function startReader(domain: Domain, script: Script) {
  const server = await startModelServer({ script });
  const folder = mkdtempSync(join(tmpdir(), "judge-"));
  const meshFile = join(folder, "mesh.yaml");
  const { include, ...own } = parse(readFileSync(domain.meshFile, "utf8")) as { include: string[] };
  const models = {
    default: "rules",
    allow: ["rules", "reader"],
    tasks: { intent: { model: "reader", retries: 0, timeout_ms: 20_000 } },
    providers: { here: { kind: "openai_compatible", base_url: server.url } },
    models: { reader: { provider: "here", model: "reader", retries: 0 } },
  };
  const included = include.map((name) => relative(folder, resolve(dirname(domain.meshFile), name)));
  writeFileSync(meshFile, stringify({ ...own, include: included, models }));
  return {
    meshFile,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A mesh of a domain, with a recorder between its gateway and each of its agents. */
export async function startWorld(
  domain: Domain,
  signal: AbortSignal | undefined,
  model?: Script,
): Promise<World> {
  const reader = model && (await startReader(domain, model));
  const agents = domain.services.flatMap(({ name, urlVariable }) =>
    urlVariable === undefined || name === ISSUER.name ? [] : [{ name, urlVariable }],
  );
  const ports = await freePorts(agents.length * 2, HOST);
  const links = agents.map((agent, i) => ({ ...agent, at: ports[2 * i] ?? 0, to: ports[2 * i + 1] ?? 0 }));
  const recorder = await Recorder.start(links, HOST);
  try {
    const mesh = await startMesh({
      host: HOST,
      services: domain.services,
      ports: Object.fromEntries(links.map(({ name, to }) => [name, to])),
      redis: { durable: false },
      serviceEnv: {
        [GATEWAY]: {
          MESH_FILE: reader?.meshFile ?? domain.meshFile,
          ...Object.fromEntries(links.map(({ urlVariable, at }) => [urlVariable, `http://${HOST}:${at}`])),
          // A busy machine holds the event loop longer than the mesh would.
          LOOP_SHED_MS: "60000",
        },
      },
      signal,
    });
    return {
      mesh,
      recorder,
      async stop() {
        await mesh.stop();
        await recorder.close();
        await reader?.stop();
      },
    };
  } catch (error) {
    await recorder.close();
    await reader?.stop();
    throw error;
  }
}
