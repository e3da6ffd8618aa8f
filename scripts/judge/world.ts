import { type Mesh, startMesh } from "../lib/mesh.ts";
import { freePorts } from "../lib/ports.ts";
import { GATEWAY, ISSUER } from "../lib/services.ts";
import type { Domain } from "./domain.ts";
import { Recorder } from "./recorder.ts";

const HOST = "127.0.0.1";

export type World = { readonly mesh: Mesh; readonly recorder: Recorder; stop(): Promise<void> };

/** A mesh of a domain, with a recorder between its gateway and each of its agents. */
export async function startWorld(domain: Domain, signal: AbortSignal | undefined): Promise<World> {
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
          MESH_FILE: domain.meshFile,
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
      },
    };
  } catch (error) {
    await recorder.close();
    throw error;
  }
}
