import { compileSchema } from "@interlock/contracts";
import { JsonText } from "../../json-text.ts";
import type { Mesh } from "../../mesh/index.ts";
import type { Tasks } from "../../runs/index.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { sendJson, sendJsonText } from "../respond.ts";

export type TaskEndpointsDeps = { mesh: Mesh; tasks: Tasks };

const ANY_OBJECT = compileSchema<Record<string, unknown>>({ type: "object" });

/** The tasks that the manifest lets callers reach directly. */
export function taskEndpoints({ mesh, tasks }: TaskEndpointsDeps): Endpoint[] {
  return [...mesh.endpoints].flatMap(([path, served]) =>
    served.kind === "task" ? taskEndpoint(path, served.taskType, tasks) : [],
  );
}

function taskEndpoint(path: string, taskType: string, tasks: Tasks): Endpoint {
  return endpoint({
    method: "POST",
    path: `/api/v1/${path}`,
    body: ANY_OBJECT,
    asText: "body",
    usesAgents: true,
    async handler({ res, caller, trace, body: inputs }) {
      const gone = new AbortController();
      res.once("close", () => gone.abort());
      const { outputs, warnings } = await tasks.run({
        caller,
        taskType,
        inputs,
        signal: gone.signal,
        trace,
      });
      if (outputs instanceof JsonText) await sendJsonText(res, withWarnings(outputs.text, warnings));
      else sendJson(res, { ...outputs, warnings });
    },
  });
}

/** Adds a member to the text of an object, which has others: it is large. */
function withWarnings(object: string, warnings: readonly string[]): string {
  return `${object.slice(0, object.lastIndexOf("}"))},"warnings":${JSON.stringify(warnings)}}`;
}
