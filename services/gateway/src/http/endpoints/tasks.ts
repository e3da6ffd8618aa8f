import { compileSchema } from "@interlock/contracts";
import { type Mesh, plainValue } from "../../mesh/index.ts";
import type { Tasks } from "../../runs/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { traceparentOf } from "../request.ts";
import { sendJson } from "../respond.ts";

export type TaskEndpointsDeps = { mesh: Mesh; tasks: Tasks };

const ANY_OBJECT = compileSchema<Record<string, unknown>>({ type: "object" });

/** The tasks that the manifest lets callers reach directly. */
export function taskEndpoints({ mesh, tasks }: TaskEndpointsDeps): Endpoint[] {
  return [...mesh.endpoints].map(([path, { taskType }]) =>
    endpoint({
      method: "POST",
      path: `/api/v1/${path}`,
      body: ANY_OBJECT,
      async handler({ req, res, body: inputs }) {
        const gone = new AbortController();
        res.once("close", () => gone.abort());
        const traceparent = traceparentOf(req);
        const { outputs, warnings } = await tasks.run({
          taskType,
          inputs,
          signal: gone.signal,
          traceparent,
        });
        sendJson(res, Object.assign({}, plainValue(outputs), { warnings }));
      },
    }),
  );
}
